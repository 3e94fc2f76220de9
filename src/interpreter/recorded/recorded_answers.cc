#include "interpreter/recorded/recorded_answers.h"

#include <algorithm>
#include <ctime>

#include "base/json/json.h"

namespace alfred {
namespace {

constexpr std::int64_t kLongestWaitMs = 60'000;

// In short pieces, so that it ends soon when nobody wants the answer any more (R4).
void wait(std::uint32_t ms, const std::function<bool()>& is_cancelled) {
  constexpr std::uint32_t kPieceMs = 20;
  while (ms > 0 && !(is_cancelled && is_cancelled())) {
    const std::uint32_t piece = std::min(ms, kPieceMs);
    const timespec time{0, static_cast<long>(piece) * 1'000'000};
    ::nanosleep(&time, nullptr);
    ms -= piece;
  }
}

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

// The user's message that Understand is asked about; empty: it is another node, or nobody knows.
std::string message_of(const Ask& ask) {
  if (ask.node != Node::understand) return "";
  const Result<Json> facts = parse_json(ask.facts_json, JsonLimits::none());
  const JsonObject* object = facts ? facts->if_object() : nullptr;
  const Json* message = object == nullptr ? nullptr : object->if_contains("message");
  return message != nullptr && message->is_string() ? std::string(message->get_string()) : "";
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
  if (const Json* wait = object->if_contains("wait_ms")) {
    if (!wait->is_int64() || wait->get_int64() < 0 || wait->get_int64() > kLongestWaitMs)
      return fail(ErrorCode::schema, "wait_ms is a number from 0 to 60000.", place);
    answer.wait_ms = static_cast<std::uint32_t>(wait->get_int64());
  }
  if (const Json* message = object->if_contains("message")) {
    if (!message->is_string()) return fail(ErrorCode::schema, "A message is a text.", place);
    answer.message = message->get_string();
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
    if (answer.wait_ms > 0) line["wait_ms"] = answer.wait_ms;
    if (!answer.message.empty()) line["message"] = answer.message;
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
  const std::uint32_t wait_ms = found->wait_ms;
  const bool is_other = !found->message.empty() && found->message != message_of(ask);
  if (is_other && on_other_) on_other_(found->message);
  answers_.erase(found);
  wait(wait_ms, is_cancelled_);
  return out;
}

Result<Answer> RecordingInterpreter::answer(const Ask& ask) {
  Result<Answer> answer = inner_.answer(ask);
  if (answer)
    answers_.push_back({ask.node, ask.step, answer->text, answer->finish, 0, message_of(ask)});
  return answer;
}

}  // namespace alfred
