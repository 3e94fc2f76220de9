#include "interpreter/rules/reading/asked_of.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/reading/diets.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

class AskedReader {
 public:
  AskedReader(const ReadingWorld& world, const Clause& clause)
      : world_(world), clause_(clause), end_(clause.tokens.size()) {
    while (end_ > 0 && is_filler(token(end_ - 1))) --end_;
  }

  std::optional<ScoredDoing> read() {
    const bool has_day =
        std::any_of(clause_.moments.begin(), clause_.moments.end(),
                    [](const Moment& one) { return one.kind != Moment::Kind::time; });
    if (clause_.tokens.size() < 3 || has_day) return std::nullopt;
    const bool is_being = token(0).is("is") || token(0).is("are");
    const bool is_having = token(0).is("does") || token(0).is("do");
    if (is_being && token(1).is("there"))
      if (std::optional<ScoredDoing> in = is_in_it()) return in;
    for (std::size_t at = 2; at < end_ && (is_being || is_having); ++at)
      if (std::optional<Cond> whether = is_being ? value_from(at) : part_from(at))
        return asked(clause_.typed_part(1, at), std::move(*whether), is_having);
    return std::nullopt;
  }

 private:
  const Token& token(std::size_t at) const { return clause_.tokens[at]; }

  std::optional<ScoredDoing> asked(std::string said, Cond whether, bool is_having) const {
    if (said == "they") said = "them";
    const Target target = make_target(world_, said, "");
    const Table* table = world_.schema().find(world_.table_of(target.type));
    if (table == nullptr || (!whether.field.empty() && table->find(whether.field) == nullptr) ||
        (is_having && table->relations.empty()) ||
        (!target.is_pointing && world_.find(target.said, target.type).empty()))
      return std::nullopt;
    Doing out{.verb = Verb::show, .table = table->name};
    out.search = target.said;
    out.is_one = true;
    out.targets = {target};
    out.whether = {std::move(whether)};
    if (is_having) out.how = "has";
    out.said = clause_.typed_part(0, clause_.tokens.size());
    out.intent = "what it is like";
    return ScoredDoing{out, 24};
  }

  // "is there any garlic in the stew": in a thing that is made of parts.
  std::optional<ScoredDoing> is_in_it() const {
    for (std::size_t at = 3; at + 1 < end_; ++at) {
      if (!token(at).is("in")) continue;
      std::optional<Cond> part = part_said(2, at);
      return part ? asked(clause_.typed_part(at + 1, end_), std::move(*part), true) : std::nullopt;
    }
    return std::nullopt;
  }

  // The value, or the diet, that all words from here on say.
  std::optional<Cond> value_from(std::size_t from) const {
    constexpr std::array<std::string_view, 5> kPlacing{"in", "on", "at", "from", "for"};
    for (std::size_t at = 0; at < from; ++at)  // "is the milk in the fridge" asks for a place
      if (is_among(kPlacing, token(at).text)) return std::nullopt;
    if (const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, from);
        span && span->to == end_)
      if (const Meaning* value = span->find(Meaning::Kind::value))
        return Cond{value->field, "=", value->value};
    const std::optional<Diet> diet = diet_at(world_, clause_.tokens, from);
    if (!diet || diet->to != end_ || diet->wish.type.empty()) return std::nullopt;
    return Cond{"", diet->wish.type, diet->wish.value};
  }

  // "contain nuts", "have any garlic in it": the thing that may be in it.
  std::optional<Cond> part_from(std::size_t from) const {
    constexpr std::array<std::string_view, 4> kHaving{"contain", "have", "include", "use"};
    if (!is_among(kHaving, token(from).stem)) return std::nullopt;
    std::size_t end = end_;
    if (end > 2 && token(end - 1).is("it") && token(end - 2).is("in")) end -= 2;
    return part_said(from + 1, std::max(end, from + 1));
  }
  std::optional<Cond> part_said(std::size_t from, std::size_t to) const {
    const std::span<const Token> said = without_articles(clause_.tokens.subspan(from, to - from));
    const std::string key = phrase_key(said);
    const std::vector<Meaning>* found = world_.lexicon.find_key(key);
    const std::string excluded = text_of(world_.pack().rules.wishes, "excluded");
    if (found == nullptr || excluded.empty() ||
        Span{0, 0, found}.find(Meaning::Kind::noun) == nullptr)
      return std::nullopt;
    return Cond{"", excluded, Json(key)};
  }

  const ReadingWorld& world_;
  const Clause& clause_;
  std::size_t end_;
};

}  // namespace

std::optional<ScoredDoing> read_asked_of(const ReadingWorld& world, const Clause& clause) {
  return AskedReader(world, clause).read();
}

bool asks_of_no_rows(const ReadingWorld& world, const Clause& clause) {
  const std::span<const Token> tokens = clause.tokens;
  if (tokens.size() < 4) return false;
  const Token& last = tokens.back();
  if ((tokens[0].is("is") || tokens[0].is("are")) && tokens[1].is("there"))
    return tokens[tokens.size() - 2].is("in") && (last.is("it") || last.is("that"));
  if (!tokens[0].is("how") || !tokens[1].is("many")) return false;
  const std::optional<Span> span = world.lexicon.span_at(tokens, 2);
  return span && span->find(Meaning::Kind::unit) != nullptr &&
         span->find(Meaning::Kind::rows) == nullptr &&
         std::any_of(tokens.begin(), tokens.end(), [](const Token& one) { return one.is("in"); });
}

}  // namespace alfred::rules
