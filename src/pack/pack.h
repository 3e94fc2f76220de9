// Pack: a domain as data. What its pack.toml and the files beside it declare, read and checked, and
// not yet laid over a database (overlay.h does that).
//
// R1 everything that may turn out wrong later carries its place, "pack.toml:12:3".
// R2 a pack is a value: a loaded one does not change when its files do.
// R3 the same files give the same fingerprint, and other files another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"
#include "pack/categories.h"
#include "pack/compile_rules.h"
#include "pack/layout.h"
#include "pack/pack_rules.h"
#include "pack/schema.h"

namespace alfred {

using PackPlace = std::string;

struct PackField {
  std::string name;
  PackPlace place;
  std::optional<FieldType> type;
  std::vector<std::string> values;
  std::map<std::string, std::string, std::less<>> aliases;  // what people say → value
  std::optional<Json> default_value;
  std::optional<bool> is_hidden;
  std::optional<bool> is_read_only;
  std::string help;  // one sentence for whoever fills it in
};

struct PackLink {
  std::string column;
  std::string table;
  std::optional<OnDelete> on_delete;  // not said: as the database does it
  PackPlace place;
};

struct PackRelation {
  std::string member;
  std::string table;
  std::string column;  // empty: the only one that leads back
  PackPlace place;
};

struct PackEntity {
  std::string table;
  PackPlace place;
  std::map<std::string, PackPlace, std::less<>> places;  // of its members
  std::string ref;
  std::optional<std::string> label;
  std::vector<std::string> words;  // what people call it
  std::vector<std::string> key;    // empty: the database's
  std::optional<std::string> owner;
  std::string created_at;
  std::string updated_at;
  bool is_read_only = false;
  bool is_single = false;  // an owner has one row
  BatchPolicy batch_policy = BatchPolicy::partial;
  std::vector<std::string> searched;
  std::string timer;         // an instant that makes a reminder
  std::string timer_unless;  // a boolean that says there is no need of it
  std::vector<PackField> fields;
  std::vector<PackLink> links;
  std::optional<std::vector<PackRelation>> nested;  // not said: what leads here
  CompileRules compile;
  std::optional<EntityLayout> layout;  // not said: default_layout()
};

struct Subdomain {
  std::string name;
  std::vector<std::string> tables;  // the first is what it is about
  std::vector<std::string> words;
  // A word that means only some rows: fridge → {location: "fridge"}.
  std::map<std::string, std::map<std::string, Json>, std::less<>> scopes;
  PackPlace place;
};

// How code holds content against a constraint (D12a).
struct ConstraintCheck {
  enum class Kind : std::uint8_t { none, excluded, required, at_most, equals, tag };
  Kind kind = Kind::none;
  // Places in the content: "name", "parts.name"; as loaded, with every name that compile rules
  // know: "parts/pieces.name/title".
  std::vector<std::string> in{};
  // Values that mean others: a diet and what it leaves out. Where there are some, no other is
  // checked.
  std::map<std::string, std::vector<std::string>, std::less<>> stands_for{};
};

struct ConstraintType {
  std::string name;
  bool is_many = true;  // values add up; else the newest replaces
  std::vector<std::string> fields;
  std::vector<std::string> one_fields;  // of a `many`: fields that hold one value
  ConstraintCheck check;
  PackPlace place;
};

// A member of what is known of the user that constraints come from at all times: every value of the
// row's field becomes one of `type`.
struct PermanentConstraint {
  std::string field;
  std::string type;
  PackPlace place{};
};

// What prompts say of the user and of what there is (003): the one row of a table, laid out, and
// counts.
struct Profile {
  std::string table;  // empty: no profile
  EntityLayout layout;
  std::string guidance;  // a field with an object: subdomain → what the user prefers there
  std::vector<PermanentConstraint> constraints;
  PackPlace place;
};
struct DashboardLine {
  std::string table;
  std::string text;                   // "{count} to buy"
  std::map<std::string, Json> where;  // equal to these
  std::vector<std::string> empty{};   // without a value in these
  std::string before;                 // a date column …
  int within_days = 0;                // … whose day is at most so many days from now
  bool is_from_today = false;         // … and not over yet
  PackPlace place;
};

struct Unit {
  std::string name;
  std::vector<std::string> words;
  std::string kind;   // units of a kind convert: "volume"
  double size = 0.0;  // in the kind's smallest measure; 0: does not convert
  PackPlace place;
};

// What somebody who begins to talk is told.
struct ChatGreeting {
  std::string greeting;            // empty: title and description
  std::vector<std::string> tries;  // messages to begin with
};

// One file of the pack as it was read.
struct PackFile {
  std::string name;
  std::string text;
};

struct Pack {
  std::string name;
  std::string title;
  std::string description;
  std::string owner;       // the owner's column in every table that has it
  std::string created_at;  // likewise; set by us
  std::string updated_at;
  std::map<std::string, std::string, std::less<>> places{};  // of these three in pack.toml, by name
  bool shows_undeclared = false;
  std::vector<PackEntity> entities;
  std::vector<Subdomain> subdomains;
  Categories categories;
  std::vector<ConstraintType> constraint_types;
  std::vector<Unit> units;
  Profile profile;
  PackRules rules;
  std::vector<DashboardLine> dashboard;  // empty: one line a subdomain
  ChatGreeting chat;
  std::string schema_sql;                              // empty: the database is somebody's own
  int schema_version = 1;                              // of schema.sql; it grows with its changes
  std::map<std::string, PackFile, std::less<>> texts;  // by name
  std::vector<PackFile> rows;                          // always there, shared by all owners
  std::vector<PackFile> demo;                          // for who wants to try
  std::vector<PackFile> scenarios;
  std::string fingerprint;

  const PackEntity* find(std::string_view table) const;
};

// Reads the pack in a folder. Errors: pack, at file:line:column.
Result<Pack> load_pack(const std::string& folder);

// A pack that is part of the program; `pack` lists those there are in `allowed`.
Result<Pack> load_embedded_pack(std::string_view name);
std::vector<std::string> embedded_packs();

}  // namespace alfred
