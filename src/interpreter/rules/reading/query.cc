#include "interpreter/rules/reading/query.h"

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/rules/reading/asked_of.h"
#include "interpreter/rules/reading/comparisons.h"
#include "interpreter/rules/reading/diets.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/query_words.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

class QueryReader {
 public:
  QueryReader(const ReadingWorld& world, const Clause& clause) : world_(world), clause_(clause) {}

  std::optional<ScoredDoing> read() {
    begins_ = is_question();
    if (asks_of_no_rows(world_, clause_)) return std::nullopt;
    for (std::size_t at = 0; at < clause_.tokens.size();) at = take(at);
    if (looks_for_not()) return std::nullopt;
    if (std::optional<ScoredDoing> named = shown_row()) return named;
    if (std::optional<ScoredDoing> like = read_asked_of(world_, clause_)) return like;
    const bool is_known =
        has_span_ && unknown_ == 0 &&
        !(names_.empty() && rows_.empty() && values_.empty() && days_.empty() && codes_.empty());
    if (!begins_ && !is_known) return named_row();
    return finish();
  }

  // What is new of it, for a follow-up.
  std::optional<ScoredDoing> read_after(const Doing& before) {
    for (std::size_t at = 0; at < clause_.tokens.size();) at = take(at);
    if (!rows_.empty()) return finish();
    out_ = before;
    const Table* table = world_.schema().find(out_.table);
    if (table == nullptr) return std::nullopt;
    if (order_ != nullptr && order_->table == out_.table) take_order();
    if (!days_.empty()) {
      const Field* day = day_field(world_, *table);
      if (day == nullptr) return std::nullopt;
      std::erase_if(out_.where, [&](const Cond& one) { return one.field == day->name; });
      add_days(*table);
    }
    if (const std::string search = searched(); !search.empty()) {
      out_.search = search;
      out_.targets.clear();
      out_.is_one = false;
    }
    // Another value of the same field takes its place: "and vegetarian?" after "vegan".
    std::vector<Cond> kept = std::exchange(out_.where, {});
    add_values(*table);
    std::erase_if(kept, [&](const Cond& had) {
      return std::any_of(out_.where.begin(), out_.where.end(),
                         [&](const Cond& one) { return one.field == had.field; });
    });
    out_.where.insert(out_.where.begin(), kept.begin(), kept.end());
    out_.lacks.insert(out_.lacks.end(), lacks_.begin(), lacks_.end());
    if (days_.empty() && names_.empty() && values_.empty() && lacks_.empty() && order_ == nullptr)
      return std::nullopt;
    return ScoredDoing{out_, 30};
  }

 private:
  const Token& token(std::size_t at) const { return clause_.tokens[at]; }

  bool is_question() const {
    for (const Token& one : clause_.tokens) {
      if (is_filler(one) || one.is("and") || one.is("can") || one.is("you")) continue;
      return begins_question(one);
    }
    return false;
  }

  std::size_t take(std::size_t at) {
    const Token& one = token(at);
    if (one.kind == Token::Kind::stop) return at + 1;
    if (one.is("how") && at + 1 < clause_.tokens.size() &&
        (token(at + 1).is("many") || token(at + 1).is("much")))
      out_.is_count = true;
    if (one.is("count") || one.is("number")) out_.is_count = true;
    if (one.is("all") || one.is("every") || one.is("everything") || one.is("whole") ||
        one.is("too"))
      is_all_ = true;
    // "which have honey in them": nobody is pointed at.
    if (one.is("in") && at + 2 == clause_.tokens.size() && !names_.empty() &&
        (token(at + 1).is("them") || token(at + 1).is("it")))
      return at + 2;
    if (one.is("those") || one.is("them") || one.is("these")) {
      pointing_ = one.text;
      return at + 1;
    }
    if (const std::size_t behind = comparison(at)) return behind;
    if (const Moment* moment = clause_.moment_at(at);
        moment != nullptr && moment->kind != Moment::Kind::time) {
      days_.push_back(moment);
      has_span_ = true;
      return moment->to;
    }
    if (const Extra* extra = clause_.extra_at(at); extra != nullptr && !extra->code.empty()) {
      codes_.push_back(extra);
      has_span_ = true;
      return extra->to;
    }
    if (const std::size_t behind = left_out(at)) return behind;
    if (const std::size_t behind = left_out_by_diet(at)) return behind;
    if (one.text == "like") return at + 1;  // what somebody likes is asked by phrases
    const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, at);
    // "list the books": what is to be done, not a list that is asked about.
    const bool is_verb = begins_ && at == 0 && begins_question(one) && clause_.tokens.size() > 1 &&
                         span && span->to == 1;
    if (span && !is_verb)
      if (const std::size_t behind = take_span(*span)) return behind;
    // "what is in the …" asks for a place; "any milk in?" does not.
    const bool is_place = one.is("in") && at + 2 < clause_.tokens.size();
    is_having_ = is_having_ || (is_among(kHaving, one.text) && !is_place);
    if (one.kind == Token::Kind::word && is_idle(one)) return at + 1;
    if (is_so_many(at)) {
      most_ = static_cast<int>(one.number);
      return at + 1;
    }
    if (is_picture(one)) return at + 1;
    ++unknown_;
    names_.push_back(at);
    return at + 1;
  }

  static bool is_picture(const Token& one) {
    constexpr unsigned char kFourBytes = 0xF0;  // of UTF-8: no letters of ours
    return !one.text.empty() && static_cast<unsigned char>(one.text.front()) >= kFourBytes;
  }

  // "which can I not eat": what is denied there is not looked for by its words.
  bool looks_for_not() const {
    return std::any_of(names_.begin(), names_.end(), [&](std::size_t at) {
      return token(at).is("not") || token(at).is("never") || token(at).is("cannot");
    });
  }

  // "show me three … books": so many of them.
  bool is_so_many(std::size_t at) const {
    constexpr double kMost = 100;
    const Token& one = token(at);
    if (!begins_ || one.kind != Token::Kind::number || one.number < 1 || one.number > kMost ||
        one.number != static_cast<int>(one.number))
      return false;
    for (std::size_t before = 0; before < at; ++before)
      if (!is_idle(token(before)) && !is_filler(token(before))) return false;
    for (std::size_t behind = at + 1; behind < clause_.tokens.size(); ++behind)
      if (const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, behind);
          span && span->find(Meaning::Kind::rows) != nullptr)
        return true;
    return false;
  }

  static bool is_idle(const Token& one) {
    return is_among(kIdle, one.text) || is_among(kIdle, one.stem);
  }

  // "show me the …" with the name of something in play.
  std::optional<ScoredDoing> shown_row() {
    if (!begins_ || !rows_.empty() || (names_.empty() && values_.empty())) return std::nullopt;
    std::size_t from = 0;
    while (from < clause_.tokens.size() && (is_filler(token(from)) || is_idle(token(from)))) ++from;
    const bool is_shown = std::any_of(
        clause_.tokens.begin(), clause_.tokens.begin() + static_cast<std::ptrdiff_t>(from),
        [](const Token& one) {
          return one.is("show") || one.is("open") || one.is("find") || one.is("display") ||
                 one.is("tell") || one.is("give");
        });
    if (!is_shown || from >= clause_.tokens.size()) return std::nullopt;
    const std::string said = clause_.typed_part(from, clause_.tokens.size());
    const Target target = make_target(world_, said, "");
    const std::vector<const Known*> found =
        target.type.empty() ? std::vector<const Known*>() : world_.find(target.said, target.type);
    if (found.empty()) return std::nullopt;
    Doing out{.verb = Verb::show, .table = world_.table_of(target.type)};
    out.search = target.said;
    out.is_one = true;  // of several one is chosen by the user
    out.targets = {target};
    out.said = said;
    out.intent = "something by its name";
    return ScoredDoing{out, 22};
  }

  // "without dairy or nuts": things that must not be in it; 0: none of these.
  std::size_t left_out(std::size_t at) {
    const bool is_not = token(at).is("without") || token(at).is("no") || token(at).is("not");
    if (!is_not || text_of(world_.pack().rules.wishes, "excluded").empty()) return 0;
    std::size_t behind = 0;
    for (std::size_t i = at + 1; i < clause_.tokens.size();) {
      const bool is_between = is_filler(token(i)) || token(i).is("any") || token(i).is("or") ||
                              token(i).is("and") || token(i).kind == Token::Kind::stop;
      const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, i);
      if (!span || span->find(Meaning::Kind::noun) == nullptr) {
        if (!is_between) break;
        ++i;
        continue;
      }
      lacks_.push_back(clause_.typed_part(span->from, span->to));
      has_span_ = true;
      behind = i = span->to;
    }
    return behind;
  }

  // "kosher", "nut-free": a word for what must not be in it, where rows have no such value; 0:
  // none.
  std::size_t left_out_by_diet(std::size_t at) {
    const std::optional<Diet> diet = diet_at(world_, clause_.tokens, at);
    const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, at);
    if (!diet || diet->wish.type.empty() || (span && span->find(Meaning::Kind::value) != nullptr))
      return 0;
    std::vector<std::string> avoided = avoided_by(world_.pack(), diet->wish);
    if (avoided.empty()) return 0;
    lacks_.insert(lacks_.end(), avoided.begin(), avoided.end());
    has_span_ = true;
    return diet->to;
  }

  // 0: the span says nothing here.
  std::size_t take_span(const Span& span) {
    const bool is_idle = span.to == span.from + 1 && is_among(kIdle, token(span.from).text);
    if (const Meaning* rows = span.find(Meaning::Kind::rows);
        rows != nullptr && !is_thing_asked_for(span)) {
      rows_.push_back(rows);
    } else if (const Meaning* order = span.find(Meaning::Kind::order)) {
      order_ = order;
    } else if (is_idle) {
      return 0;
    } else if (span.find(Meaning::Kind::value) != nullptr) {
      values_.push_back(span);
    } else if (const Meaning* field = span.find(Meaning::Kind::field)) {
      return take_field(span, *field);
    } else if (span.find(Meaning::Kind::noun) != nullptr) {
      for (std::size_t at = span.from; at < span.to; ++at) names_.push_back(at);
      written_[span.from] = span.find(Meaning::Kind::noun)->name;
      spans_end_[span.from] = span.to;
      has_noun_ = true;
    } else if (span.find(Meaning::Kind::unit) != nullptr) {
      return span.to;
    }
    has_span_ = true;
    return span.to;
  }

  // "do I have X": a thing, though the word may stand for rows elsewhere.
  bool is_thing_asked_for(const Span& span) const {
    constexpr std::array<std::string_view, 4> kBefore{"have", "got", "any", "much"};
    std::size_t at = span.from;
    while (at > 0 && is_article(token(at - 1)) && !token(at - 1).is("any")) --at;
    return span.find(Meaning::Kind::noun) != nullptr && at > 0 &&
           is_among(kBefore, token(at - 1).text);
  }

  // "rated 5", "5 stars".
  std::size_t take_field(const Span& span, const Meaning& field) {
    const bool is_behind =
        span.to < clause_.tokens.size() && token(span.to).kind == Token::Kind::number;
    if (!is_behind) return span.to - span.from == 1 && begins_ ? span.to : 0;
    fields_.push_back({field.table, {field.field, "=", Json(token(span.to).number)}});
    has_span_ = true;
    return span.to + 1;
  }

  // 0: none.
  std::size_t comparison(std::size_t at) {
    std::optional<Comparison> found = comparison_at(world_, clause_.tokens, at);
    if (!found) return 0;
    fields_.push_back({std::move(found->table), std::move(found->cond)});
    has_span_ = true;
    return found->to;
  }

  std::string searched() const {
    std::string out;
    std::size_t behind = 0;
    for (const std::size_t at : names_) {
      if (at < behind) continue;
      const auto found = written_.find(at);
      const bool is_written =
          found != written_.end() && found->second.find('-') != std::string::npos;
      if (is_written) behind = spans_end_.at(at);
      const bool is_joined = at > 0 && (token(at - 1).is("and") || token(at - 1).is("or") ||
                                        token(at - 1).text == ",");
      out += (out.empty() ? ""
              : is_joined ? " and "
                          : " ") +
             (is_written ? found->second : token(at).text);
    }
    return out;
  }

  // Which rows are asked about; empty: none.
  std::string table() const {
    for (const Meaning* one : rows_)
      if (!one->where.empty()) return one->table;
    // "which books did I rate 5": what is said of it stands in rows that lead to it.
    for (const auto& [of, condition] : fields_)
      for (const Meaning* one : rows_)
        if (of != one->table && leads_to(of, one->table)) return of;
    // "what do I have on my list": where something is comes last.
    if (!rows_.empty()) return begins_ ? rows_.back()->table : rows_.front()->table;
    if (!pointing_.empty()) return world_.table_of(world_.last_type());
    if (!lacks_.empty()) return world_.table_of(text_of(world_.pack().rules.wishes, "type"));
    if (!fields_.empty()) return fields_.front().first;
    for (const Extra* one : codes_)
      for (const Table& table : world_.schema().tables())
        if (table.find(one->name) != nullptr) return table.name;
    if (order_ != nullptr) return order_->table;
    if (!values_.empty() && names_.empty())
      if (const Meaning* value = values_.front().find(Meaning::Kind::value)) return value->table;
    // "chicken tonight": of what things are made, on a day, is asked of the things made of it.
    if (has_noun_ && !begins_ && !is_having_ && !days_.empty())
      if (std::string made = world_.table_of(text_of(world_.pack().rules.wishes, "type"));
          !made.empty())
        return made;
    const bool is_told = !world_.named_last(clause_.typed_part(0, clause_.tokens.size())).empty();
    const bool is_thing = has_noun_ && !begins_ && !is_told;  // not "the cod" of what was told
    if (!names_.empty() && (is_having_ || is_thing) && names_.size() <= 4)
      return world_.pack().rules.things;
    if (!values_.empty())
      if (const Meaning* value = values_.front().find(Meaning::Kind::value)) return value->table;
    return "";
  }

  bool leads_to(const std::string& from, const std::string& to) const {
    const Table* table = world_.schema().find(from);
    return table != nullptr &&
           std::any_of(table->fields.begin(), table->fields.end(),
                       [&](const Field& field) { return field.link && field.link->table == to; });
  }

  std::optional<ScoredDoing> finish() {
    out_.table = table();
    const Table* table = world_.schema().find(out_.table);
    if (table == nullptr) return named_row();
    out_.verb = Verb::list;
    out_.said = clause_.typed_part(0, clause_.tokens.size());
    out_.intent = "a question about " + out_.table;
    for (const Meaning* one : rows_)
      if (one->table == out_.table)
        for (const auto& [field, value] : one->where) out_.where.push_back({field, "=", value});
    add_values(*table);
    for (const Extra* one : codes_)
      if (table->find(one->name) != nullptr)
        out_.where.push_back({one->name, "=", Json(one->code)});
    for (const auto& [of, condition] : fields_)
      if (of == out_.table)
        (condition.field.find('+') == std::string::npos ? out_.where : out_.also)
            .push_back(condition);
    add_days(*table);
    if (day_field(world_, *table) == nullptr)
      for (const Moment* one : days_)
        if (token(one->from).is("from"))
          out_.unread.push_back(clause_.typed_part(one->from, one->to));
    if (order_ != nullptr && order_->table == out_.table) take_order();
    if (most_ > 0 && !out_.is_count && out_.limit == 0) out_.limit = most_;
    out_.search = searched();
    out_.lacks = lacks_;
    add_usual();
    if (!pointing_.empty()) out_.targets.push_back(make_target(world_, pointing_, out_.table));
    if (out_.is_count && rows_.empty()) out_.is_count = false;
    return ScoredDoing{out_, score()};
  }

  int score() const {
    return 6 + 6 * static_cast<int>(rows_.size() + values_.size() + fields_.size()) +
           (begins_ ? 6 : 0) - 2 * static_cast<int>(names_.size());
  }

  void take_order() {
    out_.order = order_->field + (order_->value == Json(true) ? " desc" : "");
    out_.limit = 1;
  }

  void add_values(const Table& table) {
    for (const Span& span : values_) {
      const Meaning* best = nullptr;
      for (const Meaning& one : *span.meanings)
        if (one.kind == Meaning::Kind::value && one.table == table.name && best == nullptr)
          best = &one;
      const Field* field = best == nullptr ? nullptr : table.find(best->field);
      if (field == nullptr) {
        for (std::size_t at = span.from; at < span.to; ++at) names_.push_back(at);
        continue;
      }
      out_.where.push_back(
          {field->name, field->type == FieldType::list ? "contains" : "=", best->value});
    }
    std::sort(names_.begin(), names_.end());
  }

  void add_days(const Table& table) {
    const Field* day = day_field(world_, table);
    if (day == nullptr) return;
    if (std::optional<Cond> several = one_of_days(*day, days_)) {
      out_.where.push_back(std::move(*several));
      return;
    }
    for (const Moment* one : days_) {
      if (one->kind == Moment::Kind::span) continue;
      const std::string tail = day->type == FieldType::instant ? "T00:00:00Z" : "";
      const bool is_instant = day->type == FieldType::instant;
      out_.where.push_back({day->name, ">=", Json(iso_day(one->day) + tail)});
      out_.where.push_back({day->name, is_instant ? "<" : "<=",
                            Json(iso_day(one->last + (is_instant ? 1 : 0)) + tail)});
    }
  }

  void add_usual() {
    const auto usual = world_.pack().rules.usual.find(out_.table);
    if (usual == world_.pack().rules.usual.end()) return;
    for (const auto& [field, value] : usual->second) {
      if (is_all_) {
        std::erase_if(out_.where, [&](const Cond& one) { return one.field == field; });
        continue;
      }
      const bool is_said = std::any_of(out_.where.begin(), out_.where.end(),
                                       [&](const Cond& one) { return one.field == field; });
      if (!is_said) out_.where.push_back({field, "=", value});
    }
  }

  // Nothing but the name of something in play.
  std::optional<ScoredDoing> named_row() {
    if (!rows_.empty() || !fields_.empty() || clause_.tokens.size() > 8) return std::nullopt;
    const std::string said = clause_.typed_part(0, clause_.tokens.size());
    const Target target = make_target(world_, said, "");
    if (target.type.empty() || target.is_pointing || world_.find(target.said, target.type).empty())
      return std::nullopt;
    out_.verb = Verb::show;
    out_.table = world_.table_of(target.type);
    out_.is_one = true;
    out_.search = target.said;
    out_.targets = {target};
    out_.said = said;
    out_.intent = "the name of a " + target.type;
    return ScoredDoing{out_, 8};
  }

  const ReadingWorld& world_;
  const Clause& clause_;
  Doing out_;
  bool begins_ = false;
  bool has_span_ = false;
  bool has_noun_ = false;
  bool is_having_ = false;
  bool is_all_ = false;
  int most_ = 0;     // how many were asked for; 0: all
  int unknown_ = 0;  // words that nobody knows
  std::string pointing_;
  std::vector<const Meaning*> rows_;
  std::vector<Span> values_;
  const Meaning* order_ = nullptr;
  std::vector<std::pair<std::string, Cond>> fields_;
  std::vector<const Moment*> days_;
  std::vector<std::size_t> names_;                // tokens to be looked for
  std::map<std::size_t, std::string> written_;    // how the pack writes a noun that begins there
  std::map<std::size_t, std::size_t> spans_end_;  // and where it ends
  std::vector<const Extra*> codes_;
  std::vector<std::string> lacks_;  // what must not be in it
};

}  // namespace

std::vector<std::string_view> words_of_questions() { return {kIdle.begin(), kIdle.end()}; }

std::optional<ScoredDoing> read_query(const ReadingWorld& world, const Clause& clause) {
  return QueryReader(world, clause).read();
}

std::optional<ScoredDoing> read_follow_up(const ReadingWorld& world, const Clause& clause,
                                          const Doing& before) {
  return QueryReader(world, clause).read_after(before);
}

}  // namespace alfred::rules
