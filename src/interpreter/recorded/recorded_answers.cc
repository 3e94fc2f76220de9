#include "interpreter/recorded/recorded_answers.h"

#include <algorithm>

#include "base/json.h"

namespace alfred {
namespace {

template <class E>
std::optional<E> named(std::string_view name) {
  for (std::size_t i = 0; i < Named<E>::names.size(); ++i)
    if (Named<E>::names[i] == name) return static_cast<E>(i);
  return std::nullopt;
}

template <class E>
std::vector<std::string> names() {
  return {Named<E>::names.begin(), Named<E>::names.end()};
}

Result<RecordedAnswer> read_line(std::string_view line, const std::string& place) {
  const Result<Json> json = parse_json(line, JsonLimits::none());
  if (!json) return fail(ErrorCode::json, json.error().message, place);
  const JsonObject* object = json->if_object();
  const Json* node = object == nullptr ? nullptr : object->if_contains("node");
  const Json* text = object == nullptr ? nullptr : object->if_contains("text");
  if (node == nullptr || text == nullptr || !node->is_string())
    return fail(ErrorCode::schema, "A recorded answer has a node and a text.", place);
  const std::optional<Node> found = named<Node>(node->get_string());
  if (!found) return fail(ErrorCode::schema, "There is no such node.", place, names<Node>());
  RecordedAnswer answer{.node = *found};
  answer.text = text->is_string() ? std::string(text->get_string()) : write_json(*text);
  if (const Json* step = object->if_contains("step")) {
    if (!step->is_int64() || step->get_int64() < 1)
      return fail(ErrorCode::schema, "A step is counted from 1.", place);
    answer.step = static_cast<std::uint32_t>(step->get_int64() - 1);
  }
  if (const Json* finish = object->if_contains("finish")) {
    const std::optional<FinishReason> reason =
        finish->is_string() ? named<FinishReason>(finish->get_string()) : std::nullopt;
    if (!reason)
      return fail(ErrorCode::schema, "There is no such way to finish.", place,
                  names<FinishReason>());
    answer.finish = *reason;
  }
  return answer;
}

}  // namespace

Result<std::vector<RecordedAnswer>> read_recording(std::string_view text) {
  std::vector<RecordedAnswer> answers;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Result<RecordedAnswer> answer = read_line(line, "line " + std::to_string(number));
    if (!answer) return Unexpected(std::move(answer).error());
    answers.push_back(std::move(*answer));
  }
  return answers;
}

std::string write_recording(const std::vector<RecordedAnswer>& answers) {
  std::string out;
  for (const RecordedAnswer& answer : answers) {
    JsonObject line{{"node", name_of(answer.node)}, {"text", answer.text}};
    if (answer.step) line["step"] = *answer.step + 1;
    if (answer.finish != FinishReason::stop) line["finish"] = name_of(answer.finish);
    out += write_json(line) + "\n";
  }
  return out;
}

Result<Answer> RecordedAnswers::answer(const Ask& ask) {
  const auto fits = [&](const RecordedAnswer& one) {
    return one.node == ask.node && (!one.step || one.step == ask.step);
  };
  const auto found = std::find_if(answers_.begin(), answers_.end(), fits);
  if (found == answers_.end()) {
    std::string who(name_of(ask.node));
    if (ask.step) who += ", step " + std::to_string(*ask.step + 1);
    return fail(ErrorCode::model, "The recording has no answer left for " + who + ".");
  }
  Answer out{.ask = ask.id, .text = std::move(found->text), .finish = found->finish};
  answers_.erase(found);
  return out;
}

Result<Answer> RecordingInterpreter::answer(const Ask& ask) {
  Result<Answer> answer = inner_.answer(ask);
  if (answer) answers_.push_back({ask.node, ask.step, answer->text, answer->finish});
  return answer;
}

}  // namespace alfred
