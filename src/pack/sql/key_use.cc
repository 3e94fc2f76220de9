#include "pack/sql/key_use.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "pack/sql/select_shape.h"

namespace alfred {
namespace {

using Place = SelectShape::Place;
using Frame = SelectShape::Frame;
using Clause = SelectShape::Clause;
using Item = SelectShape::Item;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}
// How a SELECT may name a table: without its schema, or as a whole, where a dot is part of its
// name.
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names{lower(table.name)};
  const std::size_t dot = table.name.rfind('.');
  if (dot != std::string::npos) names.push_back(names.front().substr(dot + 1));
  return names;
}
using Words = std::set<std::string, std::less<>>;
bool is_named(const Table& table, const Words& words) {
  const std::vector<std::string> names = names_of(table);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return words.contains(name); });
}

// Whose keys a name stands for; null: of several tables, or of one that cannot be told.
using Owner = std::optional<const Table*>;

Owner joined(Owner one, const Table* other) {
  return one && *one != other ? Owner(nullptr) : other;
}

class KeyReader {
 public:
  KeyReader(std::string_view sql, std::span<const Table* const> tables, Brackets brackets)
      : shape_(sql, brackets), tables_(tables), brackets_(brackets) {}

  Result<KeyUse> run() {
    read_tables();
    if (keys_.empty()) return KeyUse{};
    while (rename()) continue;
    for (Place at = 0; at < shape_.size(); ++at)
      if (const char* const why = is_unclear(at)) return unclear(at, why);
    if (Result<void> ok = check_unions(); !ok) return Unexpected(ok.error());
    for (Place at = 0; at < shape_.size(); ++at)
      if (Result<void> ok = check(at); !ok) return Unexpected(ok.error());
    return shown();
  }

 private:
  const Table* named(std::string_view table) const {
    for (const Table* one : tables_)
      if (one->name == table) return one;
    return nullptr;
  }

  void read_tables() {
    Words words;
    for (Place at = 0; at < shape_.size(); ++at)
      if (shape_.is_name(at) || shape_.is_keyword(at)) words.insert(shape_.word(at).text);
    for (const Table* table : tables_)
      if (is_named(*table, words)) add_table(*table);
    for (Place at = 0; at < shape_.size(); ++at) {
      if (!shape_.is_name(at) || !shape_.is_alias(at)) continue;
      const Place of = shape_.is(at - 1, "as") ? at - 2 : at - 1;
      if (shape_.is(of, ")")) apart_.insert(shape_.word(at).text);
      const auto table = called_.find(shape_.word(of).text);
      if (shape_.clause(at) == Clause::from && table != called_.end()) {
        const std::set<const Table*> meant = table->second;
        called_[shape_.word(at).text].insert(meant.begin(), meant.end());
      }
    }
    for (Place at = 0; at < shape_.size(); ++at)
      if (shape_.is_name(at) && shape_.clause(at) == Clause::with &&
          shape_.is_one_of(at + 1, {"as", "("}))
        apart_.insert(shape_.word(at).text);
  }

  void add_table(const Table& table) {
    for (const std::string& name : names_of(table)) called_[name].insert(&table);
    for (const Field& field : table.fields) {
      columns_.insert(lower(field.name));
      const bool is_key = table.key.size() == 1 && table.key.front() == field.name;
      if (field.link)
        keys_[lower(field.name)].push_back({&table, named(field.link->table)});
      else if (is_key)
        keys_[lower(field.name)].push_back({&table, &table});
      // SQLite's other names of a key that is an integer.
      if (!is_key || field.type != FieldType::integer || brackets_ != Brackets::quote_names)
        continue;
      for (const char* name : {"rowid", "oid", "_rowid_"})
        if (table.find(name) == nullptr) keys_[name].push_back({&table, &table});
    }
  }

  // Whose key the name at this place is; none: it is no key column.
  Owner owner(Place at) const {
    if (!shape_.is_name(at) || shape_.is_one_of(at + 1, {".", "("})) return std::nullopt;
    const std::string& name = shape_.word(at).text;
    const bool is_qualified = shape_.is(at - 1, ".");
    const std::string& of = shape_.word(at - 2).text;
    const auto tables = called_.find(of);
    const bool is_of_tables = is_qualified && tables != called_.end() && !apart_.contains(of);
    Owner found;
    if (const auto key = keys_.find(name); key != keys_.end())
      for (const Use& use : key->second)
        if (!is_of_tables || tables->second.contains(use.table)) found = joined(found, use.target);
    if (is_of_tables) return found;
    if (const auto renamed = renamed_.find(name); renamed != renamed_.end())
      found = joined(found, renamed->second);
    return found;
  }

  // Whose key a column of a SELECT is that is a key column and nothing else.
  Owner owner(const Item& item) const {
    Place from = item.from;
    Place last = item.upto - 1;
    while (shape_.is(from, "(") && shape_.close(from) == last) {
      ++from;
      --last;
    }
    return last >= from && shape_.start_of_name(last) == from ? owner(last) : std::nullopt;
  }

  std::string name_of(const Item& item) const {
    return item.alias.empty() ? shape_.word(item.upto - 1).text : item.alias;
  }
  bool is_null(const Item& item) const {
    return shape_.is(item.from, "null") && item.upto == item.from + 1;
  }
  bool is_all(const Item& item) const { return shape_.is(item.upto - 1, "*"); }

  // R2: names that columns get. Whether there are new ones.
  bool rename() {
    const std::map<std::string, const Table*, std::less<>> before = renamed_;
    for (const SelectShape::Select& select : shape_.selects()) {
      const std::vector<Place> names = listed_names(select.frame);
      for (std::size_t i = 0; i < select.items.size(); ++i) {
        const Owner key = owner(select.items[i]);
        const Item& first = first_item(select, i);
        if (key && (owner(first) || is_null(first))) add_name(name_of(first), *key);
        if (key && i < names.size()) add_name(shape_.word(names[i]).text, *key);
        if (!is_all(select.items[i])) continue;
        for (const Place name : names) add_name(shape_.word(name).text, nullptr);
      }
    }
    return before != renamed_;
  }

  void add_name(const std::string& name, const Table* table) {
    const auto [known, is_new] = renamed_.emplace(name, table);
    if (!is_new && known->second != table) known->second = nullptr;
  }

  // The same column of the first SELECT of a UNION: it gives the name.
  const Item& first_item(const SelectShape::Select& select, std::size_t at) const {
    for (const SelectShape::Select& one : shape_.selects())
      if (one.frame == select.frame && at < one.items.size()) return one.items[at];
    return select.items[at];
  }

  // The names of WITH x(…) AS (…), or of (…) AS x(…), for the SELECTs in these brackets.
  std::vector<Place> listed_names(Place frame) const {
    if (frame == SelectShape::kNone) return {};
    Place before = frame - 1;
    while (shape_.is_one_of(before, {"as", "not", "materialized"})) --before;
    Place bracket = shape_.is(before, ")") ? before - 1 : SelectShape::kNone;
    while (bracket > 0 && shape_.close(bracket) != before) --bracket;
    if (bracket <= 0 || shape_.frame(bracket) != Frame::names) {
      const Place after = shape_.close(frame) + (shape_.is(shape_.close(frame) + 1, "as") ? 2 : 1);
      bracket = after + 1;
      if (!shape_.is(bracket, "(") || shape_.frame(bracket) != Frame::names) return {};
    }
    std::vector<Place> names;
    for (Place at = bracket + 1; at < shape_.close(bracket); ++at)
      if (shape_.is_name(at)) names.push_back(at);
    return names;
  }

  Unexpected refused(Place at) const {
    const std::string& name = shape_.word(at).text;
    return fail(ErrorCode::query,
                fmt::format("The query does more with {} than a key allows. A column that holds "
                            "keys is selected as it is, compared, joined, counted, ordered or "
                            "grouped by; it is no part of a function, a text or a calculation.",
                            name == "*" ? "the columns of a row" : name),
                "sql");
  }

  // R5: what SQL allows and words alone cannot tell apart. Null: nothing of the kind stands here.
  const char* is_unclear(Place at) const {
    const SqlWord& word = shape_.word(at);
    if (word.kind == SqlWord::Kind::text && may_be_name(at))
      return "a text in single quotes stands where a name could be; names have double quotes";
    const bool is_called =
        is_keyword_alias(at) ||
        (!is_structure(at) && (keys_.contains(word.text) || renamed_.contains(word.text)));
    if (shape_.is_keyword(at) && is_called)
      return "a word of SQL is the name of a column here; put it in double quotes, or use another";
    if (shape_.is(at, "table") && shape_.is_name(at + 1)) return "write SELECT instead of TABLE";
    if (shape_.is_name(at) && lists_columns(at))
      return "names are given to the columns of a table; name them in a SELECT";
    return nullptr;
  }

  // A word that names a column, in either database, only in quotes, behind a dot or behind AS.
  bool is_structure(Place at) const {
    return !shape_.is(at - 1, ".") &&
           shape_.is_one_of(
               at, {"select",    "from",   "where", "group", "order", "having",   "limit", "union",
                    "intersect", "except", "join",  "on",    "and",   "or",       "not",   "null",
                    "in",        "case",   "when",  "then",  "else",  "distinct", "as"});
  }

  bool may_be_name(Place at) const {
    const bool is_sqlite = brackets_ == Brackets::quote_names;
    return shape_.is_one_of(at - 1, {".", "as"}) || (is_sqlite && shape_.ends_operand(at - 1));
  }

  bool is_keyword_alias(Place at) const {
    if (begins_view(at)) return false;
    if (shape_.is(at - 1, "as"))
      return !shape_.is(at + 1, "materialized") && !shape_.is(shape_.open(at) - 1, "cast");
    return shape_.clause(at) == Clause::select && shape_.ends_operand(at - 1) &&
           shape_.ends_item(at + 1) && !shape_.ends_item(at) &&
           !shape_.is_one_of(at, {"isnull", "notnull", "asc", "desc"});
  }

  // CREATE VIEW … AS, and here the SELECT: no other AS before it.
  bool begins_view(Place at) const {
    if (!shape_.is(0, "create") || !shape_.is(at - 1, "as")) return false;
    for (Place look = 0; look < at - 1; ++look)
      if (shape_.is(look, "as")) return false;
    return true;
  }

  // FROM t AS x(a, b), where t is no SELECT in brackets and no function.
  bool lists_columns(Place at) const {
    if (!shape_.is(at + 1, "(") || shape_.clause(at) != Clause::from) return false;
    const Place of = shape_.is(at - 1, "as") ? at - 2 : at - 1;
    if (!shape_.ends_operand(of)) return false;
    if (!shape_.is(of, ")")) return true;
    Place bracket = of - 1;
    while (bracket > 0 && shape_.close(bracket) != of) --bracket;
    return shape_.frame(bracket) != Frame::call &&
           !shape_.is_one_of(bracket + 1, {"select", "values", "with"});
  }

  Unexpected unclear(Place at, const char* why) const {
    return fail(ErrorCode::query,
                fmt::format("The query cannot be checked for keys: at \"{}\", {}.",
                            shape_.word(at).text, why),
                "sql");
  }

  // A comparison, not a part of a longer operator such as <->.
  bool compares_alone(Place at) const {
    const auto is_operator = [this](Place one) {
      const SqlWord& word = shape_.word(one);
      return word.kind == SqlWord::Kind::sign &&
             (word.text == "->" ||
              std::string_view("<>=!~@#%^&|?:").find(word.text.front()) != std::string_view::npos);
    };
    return !is_operator(at) || (!is_operator(at - 1) && !is_operator(at + 1));
  }

  // Whether only truth comes of it: a = b, a IS NULL, a AND b.
  bool compares_before(Place at) const {
    return compares_alone(at) &&
           shape_.is_one_of(at, {"=", "==", "<>", "!=", "<", ">", "<=", ">=", "is", "and", "or",
                                 "not", "between", "when", "case"});
  }
  bool compares_after(Place at) const {
    if (shape_.is(at, "not")) return shape_.is_one_of(at + 1, {"in", "null", "between"});
    if (!compares_alone(at)) return false;
    return shape_.is_one_of(at, {"=", "==", "<>", "!=", "<", ">", "<=", ">=", "is", "and", "or",
                                 "in", "isnull", "notnull", "between", "when", "then"});
  }
  bool may_begin(Place at) const {
    return at < 0 || compares_before(at) || shape_.ends_distinct_on(at) ||
           shape_.is_one_of(
               at, {"select", "distinct", "all", ",", "(", "where", "on", "by", "having", "in"});
  }
  bool may_end(Place at) const {
    if (at >= shape_.size() || compares_after(at) || shape_.is_alias(at)) return true;
    return shape_.is_one_of(
        at, {",",     ")",         ";",      "from",   "as",    "where",  "asc",   "desc",
             "nulls", "group",     "order",  "having", "limit", "offset", "fetch", "window",
             "union", "intersect", "except", "join",   "left",  "right",  "full",  "inner",
             "cross", "natural",   "outer",  "rows",   "range", "groups"});
  }

  Result<void> check(Place at) const {
    const bool is_row = shape_.is(at, "*") ? shape_.is(at - 1, ".") : is_whole_row(at);
    if (!is_row && !owner(at)) return {};
    const Place from = shape_.start_of_name(at);
    if (from == at && shape_.is_alias(at)) return {};
    const Frame frame = shape_.frame(shape_.open(at));
    const bool is_select = SelectShape::holds_select(frame);
    if (shape_.clause(at) == Clause::from && (is_select || frame == Frame::group)) return {};
    if (shape_.clause(at) == Clause::with && is_select) return {};
    return allows(from, at, is_row && !shape_.is(at, "*")) ? Result<void>() : refused(at);
  }

  // A table's name where a value is due is the row as a whole.
  bool is_whole_row(Place at) const {
    if (brackets_ != Brackets::hold_places || !shape_.is_name(at)) return false;
    const std::string& name = shape_.word(at).text;
    if (shape_.is_one_of(at + 1, {".", "("}) || shape_.is(at - 1, ".")) return false;
    return (called_.contains(name) || apart_.contains(name)) && !columns_.contains(name);
  }

  bool allows(Place from, Place upto, bool is_row) const {
    for (;;) {
      if (!may_begin(from - 1) || !may_end(upto + 1)) return false;
      if (compares_before(from - 1) || compares_after(upto + 1)) return true;
      const Place bracket = shape_.open(from);
      switch (const Frame frame = shape_.frame(bracket)) {
        case Frame::count:
        case Frame::list:
        case Frame::names:
        case Frame::places: return true;
        case Frame::call: return shape_.clause(from) == Clause::other;  // f(x ORDER BY id)
        case Frame::group:
          if (from - 1 != bracket || upto + 1 != shape_.close(bracket)) return is_compared(bracket);
          upto = shape_.close(bracket);
          from = bracket;
          continue;
        default:
          if (shape_.clause(from) != Clause::select) return true;
          return !is_row && frame != Frame::expression && is_agreed(bracket, from);
      }
    }
  }

  bool is_compared(Place bracket) const {
    return compares_before(bracket - 1) || compares_after(shape_.close(bracket) + 1) ||
           shape_.is_one_of(bracket - 1, {"in", "by"});
  }

  // R3: the column that begins here is of the same table's keys in every SELECT of a UNION.
  bool is_agreed(Place frame, Place from) const {
    std::vector<const SelectShape::Select*> arms;
    std::size_t column = 0;
    for (const SelectShape::Select& select : shape_.selects()) {
      if (select.frame != frame) continue;
      arms.push_back(&select);
      for (std::size_t i = 0; i < select.items.size(); ++i)
        if (select.items[i].from <= from && from < select.items[i].upto) column = i;
    }
    if (arms.size() < 2) return true;
    Owner one;
    for (const SelectShape::Select* arm : arms) {
      if (column >= arm->items.size()) return false;
      const Item& item = arm->items[column];
      if (std::any_of(arm->items.begin(), arm->items.end(),
                      [&](const Item& other) { return is_all(other); }))
        return false;
      if (is_null(item)) continue;
      const Owner key = owner(item);
      if (!key || *key == nullptr || (one && *one != *key)) return false;
      one = key;
    }
    return true;
  }

  // R3: * in a UNION hides which columns meet.
  Result<void> check_unions() const {
    std::map<Place, int> arms;
    for (const SelectShape::Select& select : shape_.selects()) ++arms[select.frame];
    for (const SelectShape::Select& select : shape_.selects())
      for (const Item& item : select.items)
        if (is_all(item) && arms[select.frame] > 1)
          return fail(ErrorCode::query,
                      "The query has a * in a SELECT of a UNION, INTERSECT or EXCEPT. Name the "
                      "columns.",
                      "sql");
    return {};
  }

  Result<KeyUse> shown() const {
    KeyUse use;
    bool is_open = true;
    for (const SelectShape::Select& select : shape_.selects()) {
      if (select.frame != SelectShape::kNone) continue;
      is_open = std::any_of(select.items.begin(), select.items.end(),
                            [&](const Item& item) { return is_all(item); });
      for (std::size_t i = 0; i < select.items.size() && !is_open; ++i)
        if (const Owner key = owner(select.items[i]))
          use.shown.emplace(name_of(first_item(select, i)), *key);
      if (is_open) break;
    }
    if (is_open) use.shown = renamed_;
    return use;
  }

  struct Use {
    const Table* table;
    const Table* target;
  };

  SelectShape shape_;
  std::span<const Table* const> tables_;
  Brackets brackets_;
  std::map<std::string, std::vector<Use>, std::less<>> keys_;  // by column, of the tables named
  std::set<std::string, std::less<>> columns_;
  std::map<std::string, std::set<const Table*>, std::less<>> called_;  // tables by name and alias
  std::set<std::string, std::less<>> apart_;  // what WITH and FROM (…) call rows of their own
  std::map<std::string, const Table*, std::less<>> renamed_;
};

}  // namespace

Result<const Table*> KeyUse::owner_of(std::string_view column) const {
  const auto found = shown.find(lower(column));
  if (found == shown.end()) return nullptr;
  if (found->second != nullptr) return found->second;
  return fail(ErrorCode::query,
              fmt::format("The column {} of the result may hold keys of several tables. Select the "
                          "key of each table as a column of its own, under its own name.",
                          column),
              "sql");
}

std::vector<const Table*> named_with_key_parts(std::string_view sql,
                                               std::span<const Table* const> tables,
                                               Brackets brackets) {
  Words words;
  for (const SqlWord& word : sql_words(sql, brackets)) words.insert(lower(word.text));
  std::vector<const Table*> named;
  for (const Table* table : tables) {
    const bool has_parts =
        std::any_of(table->fields.begin(), table->fields.end(),
                    [](const Field& field) { return field.is_key_part && !field.link; });
    if (has_parts && is_named(*table, words)) named.push_back(table);
  }
  return named;
}

Result<KeyUse> read_key_use(std::string_view sql, std::span<const Table* const> tables,
                            Brackets brackets) {
  return KeyReader(sql, tables, brackets).run();
}

}  // namespace alfred
