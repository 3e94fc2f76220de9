#include "interpreter/rules/reading/intents.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 26> kVerbs{
    "list",     "show",   "add",   "set",   "adjust", "remove", "missing", "makeable", "prefer",
    "generate", "edit",   "save",  "wish",  "forget", "undo",   "added",   "unsaved",  "saved",
    "accept",   "reject", "greet", "thank", "idle",   "leave",  "help",    "unknown"};
}  // namespace

std::string_view verb_name(Verb verb) { return kVerbs[static_cast<std::size_t>(verb)]; }

std::optional<Verb> verb_named(std::string_view name) {
  for (std::size_t i = 0; i < kVerbs.size(); ++i)
    if (kVerbs[i] == name) return static_cast<Verb>(i);
  return std::nullopt;
}

Result<void> Intents::add(const RuleIntent& rule, int bonus) {
  const std::optional<Verb> verb = verb_named(rule.does);
  if (!verb)
    return fail(ErrorCode::pack,
                rule.place + ": there is nothing to do that is called \"" + rule.does + "\".",
                rule.place, {kVerbs.begin(), kVerbs.end()});
  Intent intent{.verb = *verb, .table = rule.table, .with = rule.with};
  intent.takes = texts_of(rule.with, "takes");
  for (const std::string& text : rule.phrases) {
    Result<Phrase> phrase = Phrase::compile(text);
    if (!phrase)
      return fail(ErrorCode::pack, rule.place + ": \"" + text + "\": " + phrase.error().message,
                  rule.place);
    for (std::string& word : phrase->first_words()) first_words_.push_back(std::move(word));
    for (std::string& word : phrase->words_behind_thing()) next_words_.push_back(std::move(word));
    words_.insert(words_.end(), phrase->words().begin(), phrase->words().end());
    intent.phrases.push_back(std::move(*phrase));
    intent.texts.push_back(text);
  }
  intents_.push_back(std::move(intent));
  bonuses_.push_back(bonus);
  return {};
}

Result<Intents> Intents::make(const Lexicon& lexicon) {
  Intents out;
  for (const RuleIntent& rule : lexicon.pack().rules.intents)
    if (Result<void> added = out.add(rule, 2); !added) return Unexpected(added.error());
  for (const RuleIntent& rule : english_intents())
    if (Result<void> added = out.add(rule, 0); !added) return Unexpected(added.error());
  for (const auto& [name, phrases] : lexicon.pack().rules.extras)
    for (const std::string& text : phrases) {
      Result<Phrase> phrase = Phrase::compile(text);
      if (!phrase) return fail(ErrorCode::pack, "\"" + text + "\": " + phrase.error().message);
      out.words_.insert(out.words_.end(), phrase->words().begin(), phrase->words().end());
      out.extras_.emplace_back(name, std::move(*phrase));
    }
  std::sort(out.first_words_.begin(), out.first_words_.end());
  std::sort(out.next_words_.begin(), out.next_words_.end());
  return out;
}

std::vector<IntentMatch> Intents::match(const Clause& clause) const {
  std::vector<IntentMatch> out;
  for (std::size_t i = 0; i < intents_.size(); ++i) {
    std::optional<IntentMatch> best;
    for (std::size_t k = 0; k < intents_[i].phrases.size(); ++k) {
      std::optional<PhraseMatch> found = intents_[i].phrases[k].match(clause, intents_[i].takes);
      if (!found) continue;
      found->score += bonuses_[i];
      if (!best || found->score > best->match.score)
        best = IntentMatch{&intents_[i], std::move(*found), intents_[i].texts[k]};
    }
    if (best) out.push_back(std::move(*best));
  }
  std::stable_sort(out.begin(), out.end(), [](const IntentMatch& a, const IntentMatch& b) {
    return a.match.score > b.match.score;
  });
  return out;
}

bool Intents::begins_clause(const Token& token) const {
  return token.kind == Token::Kind::word && !is_filler(token) &&
         (std::binary_search(first_words_.begin(), first_words_.end(), token.stem) ||
          begins_sentence(token));
}

bool Intents::follows_thing(const Token& token) const {
  return token.kind == Token::Kind::word &&
         std::binary_search(next_words_.begin(), next_words_.end(), token.stem);
}

std::vector<Extra> Intents::extras_in(const Clause& clause) const {
  std::vector<Extra> out;
  for (std::size_t at = 0; at < clause.tokens.size();) {
    if (is_filler(clause.tokens[at])) {
      ++at;
      continue;
    }
    std::optional<Extra> best;
    for (const auto& [name, phrase] : extras_) {
      std::optional<Extra> found = phrase.extra_at(clause, at);
      if (!found || (best && found->to <= best->to)) continue;
      best = std::move(found);
      best->name = name;
    }
    at = best ? best->to : at + 1;
    if (best) out.push_back(*best);
  }
  return out;
}

}  // namespace alfred::rules
