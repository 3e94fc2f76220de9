#include "pack/sql/select_shape.h"

#include <algorithm>
#include <set>

namespace alfred {
namespace {

using Kind = SqlWord::Kind;
using Place = SelectShape::Place;

// Words that are neither operands nor names, so that what follows them is no alias.
const std::set<std::string, std::less<>>& keywords() {
  static const std::set<std::string, std::less<>> kWords{
      "select",  "distinct", "all",      "where",    "and",        "or",      "not",
      "on",      "by",       "having",   "when",     "then",       "else",    "case",
      "between", "is",       "in",       "like",     "ilike",      "glob",    "regexp",
      "match",   "similar",  "escape",   "uescape",  "to",         "collate", "from",
      "for",     "placing",  "using",    "limit",    "offset",     "fetch",   "values",
      "filter",  "over",     "row",      "array",    "any",        "some",    "interval",
      "both",    "leading",  "trailing", "union",    "intersect",  "except",  "join",
      "left",    "right",    "full",     "inner",    "outer",      "cross",   "natural",
      "lateral", "as",       "with",     "window",   "rows",       "range",   "groups",
      "exists",  "group",    "order",    "asc",      "desc",       "nulls",   "zone",
      "at",      "overlaps", "variadic", "operator", "symmetric",  "only",    "recursive",
      "isnull",  "notnull",  "cast",     "then",     "tablesample"};
  return kWords;
}

}  // namespace

SelectShape::SelectShape(std::string_view sql, Brackets brackets)
    : words_(sql_words(sql, brackets)),
      open_(words_.size(), kNone),
      close_(words_.size(), static_cast<Place>(words_.size())) {
  Place current = kNone;
  for (Place at = 0; at < size(); ++at) {
    const auto place = static_cast<std::size_t>(at);
    if (is(at, ")") && current != kNone) {
      close_[static_cast<std::size_t>(current)] = at;
      current = open_[static_cast<std::size_t>(current)];
    }
    open_[place] = current;
    if (is(at, "(")) current = at;
  }
  for (Place at = 0; at < size(); ++at)
    if (is(at, "select") || is(at, "values")) selects_.push_back(read_select(at));
}

const SqlWord& SelectShape::word(Place at) const {
  static const SqlWord kEnd;
  return at < 0 || at >= size() ? kEnd : words_[static_cast<std::size_t>(at)];
}

bool SelectShape::is(Place at, std::string_view text) const {
  const SqlWord& one = word(at);
  return (one.kind == Kind::name || one.kind == Kind::sign) && one.text == text;
}

bool SelectShape::is_one_of(Place at, std::initializer_list<std::string_view> texts) const {
  return std::any_of(texts.begin(), texts.end(),
                     [&](std::string_view text) { return is(at, text); });
}

bool SelectShape::is_name(Place at) const {
  const SqlWord& one = word(at);
  return one.kind == Kind::quoted || (one.kind == Kind::name && !keywords().contains(one.text));
}

bool SelectShape::is_keyword(Place at) const {
  const SqlWord& one = word(at);
  return one.kind == Kind::name && keywords().contains(one.text);
}

bool SelectShape::ends_item(Place at) const {
  return word(at).kind == Kind::end ||
         is_one_of(at, {",", ")", ";", "from", "where", "group", "order", "having", "limit",
                        "offset", "fetch", "window", "union", "intersect", "except"});
}

bool SelectShape::ends_operand(Place at) const {
  const Kind kind = word(at).kind;
  if (ends_distinct_on(at)) return false;
  return is_name(at) || kind == Kind::text || kind == Kind::number || is(at, ")") || is(at, "]");
}

bool SelectShape::ends_distinct_on(Place at) const {
  if (!is(at, ")")) return false;
  for (Place look = at - 1; look > 1; --look)
    if (is(look, "(") && close(look) == at) return is(look - 1, "on") && is(look - 2, "distinct");
  return false;
}

bool SelectShape::is_alias(Place at) const {
  if (is(at - 1, "as")) return true;
  const Clause where = clause(at);
  const bool can_name = where == Clause::select || where == Clause::from;
  const bool ends =
      ends_item(at + 1) ||
      (where == Clause::from && is_one_of(at + 1, {"(", "join", "left", "right", "full", "inner",
                                                   "cross", "natural", "on", "using"}));
  return can_name && ends && !is(at - 1, ".") && ends_operand(at - 1);
}

Place SelectShape::open(Place at) const {
  return at < 0 || at >= size() ? kNone : open_[static_cast<std::size_t>(at)];
}
Place SelectShape::close(Place bracket) const {
  return bracket == kNone ? size() : close_[static_cast<std::size_t>(bracket)];
}

bool SelectShape::holds_select(Frame frame) {
  return frame == Frame::whole || frame == Frame::rows || frame == Frame::compared ||
         frame == Frame::expression;
}

SelectShape::Frame SelectShape::frame_of_select(Place bracket) const {
  Place first = bracket;
  Place last = close(bracket);
  while (is(first - 1, "(") && is(last + 1, ")") && close(first - 1) == last + 1) {
    --first;
    ++last;
  }
  if (is_one_of(last + 1, {"union", "intersect", "except"})) return Frame::expression;
  if (first == 0) return Frame::rows;
  if (is_one_of(first - 1, {"from", "join", "as", "materialized", "lateral"})) return Frame::rows;
  if (is(first - 1, ",") && clause(first) == Clause::from) return Frame::rows;
  if (is_one_of(first - 1, {"in", "exists", "=", "==", "<>", "!=", "<", ">", "<=", ">="}))
    return Frame::compared;
  const bool is_set = is_one_of(first - 1, {"any", "some", "all"});
  if (is_set && is_one_of(first - 2, {"=", "<>", "!=", "<", ">", "<=", ">="}))
    return Frame::compared;
  return Frame::expression;
}

// WITH x(a, b) AS (…), or (…) AS x(a, b).
bool SelectShape::lists_names(Place bracket) const {
  if (!is_name(bracket - 1)) return false;
  const Place after = close(bracket) + 1;
  const bool is_with = is(after, "as") && clause(bracket) == Clause::with;
  return is_with || is(bracket - 2, ")") || (is(bracket - 2, "as") && is(bracket - 3, ")"));
}

SelectShape::Frame SelectShape::frame(Place bracket) const {
  if (bracket == kNone) return Frame::whole;
  if (is_one_of(bracket + 1, {"select", "with", "values"})) return frame_of_select(bracket);
  if (is(bracket + 1, "(") && is_one_of(bracket - 1, {"from", "join"})) return Frame::rows;
  if (is(bracket - 1, "in")) return Frame::list;
  if (is(bracket - 1, "count")) return Frame::count;
  if (is_one_of(bracket - 1, {"using", "over", "by", "on", "as"})) return Frame::places;
  if (lists_names(bracket)) return Frame::names;
  const bool is_call =
      is_name(bracket - 1) || is_one_of(bracket - 1, {"cast", "row", "array", "any", "some",
                                                      "values", "operator", "interval"});
  return is_call ? Frame::call : Frame::group;
}

// By the last word before it in the same brackets that begins one.
SelectShape::Clause SelectShape::clause(Place at) const {
  const Place bracket = open(at);
  for (Place look = at - 1; look > bracket; --look) {
    if (open(look) != bracket) continue;
    if (is_one_of(look, {"select", "values"})) return Clause::select;
    if (is(look, "with")) return Clause::with;
    // IS DISTINCT FROM, DISTINCT ON
    if (is_one_of(look, {"from", "on"}) && is(look - 1, "distinct")) continue;
    if (is_one_of(look, {"from", "join"})) return Clause::from;
    if (is_one_of(look, {"where", "on", "using", "group", "order", "having", "limit", "offset",
                         "fetch", "window", "partition"}))
      return Clause::other;
  }
  // Brackets inside FROM hold tables: FROM (a JOIN b …).
  const bool is_group = bracket != kNone && is_one_of(bracket - 1, {"from", "join", ","}) &&
                        !is_one_of(bracket + 1, {"select", "with", "values"});
  return is_group ? clause(bracket) : Clause::none;
}

Place SelectShape::start_of_name(Place at) const {
  while (is(at - 1, ".") && word(at - 2).kind != Kind::sign && word(at - 2).kind != Kind::end)
    at -= 2;
  return at;
}

SelectShape::Select SelectShape::read_select(Place at) const {
  Select select{open(at), {}};
  Place from = at + 1;
  while (is_one_of(from, {"distinct", "all"})) ++from;
  if (is(from, "on") && is(from + 1, "(")) from = close(from + 1) + 1;
  for (Place look = from; look <= size(); ++look) {
    const bool is_close = look == close(open(at));
    if (look < size() && !is_close && (open(look) != open(at) || is(look, ")"))) continue;
    if (!ends_item(look)) continue;
    select.items.push_back(read_item(from, look));
    from = look + 1;
    if (!is(look, ",")) break;
  }
  return select;
}

SelectShape::Item SelectShape::read_item(Place from, Place upto) const {
  Item item{from, upto, {}};
  if (upto - from < 2) return item;
  const Kind kind = word(upto - 1).kind;
  const bool may_name = kind == Kind::name || kind == Kind::quoted || kind == Kind::text;
  const bool is_as = is(upto - 2, "as");
  if (!may_name || (!is_as && (is(upto - 2, ".") || !ends_operand(upto - 2) ||
                               (kind == Kind::name && !is_name(upto - 1)))))
    return item;
  item.alias = word(upto - 1).text;
  item.upto = upto - (is_as ? 2 : 1);
  return item;
}

}  // namespace alfred
