#include "interpreter/rules/reading/clauses.h"

#include <algorithm>

#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/amounts.h"

namespace alfred::rules {
namespace {

bool begins_rows(const ReadingWorld& world, std::span<const Token> tokens, std::size_t at) {
  while (at < tokens.size() && is_filler(tokens[at])) ++at;
  if (at >= tokens.size()) return false;
  const std::optional<Span> span = world.lexicon.span_at(tokens, at);
  return span && span->find(Meaning::Kind::rows) != nullptr;
}

// "… and my friend hates it": what is said of others (`eaters` of the pack).
bool begins_others(const ReadingWorld& world, std::span<const Token> tokens, std::size_t at) {
  if (at + 2 >= tokens.size() || !(tokens[at].is("my") || tokens[at].is("our"))) return false;
  const std::vector<std::string> eaters = texts_of(world.pack().rules.wishes, "eaters");
  return std::find(eaters.begin(), eaters.end(), tokens[at + 1].stem) != eaters.end();
}

}  // namespace

bool looks_like_database(std::span<const Token> tokens) {
  const auto has = [&](std::string_view a, std::string_view b) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (tokens[i].is(a) && tokens[i + 1].is(b)) return true;
    return false;
  };
  const auto any = [&](std::string_view a) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& one) { return one.is(a); });
  };
  const bool begins_update = !tokens.empty() && tokens.front().is("update") && any("set");
  return (any("drop") && has("drop", "table")) || (any("select") && any("from")) ||
         has("insert", "into") || has("delete", "from") || has("truncate", "table") ||
         begins_update;
}

bool tells_when(const ReadingWorld& world, std::span<const Token> tokens, std::size_t at) {
  if (tokens[at].text.size() < 4 || !tokens[at].text.ends_with("ing") ||
      !world.intents.follows_thing(tokens[at]))
    return false;
  const std::vector<Moment> moments = moments_in(world, tokens);
  return std::any_of(moments.begin(), moments.end(), [&](const Moment& one) {
    return one.kind == Moment::Kind::day && one.from == at + 1;
  });
}

std::optional<Tokens> told_at_the_end(const ReadingWorld& world, std::span<const Token> tokens) {
  for (std::size_t at = 2; at + 2 < tokens.size(); ++at) {
    if (!tells_when(world, tokens, at)) continue;
    std::size_t behind = at + 1;
    for (const Moment& one : moments_in(world, tokens))
      if (one.from == at + 1) behind = one.to;
    std::size_t from = behind;
    while (from < tokens.size() && tokens[from].kind == Token::Kind::stop) ++from;
    std::size_t end = at;
    while (end > 0 && tokens[end - 1].kind == Token::Kind::stop) --end;
    if (from >= tokens.size()) return std::nullopt;
    Tokens out(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(end));
    out.insert(out.end(), tokens.begin() + static_cast<std::ptrdiff_t>(from), tokens.end());
    out.push_back({Token::Kind::stop, ",", "", 0, out.back().end, out.back().end});
    out.insert(out.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
               tokens.begin() + static_cast<std::ptrdiff_t>(behind));
    return out;
  }
  return std::nullopt;
}

bool is_so_many_with(std::span<const Token> tokens) {
  return tokens.size() > 2 && tokens[0].kind == Token::Kind::number &&
         (tokens[1].is("with") || tokens[1].is("without") || tokens[1].is("using"));
}

std::vector<std::size_t> seams(const ReadingWorld& world, std::span<const Token> tokens) {
  std::vector<std::size_t> out;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    const bool is_stop = tokens[at].kind == Token::Kind::stop;
    const bool is_joint =
        is_stop || tokens[at].is("and") || tokens[at].is("then") || tokens[at].is("but");
    if (at > 2 && (tokens[at].is("that") || tells_when(world, tokens, at)))
      out.push_back(at);  // "… that expires on friday", "… expiring on friday"
    if (!is_joint) continue;
    std::size_t next = at + 1;
    while (next < tokens.size() && (tokens[next].is("and") || tokens[next].is("then") ||
                                    tokens[next].is("also") || tokens[next].is("but")))
      ++next;
    if (next >= tokens.size()) continue;
    const bool is_another =
        (is_article(tokens[next]) && next + 1 < tokens.size() && tokens[next + 1].is("new")) ||
        tokens[next].is("another");
    const bool is_full = is_stop && (tokens[at].text == "." || tokens[at].text == ";");
    if (is_full || is_another || is_so_many_with(tokens.subspan(next)) ||
        world.intents.begins_clause(tokens[next]) || begins_rows(world, tokens, next) ||
        begins_others(world, tokens, next) || tokens[next].is("it") || tokens[next].is("they") ||
        tokens[next].is("both"))
      out.push_back(at);
  }
  return out;
}

std::vector<std::size_t> joints(std::span<const Token> tokens, std::size_t least) {
  std::vector<std::size_t> out;
  for (std::size_t at = 2; at + least < tokens.size(); ++at)
    if (tokens[at].is("and") || tokens[at].text == ",") out.push_back(at);
  return out;
}

std::span<const Token> without_joints(std::span<const Token> tokens) {
  while (!tokens.empty() &&
         (tokens.front().kind == Token::Kind::stop || tokens.front().is("and") ||
          tokens.front().is("then") || tokens.front().is("but") || tokens.front().is("also")))
    tokens = tokens.subspan(1);
  while (!tokens.empty() && tokens.back().kind == Token::Kind::stop)
    tokens = tokens.first(tokens.size() - 1);
  return tokens;
}

Clause make_clause(const ReadingWorld& world, std::string_view message,
                   std::span<const Token> tokens) {
  Clause out{.message = message, .tokens = tokens, .lexicon = &world.lexicon};
  out.moments = moments_in(world, tokens);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    out.spans.push_back(world.lexicon.all_spans_at(tokens, at));
    out.words.insert(tokens[at].text);
    out.words.insert(tokens[at].stem);
  }
  out.extras = world.intents.extras_in(out);
  return out;
}

std::vector<FieldSet> values_said(const ReadingWorld& world, std::string_view message,
                                  const Table& table, std::span<const Token> tokens) {
  std::vector<FieldSet> out;
  const Clause clause = make_clause(world, message, tokens);
  for (const Moment& moment : clause.moments)
    if (const Field* day = day_field(world, table);
        day != nullptr && moment.kind == Moment::Kind::day)
      out.push_back({day->name, day_value(*day, moment, world.now), {}});
  for (const Extra& extra : clause.extras)
    if (!extra.code.empty() && table.find(extra.name) != nullptr)
      out.push_back({extra.name, Json(extra.code), {}});
  for (std::size_t at = 0; at < tokens.size();) {
    const std::optional<Span> span = world.lexicon.span_at(tokens, at);
    at = span ? span->to : at + 1;
    if (!span) continue;
    for (const Meaning& one : *span->meanings) {
      if (one.table != table.name) continue;
      if (one.kind == Meaning::Kind::value) out.push_back({one.field, one.value, {}});
      if (one.kind == Meaning::Kind::rows)
        for (const auto& [field, value] : one.where) out.push_back({field, value, {}});
      const bool has_number = span->from > 0 && tokens[span->from - 1].kind == Token::Kind::number;
      if (one.kind == Meaning::Kind::field && has_number)
        out.push_back(
            {one.field, Json(static_cast<std::int64_t>(tokens[span->from - 1].number)), {}});
    }
  }
  return out;
}

// New things under wishes, not rows on days.
bool makes_new(const Doing& doing) {
  return doing.verb == Verb::generate && !doing.with.contains("fill");
}

void add_ticks(const ReadingWorld& world, Program& program) {
  for (std::size_t at = 0; at < program.doings.size(); ++at) {
    const Doing& doing = program.doings[at];
    const std::string place = text_of(doing.with, "ticks");
    const std::size_t dot = place.find('.');
    const Table* table = world.schema().find(place.substr(0, dot));
    const Field* flag =
        table == nullptr || dot == std::string::npos ? nullptr : table->find(place.substr(dot + 1));
    if (flag == nullptr || doing.items.empty()) continue;
    Doing tick{.verb = Verb::set, .table = table->name};
    tick.where.push_back({flag->name, "=", Json(false)});
    tick.values.push_back({flag->name, Json(true), {}});
    for (const Item& item : doing.items)
      tick.targets.push_back({.said = item.name, .type = world.type_of(table->name)});
    tick.intent = doing.intent;
    tick.said = doing.said;
    tick.with = {{"optional", true}};
    program.doings.insert(program.doings.begin() + static_cast<std::ptrdiff_t>(at),
                          std::move(tick));
    ++at;
  }
}

}  // namespace alfred::rules
