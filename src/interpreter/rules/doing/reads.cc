// The reads of a step: which rows, by refs that are known or by words.
#include "interpreter/rules/doing/reads.h"

#include <algorithm>

#include "interpreter/rules/doing/answers.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/writes.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {
namespace {

constexpr std::int64_t kMostRows = 100;
constexpr std::size_t kMostNames = 10;  // that a call may ask for at once

Json condition(std::string_view field, std::string_view op, Json value) {
  JsonObject out{{"field", field}, {"op", op}};
  if (op != "is_null" && op != "is_not_null") out["value"] = std::move(value);
  return out;
}

Json in_list(const std::vector<std::string>& refs) {
  JsonArray list;
  for (const std::string& ref : refs) list.push_back(Json(ref));
  return condition("id", "in", std::move(list));
}

// A text column that `similar` can be asked of: the label; none where rows have no name.
std::string searched_column(const Table& table) {
  const Field* label = table.find(table.label);
  if (label != nullptr && label->type == FieldType::text) return label->name;
  return "";
}

// A category of several words is that category, not what its words may mean one by one.
Json searched_for(const Book& book, const std::string& column, const std::string& words) {
  Json out = condition(column, "similar", Json(words));
  if (book.lexicon.pack().categories.is_category(words) &&
      phrase_key(words).find(' ') != std::string::npos)
    out.get_object()["intent"] = "category";
  return out;
}

// "eggs, milk and bread", asked for where things are kept: each of them; empty: one thing, or other
// rows.
JsonArray each_searched(const Book& book, const Table& table, const Doing& doing) {
  JsonArray out;
  const bool is_pointing = !doing.targets.empty() && doing.targets.front().is_pointing;
  if (doing.verb != Verb::list || is_pointing || doing.search.empty() ||
      searched_column(table).empty() || amount_field(book.lexicon, table) == nullptr)
    return out;
  const Tokens tokens = read_tokens(doing.search);
  for (const std::span<const Token> piece : split_list(tokens, book.lexicon))
    if (const std::string said = typed(doing.search, without_articles(piece)); !said.empty())
      out.push_back(searched_for(book, searched_column(table), said));
  return out.size() > 1 && out.size() <= kMostNames ? out : JsonArray();
}

// Words that point are nobody's name: where they lead to nobody, nothing like them is looked for.
Json by_name(const std::string& column, const Target& target) {
  return condition(column, target.is_pointing ? "=" : "similar", Json(target.said));
}

JsonArray conditions(const std::vector<Cond>& where) {
  JsonArray out;
  for (const Cond& one : where) out.push_back(condition(one.field, one.op, one.value));
  return out;
}

void put_filters(JsonObject& params, JsonArray filters) {
  if (!filters.empty()) params["filters"] = std::move(filters);
}

// Rows of any of these; of more names than a call takes, all rows, and who asks looks for itself.
void put_any(JsonObject& params, JsonArray any) {
  if (!any.empty() && any.size() <= kMostNames) params["or_filters"] = std::move(any);
}

void include_parts(const Table& table, JsonObject& params) {
  JsonArray include;
  for (const Relation& relation : table.relations) include.push_back(Json(relation.member));
  if (!include.empty()) params["include"] = std::move(include);
}

// What is looked at of a row to tell whether it keeps to what always holds.
void add_checked(const Book& book, const Facts& facts, const Table& table, JsonArray& columns,
                 JsonObject& params) {
  JsonArray include;
  const auto add = [](JsonArray& list, std::string_view name) {
    if (std::find(list.begin(), list.end(), Json(name)) == list.end()) list.push_back(Json(name));
  };
  for (const Constraint& one : facts.permanent)
    for (const ConstraintType& type : book.lexicon.pack().constraint_types) {
      if (type.name != one.type) continue;
      for (const std::string& place : type.check.in) {
        const std::string name = place.substr(0, place.find_first_of("./"));
        if (table.find(name) != nullptr) add(columns, name);
        for (const Relation& relation : table.relations)
          if (relation.member == name) add(include, name);
      }
    }
  if (!include.empty()) params["include"] = std::move(include);
}

}  // namespace

JsonObject read_params(const Book& book, const Facts& facts, const Doing& doing) {
  JsonObject params{{"table", doing.table}};
  const Table* table = book.lexicon.schema().find(doing.table);
  if (table == nullptr) return params;
  JsonArray filters = conditions(doing.where);
  std::vector<std::string> refs;
  for (const Target& target : doing.targets)
    for (std::string& ref : refs_of(facts, target)) refs.push_back(std::move(ref));
  const std::string column = searched_column(*table);
  const bool is_pointing = !doing.targets.empty() && doing.targets.front().is_pointing;
  if (!refs.empty())
    filters.push_back(in_list(refs));
  else if (!doing.search.empty() && !column.empty())
    filters.push_back(is_pointing ? by_name(column, doing.targets.front())
                                  : searched_for(book, column, doing.search));
  if (JsonArray each = each_searched(book, *table, doing); refs.empty() && !each.empty()) {
    filters.pop_back();
    params["or_filters"] = std::move(each);
  }
  put_filters(params, std::move(filters));
  if (doing.verb == Verb::show || doing.with_parts || !doing.search.empty() || !doing.lacks.empty())
    include_parts(*table, params);
  // What is made of several columns is put in order by who tells it.
  const bool is_sum = doing.order.find('+') != std::string::npos;
  if (!doing.order.empty() && !is_sum) params["order"] = doing.order;
  params["limit"] = doing.limit > 0 && !is_sum ? std::int64_t{doing.limit} : kMostRows;
  if (doing.is_count) params["count"] = true;
  return params;
}

JsonObject target_params(const Book& book, const Facts& facts, const Doing& doing) {
  JsonObject params{{"table", doing.table}};
  const Table* table = book.lexicon.schema().find(doing.table);
  if (table == nullptr) return params;
  JsonArray filters = conditions(doing.where);
  JsonArray any;
  const std::string column = searched_column(*table);
  for (const Target& target : doing.targets) {
    if (target.is_all) continue;
    const std::vector<std::string> refs = refs_of(facts, target);
    if (!refs.empty())
      any.push_back(in_list(refs));
    else if (!column.empty() && !telling_words(target.said).empty())
      any.push_back(by_name(column, target));
  }
  put_filters(params, std::move(filters));
  put_any(params, std::move(any));
  if (edits_parts(doing) || doing.with.contains("parts")) include_parts(*table, params);
  params["limit"] = kMostRows;
  return params;
}

JsonObject link_params(const Book& book, const Facts& facts, const Doing& doing,
                       const std::string& to) {
  JsonObject params{{"table", to}, {"limit", kMostRows}};
  const Table* table = book.lexicon.schema().find(to);
  const FieldSet* link = link_of(doing);
  if (table == nullptr || link == nullptr) return params;
  JsonArray any;
  for (const FieldSet& one : doing.values) {
    if (!one.link) continue;
    const std::vector<std::string> refs = refs_of(facts, *one.link);
    const std::string column = searched_column(*table);
    const Field* field = book.lexicon.schema().find(doing.table)->find(one.field);
    if (field == nullptr || !field->link || field->link->table != to) continue;
    if (!refs.empty() || !column.empty())
      any.push_back(!refs.empty() ? in_list(refs) : by_name(column, *one.link));
  }
  if (!any.empty()) params["or_filters"] = std::move(any);
  JsonArray columns{Json(table->label)};
  if (const std::string portions = text_of(book.lexicon.pack().rules.portions, "field");
      table->find(portions) != nullptr)
    columns.push_back(Json(portions));
  if (flag_of(doing.with, "keeps")) add_checked(book, facts, *table, columns, params);
  params["columns"] = std::move(columns);
  return params;
}

JsonObject slot_params(const Book& book, const Facts& facts, const Program& program,
                       std::size_t at) {
  const Doing& doing = program.doings[at];
  JsonObject params{{"table", doing.table}, {"limit", kMostRows}};
  if (doing.verb == Verb::set) {  // what else has one of the new values
    JsonArray same;
    for (const std::string& name : slot_of(book, doing))
      for (const FieldSet& one : doing.values)
        if (one.field == name && !one.link) same.push_back(condition(name, "=", one.value));
    const auto dates = book.lexicon.pack().rules.dates.find(doing.table);
    if (dates != book.lexicon.pack().rules.dates.end())
      same.push_back(condition(dates->second, ">=", Json(iso_day(facts.now.day))));
    put_filters(params, std::move(same));
    return params;
  }
  JsonArray filters = conditions(doing.where);
  if (const std::string open = text_of(doing.with, "open"); !open.empty())
    filters.push_back(condition(open, "is_null", {}));
  const Table* table = book.lexicon.schema().find(doing.table);
  for (const std::string& name : texts_of(doing.with, "slot"))
    for (const FieldSet& one : doing.values) {
      const Field* field = table == nullptr || one.field != name ? nullptr : table->find(name);
      if (field == nullptr) continue;
      if (!one.link) {
        filters.push_back(condition(name, "=", one.value));
        continue;
      }
      JsonArray refs;
      for (const JsonObject* row :
           rows_meant(book, field->link->table, facts, *one.link,
                      link_rows(book, facts, program, at, field->link->table)))
        refs.push_back(Json(ref_of(book, field->link->table, *row)));
      if (!refs.empty()) filters.push_back(condition(name, "in", std::move(refs)));
    }
  put_filters(params, std::move(filters));
  return params;
}

JsonObject leading_params(const Book& book, const Facts& facts, const Program& program,
                          std::size_t at, const std::string& from) {
  const Doing& doing = program.doings[at];
  JsonObject params{{"table", from}, {"limit", kMostRows}};
  const Field* link = leading_field(book, from, doing.table);
  const std::vector<const JsonObject*> read =
      rows_read(book, facts, program, Role::read_targets, at);
  JsonArray refs;
  for (const Target& target : doing.targets) {
    for (const std::string& ref : refs_of(facts, target)) refs.push_back(Json(ref));
    if (refs.empty())
      for (const JsonObject* row : rows_meant(book, doing.table, facts, target, read))
        refs.push_back(Json(ref_of(book, doing.table, *row)));
  }
  JsonArray filters;
  if (refs.empty()) params["limit"] = std::int64_t{1};  // nothing goes, so nobody is told of
  if (link != nullptr && !refs.empty())
    filters.push_back(condition(link->name, "in", std::move(refs)));
  if (const auto dates = book.lexicon.pack().rules.dates.find(from);
      dates != book.lexicon.pack().rules.dates.end())
    filters.push_back(condition(dates->second, ">=", Json(iso_day(facts.now.day))));
  put_filters(params, std::move(filters));
  return params;
}

// Without a day that counts it is all of them: what is elsewhere may serve too.
JsonObject stock_params(const Doing& doing) {
  JsonObject params{{"table", text_of(doing.with, "from")}, {"limit", kMostRows}};
  if (!doing.with.contains("before")) return params;
  put_filters(params, conditions(doing.where));
  params["order"] = doing.order;
  return params;
}

JsonObject same_params(const Book& book, const Doing& doing) {
  JsonObject params{{"table", doing.table}, {"limit", kMostRows}};
  const Table* table = book.lexicon.schema().find(doing.table);
  JsonArray any;
  if (table != nullptr)
    for (const Item& item : doing.items)
      any.push_back(condition(searched_column(*table), "similar", Json(item.name)));
  put_any(params, std::move(any));
  return params;
}

JsonObject parts_params(const Book& book, const Facts& facts, const Doing& doing) {
  const JsonObject& parts = book.lexicon.pack().rules.parts;
  JsonObject params{{"table", text_of(parts, "of")},
                    {"limit", kMostRows},
                    {"include", JsonArray{Json(text_of(parts, "parts"))}}};
  const Table* table = book.lexicon.schema().find(text_of(parts, "of"));
  if (table == nullptr || doing.targets.empty()) return params;
  const std::vector<std::string> refs = refs_of(facts, doing.targets.front());
  put_filters(params, JsonArray{!refs.empty() ? in_list(refs)
                                              : condition(searched_column(*table), "similar",
                                                          Json(doing.targets.front().said))});
  return params;
}

}  // namespace alfred::rules
