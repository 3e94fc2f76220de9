// A schema from a database's catalogue, with nothing configured.
//
// R1 a table's key is its primary key. A uuid, a text made for uuids or full of them and a text with
//    a default get a uuid of ours; an integer that the database counts comes from it; every other
//    key is content. A key that is no uuid, integer, text, date or instant is none.
// R2 a foreign key of one column to another table's key is a link. One of several columns is a link
//    when all but one pair are the two tables' owners; else its columns may be
//    (derive/derived_keys.h R4).
// R3 the label is the first of kGuessedLabelColumns that is a text, however its words are joined (fullName), else the first text whose name
//    ends in name or title; never a key, a link or what is hidden.
// R4 rows that lead here are nested under their table's name; where two would share it, under
//    `table_by_column`.
// R5 views, and tables without a key, are read-only; so are computed columns.
// R6 instants called created_at or updated_at (and the usual other names) are set by us, except a
//    created_at that the database fills in.
// R7 columns that hold credentials by their name (password, secret, token, api_key …) are hidden,
//    unless they are keys or links.
// R8 tables of our own (alfred_*) and of the database itself are left out.
// R9 columns that hold keys without saying so are links too, or are hidden (derive/derived_keys.h).
// R10 of texts only keys, and links to them, are the same where the database says so; all others by their
//    bytes.
// R11 what the login may not read is not there; a table whose owner column it may not read is left out
//    whole. What it may neither insert nor update is read-only, as is a table it may not write at
//    all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "alfred/error.h"
#include "pack/catalogue.h"
#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

struct DeriveOptions {
  std::string owner;  // the column that names a row's owner in every table that has it
  std::map<std::string, std::string> owners;  // by table; empty: rows of it belong to nobody
  std::map<std::string, std::vector<std::string>> keys;  // by table; instead of its primary key
};

// The tables before they are checked, for whoever has more to say about them.
std::vector<Table> derive_tables(const Catalogue& catalogue, const DeriveOptions& options);

Result<Schema> derive_schema(const Catalogue& catalogue, const DeriveOptions& options = {});

// What a turn needs of a domain that nobody declared: a subdomain for every table that is not
// nested in another, with what is nested in it.
Pack derive_pack(const Schema& schema);

// Who makes a key of these columns (R1); `table` has its fields.
KeySource key_source_of(const Table& table);

// Puts R10 in force.
void settle_matches(std::vector<Table>& tables);

// Fills in `relations` of all tables from their links (R4).
void derive_relations(std::vector<Table>& tables);

// The label by R3; empty: none.
std::string guess_label(const Table& table);

// True for the name of a column that holds credentials (R7).
bool is_secret_name(std::string_view column);

}  // namespace alfred
