// The word a table's refs begin with, when nobody declared one: the singular of the table's name.
// R1 A ref type is `[a-z][a-z0-9]*(_[a-z0-9]+)*`, at most 40 bytes; gen, ref and lit do not begin
// it. R2 Every name given here keeps to R1, whatever the table is called. R3 Only the last word of
// a name is made singular: order_items gives order_item. R4 Tables that would share a name are told
// apart, whatever order they come in.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace alfred {

inline constexpr std::size_t kMaxRefTypeBytes = 40;

// True for a word that may stand before the number of a ref.
bool is_ref_type(std::string_view word);

// The singular of one lower-case English word; what is no plural stays as it is.
std::string singular_of(std::string_view word);

// "shop.order_items" gives "order_item". Never empty.
std::string ref_name_of_table(std::string_view table);

// What a table, a column without its `_id` and a member mean by a name: equal for those that mean
// the same (book, books, Books), different for all others, whatever their ref names are. Begins
// with neither `*` nor `?`.
std::string name_stem(std::string_view name);

// Whose key a column holds, by its name alone: "author" of author_id, Author_ID, authorId and
// authorID; empty text of _id. Nothing where the name does not speak of a key.
std::optional<std::string_view> named_by_key_column(std::string_view column);

// Table to ref name, all distinct and none of `taken`. A name two tables want goes to the one that
// bears it; the others keep their plural, then get their schema in front, then a number.
std::map<std::string, std::string> settle_ref_names(
    std::span<const std::string> tables, const std::set<std::string, std::less<>>& taken = {});

}  // namespace alfred
