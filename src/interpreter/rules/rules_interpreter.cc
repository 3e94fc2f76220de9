#include "interpreter/rules/rules_interpreter.h"

#include "contracts/contract.h"
#include "contracts/summarize_answer.h"
#include "interpreter/rules/doing/answers.h"
#include "interpreter/rules/doing/told_lists.h"
#include "interpreter/rules/reading/wishes.h"

namespace alfred {

struct RulesInterpreter::Knowledge {
  rules::Book book;
};

RulesInterpreter::RulesInterpreter(std::shared_future<Learned> learned)
    : learned_(std::move(learned)) {}
RulesInterpreter::~RulesInterpreter() = default;

RulesInterpreter::Learned RulesInterpreter::learn(const Pack& pack, const Schema& schema) {
  rules::Lexicon lexicon(pack, schema);
  Result<rules::Intents> intents = rules::Intents::make(lexicon);
  if (!intents) return Unexpected(std::move(intents).error());
  for (const std::string& word : intents->words()) lexicon.add_known_word(word);
  for (const std::string_view word : rules::words_of_wishes()) lexicon.add_known_word(word);
  for (const std::string_view word : rules::words_of_questions()) lexicon.add_known_word(word);
  return std::make_shared<const Knowledge>(Knowledge{{std::move(lexicon), std::move(*intents)}});
}

std::unique_ptr<RulesInterpreter> RulesInterpreter::learning(const Pack& pack,
                                                             const Schema& schema) {
  return std::unique_ptr<RulesInterpreter>(new RulesInterpreter(
      std::async(std::launch::async, [&] { return learn(pack, schema); }).share()));
}

Result<std::unique_ptr<RulesInterpreter>> RulesInterpreter::make(const Pack& pack,
                                                                 const Schema& schema) {
  std::promise<Learned> learned;
  learned.set_value(learn(pack, schema));
  std::unique_ptr<RulesInterpreter> out(new RulesInterpreter(learned.get_future().share()));
  if (const Learned& known = out->learned_.get(); !known) return Unexpected(known.error());
  return out;
}

namespace {

std::string answer_text(const rules::Book& book, const Ask& ask, const Json& given) {
  const rules::Facts facts = rules::Facts::read(given);
  switch (ask.node) {
    case Node::understand: return write_json(to_json(rules::understand(book, facts)));
    case Node::think: return write_json(to_json(rules::think(book, facts)));
    case Node::act: return write_json(to_json(rules::act(book, facts, ask.step.value_or(0))));
    case Node::act_quick: return write_json(to_json(rules::act_quick(book, facts)));
    case Node::reply: return rules::reply(book, facts);
    case Node::summarize: break;
  }
  const std::string told = given.is_object() ? rules::text_of(given.get_object(), "reply") : "";
  SummarizeAnswer out{.assistant_summary = rules::record_of(told)};
  return write_json(to_json(out));
}

}  // namespace

Result<Answer> RulesInterpreter::answer(const Ask& ask) {
  const Learned& known = learned_.get();
  if (!known) return Unexpected(known.error());
  const Result<Json> facts = parse_json(ask.facts_json, JsonLimits::none());
  if (!facts) return Unexpected(facts.error());
  return Answer{.ask = ask.id, .text = answer_text((*known)->book, ask, *facts)};
}

std::string RulesInterpreter::reading_of(const Ask& understand) {
  const Learned& known = learned_.get();
  const Result<Json> facts = parse_json(understand.facts_json, JsonLimits::none());
  if (!known || !facts) return {};
  return rules::reading((*known)->book, rules::Facts::read(*facts));
}

}  // namespace alfred
