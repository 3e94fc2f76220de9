#include "pack/scenario/scenario.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace alfred {
namespace {

constexpr std::string_view kFence = "```";

// rows: a list of objects, or {"where": …, "rows": …}.
enum class Body : std::uint8_t {
  json,
  object,
  object_or_none,
  objects,
  rows,
  text,
  any_text,
  none
};
enum class Name : std::uint8_t { none, table, tool, code, node };

struct KindRow {
  std::string_view word;
  StepKind kind;
  Name name;
  Body body;
  std::array<std::string_view, 3> options{};
};
constexpr std::array kKinds{
    KindRow{"given", StepKind::given, Name::table, Body::objects},
    KindRow{"generate", StepKind::generate, Name::table, Body::objects},
    KindRow{"call", StepKind::call, Name::tool, Body::json, {"op", "killed", "by"}},
    KindRow{"expect", StepKind::expect, Name::none, Body::json},
    KindRow{"refused", StepKind::refused, Name::code, Body::object_or_none},
    KindRow{"rows", StepKind::rows, Name::table, Body::rows},
    KindRow{"reject", StepKind::reject, Name::table, Body::object},
    KindRow{"accept", StepKind::accept, Name::table, Body::none},
    KindRow{"outside", StepKind::outside, Name::none, Body::text},
    KindRow{"restart", StepKind::restart, Name::none, Body::none},
    KindRow{"user", StepKind::user, Name::none, Body::text, {"key", "answers"}},
    KindRow{"model", StepKind::model, Name::node, Body::any_text, {"step", "finish", "killed"}},
    KindRow{"reply", StepKind::reply, Name::none, Body::json},
    KindRow{"prompt", StepKind::prompt, Name::node, Body::json, {"step", "ask"}},
    KindRow{"calls", StepKind::calls, Name::none, Body::json},
    KindRow{"turn", StepKind::turn, Name::none, Body::json},
    KindRow{"state", StepKind::state, Name::none, Body::json},
};
constexpr std::array<std::string_view, 6> kNodes{"understand", "think", "act",
                                                 "act_quick",  "reply", "summarize"};
constexpr std::array<std::string_view, 10> kTools{
    "db_read", "db_create", "db_update",     "db_delete",    "db_undo",
    "query",   "compile",   "declare_batch", "batch_status", "retry_batch",
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

int number_in(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

// What an option takes instead of this value; empty: it takes it.
std::string refused_value(std::string_view name, std::string_view value) {
  if (name == "step" || name == "ask" || name == "killed")
    return number_in(value) == 0 ? "a number from 1" : "";
  if (name == "by") return value == "user" ? "" : "user";
  if (name == "answers") return value == "reversed" ? "" : "reversed";
  if (name != "finish") return "";
  const bool is_known = value == "stop" || value == "length" || value == "refusal";
  return is_known ? "" : "stop, length or refusal";
}

class PageReader {
 public:
  explicit PageReader(const PackFile& file) : file_(file), rest_(file.text) {}

  Result<Scenario> read();

 private:
  std::optional<std::string_view> next_line();
  Unexpected wrong(std::size_t line, std::string message,
                   std::vector<std::string> allowed = {}) const {
    return fail(ErrorCode::pack, std::move(message), fmt::format("{}:{}", file_.name, line),
                std::move(allowed));
  }
  Result<ScenarioStep> read_block(std::string_view head);
  Result<const KindRow*> read_head(std::string_view head, ScenarioStep& step) const;
  Result<void> read_options(const std::vector<std::string_view>& words, std::size_t from,
                            const KindRow& kind, ScenarioStep& step) const;
  Result<void> read_body(const KindRow& kind, ScenarioStep& step) const;
  Result<void> check_order(const std::vector<ScenarioStep>& steps) const;

  const PackFile& file_;
  std::string_view rest_;
  std::size_t line_ = 0;
};

std::optional<std::string_view> PageReader::next_line() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Result<void> PageReader::read_options(const std::vector<std::string_view>& words, std::size_t from,
                                      const KindRow& kind, ScenarioStep& step) const {
  for (std::size_t at = from; at < words.size(); ++at) {
    const std::size_t equals = words[at].find('=');
    const std::string_view name = words[at].substr(0, equals);
    const bool is_known = !name.empty() && std::find(kind.options.begin(), kind.options.end(),
                                                     name) != kind.options.end();
    if (!is_known || equals == std::string_view::npos || equals + 1 == words[at].size())
      return wrong(step.line, fmt::format("A block \"{}\" takes no \"{}\".", kind.word, words[at]),
                   {kind.options.begin(), kind.options.end()});
    const std::string_view value = words[at].substr(equals + 1);
    if (const std::string allowed = refused_value(name, value); !allowed.empty())
      return wrong(step.line, fmt::format("\"{}\" is {}, not \"{}\".", name, allowed, value));
    step.options.emplace(name, value);
  }
  return {};
}

Result<const KindRow*> PageReader::read_head(std::string_view head, ScenarioStep& step) const {
  const std::vector<std::string_view> words = words_of(head);
  const std::string_view word = words.empty() ? std::string_view() : words.front();
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(),
                                        [&](const KindRow& row) { return row.word == word; });
  if (kind == kKinds.end()) {
    std::vector<std::string> known;
    known.reserve(kKinds.size());
    for (const KindRow& row : kKinds) known.emplace_back(row.word);
    return wrong(step.line,
                 fmt::format("A block begins with its kind; \"{}\" is none. Kinds: {}.", word,
                             fmt::join(known, ", ")),
                 known);
  }
  step.kind = kind->kind;
  const bool has_name = kind->name != Name::none;
  if (has_name && words.size() < 2)
    return wrong(step.line, fmt::format("A block \"{}\" names {}.", word,
                                        kind->name == Name::table  ? "a table"
                                        : kind->name == Name::tool ? "a tool"
                                        : kind->name == Name::node ? "a node"
                                                                   : "the code of an error"));
  if (has_name) step.name = words[1];
  const bool is_tool = kind->name != Name::tool ||
                       std::find(kTools.begin(), kTools.end(), step.name) != kTools.end();
  if (!is_tool)
    return wrong(
        step.line,
        fmt::format("There is no tool \"{}\". Tools: {}.", step.name, fmt::join(kTools, ", ")),
        {kTools.begin(), kTools.end()});
  const bool is_node = kind->name != Name::node ||
                       std::find(kNodes.begin(), kNodes.end(), step.name) != kNodes.end();
  if (!is_node)
    return wrong(
        step.line,
        fmt::format("There is no node \"{}\". Nodes: {}.", step.name, fmt::join(kNodes, ", ")),
        {kNodes.begin(), kNodes.end()});
  if (Result<void> ok = read_options(words, has_name ? 2 : 1, *kind, step); !ok)
    return Unexpected(ok.error());
  return kind;
}

// A JSON error's "byte 17" as the line of the page.
std::size_t line_of_byte(std::string_view body, std::string_view path, std::size_t first_line) {
  constexpr std::string_view kByte = "byte ";
  std::size_t at = 0;
  if (path.starts_with(kByte))
    std::from_chars(path.data() + kByte.size(), path.data() + path.size(), at);
  const auto end = body.begin() + static_cast<std::ptrdiff_t>(std::min(at, body.size()));
  return first_line + static_cast<std::size_t>(std::count(body.begin(), end, '\n'));
}

bool is_objects(const Json& json) {
  return json.is_array() && std::all_of(json.get_array().begin(), json.get_array().end(),
                                        [](const Json& one) { return one.is_object(); });
}

bool has_shape(Body body, const Json& json) {
  switch (body) {
    case Body::object:
    case Body::object_or_none: return json.is_object();
    case Body::objects: return is_objects(json);
    case Body::rows:
      if (const JsonObject* some = json.if_object())
        return some->contains("where") && some->contains("rows");
      return json.is_null() || is_objects(json);
    default: return true;
  }
}

std::string_view shape_of(Body body) {
  if (body == Body::objects) return "a list of objects";
  return body == Body::rows ? "a list of rows, or {\"where\": …, \"rows\": …}" : "an object";
}

Result<void> PageReader::read_body(const KindRow& kind, ScenarioStep& step) const {
  const bool is_empty = step.text.find_first_not_of(" \t\n") == std::string::npos;
  if (kind.body == Body::none && !is_empty)
    return wrong(step.line, fmt::format("A block \"{}\" is empty.", kind.word));
  if (kind.body == Body::text && is_empty)
    return wrong(step.line, fmt::format("A block \"{}\" holds {}.", kind.word,
                                        kind.kind == StepKind::user ? "a message" : "SQL"));
  if (kind.body == Body::none || kind.body == Body::text || kind.body == Body::any_text) return {};
  if (kind.body == Body::object_or_none && is_empty) {
    step.json = JsonObject();
    return {};
  }
  Result<Json> json = parse_json(step.text, JsonLimits::none());
  if (!json)
    return wrong(line_of_byte(step.text, json.error().path, step.line + 1), json.error().message);
  step.json = std::move(*json);
  if (!has_shape(kind.body, step.json))
    return wrong(step.line,
                 fmt::format("A block \"{}\" holds {}.", kind.word, shape_of(kind.body)));
  return {};
}

Result<ScenarioStep> PageReader::read_block(std::string_view head) {
  ScenarioStep step;
  step.line = line_;
  const Result<const KindRow*> kind = read_head(head, step);
  if (!kind) return Unexpected(kind.error());
  for (;;) {
    const std::optional<std::string_view> line = next_line();
    if (!line) return wrong(step.line, "This block has no end.");
    if (*line == kFence) break;
    step.text += *line;
    step.text += '\n';
  }
  if (Result<void> ok = read_body(**kind, step); !ok) return Unexpected(ok.error());
  return step;
}

Result<void> PageReader::check_order(const std::vector<ScenarioStep>& steps) const {
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const auto is_said = [](const ScenarioStep& step) {
      return step.kind == StepKind::expect || step.kind == StepKind::refused;
    };
    const bool waits = steps[at].kind == StepKind::call && !steps[at].options.contains("killed");
    if (waits && (at + 1 == steps.size() || !is_said(steps[at + 1])))
      return wrong(steps[at].line, "A call is followed by a block \"expect\" or \"refused\".");
    const bool is_of_call =
        at > 0 && (is_said(steps[at - 1]) || steps[at - 1].kind == StepKind::call);
    if (is_said(steps[at]) && !is_of_call)
      return wrong(steps[at].line, "There is no call before this for it to be said of.");
    const bool is_answered =
        at > 0 && (steps[at - 1].kind == StepKind::user || steps[at - 1].kind == StepKind::model);
    if (steps[at].kind == StepKind::model && !is_answered)
      return wrong(steps[at].line, "Answers of the model follow a block \"user\".");
    const bool is_of_turn = steps[at].kind == StepKind::reply ||
                            steps[at].kind == StepKind::prompt ||
                            steps[at].kind == StepKind::calls || steps[at].kind == StepKind::turn;
    if (is_of_turn &&
        std::none_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(at),
                     [](const ScenarioStep& step) { return step.kind == StepKind::user; }))
      return wrong(steps[at].line, "There is no turn before this for it to be said of.");
  }
  return {};
}

Result<Scenario> PageReader::read() {
  Scenario scenario;
  scenario.file = file_.name;
  while (const std::optional<std::string_view> line = next_line()) {
    if (scenario.title.empty() && line->starts_with("# ")) scenario.title = line->substr(2);
    if (!line->starts_with(kFence)) continue;
    Result<ScenarioStep> step = read_block(line->substr(kFence.size()));
    if (!step) return Unexpected(step.error());
    scenario.steps.push_back(std::move(*step));
  }
  if (scenario.title.empty()) return wrong(1, "A scenario begins with its title: \"# …\".");
  if (scenario.steps.empty()) return wrong(1, "This scenario has no steps.");
  if (Result<void> ok = check_order(scenario.steps); !ok) return Unexpected(ok.error());
  return scenario;
}

bool names_table(StepKind kind) {
  return kind == StepKind::given || kind == StepKind::generate || kind == StepKind::rows ||
         kind == StepKind::reject || kind == StepKind::accept;
}

}  // namespace

std::string_view step_word(StepKind kind) {
  for (const KindRow& row : kKinds)
    if (row.kind == kind) return row.word;
  return "";
}

int number_of(const ScenarioStep& step, std::string_view option) {
  const auto found = step.options.find(option);
  return found == step.options.end() ? 0 : number_in(found->second);
}

Result<Scenario> read_scenario(const PackFile& file) { return PageReader(file).read(); }

Result<void> check_scenarios(const Pack& pack) {
  for (const PackFile& file : pack.scenarios) {
    const Result<Scenario> scenario = read_scenario(file);
    if (!scenario) return Unexpected(scenario.error());
    for (const ScenarioStep& step : scenario->steps)
      if (names_table(step.kind) && pack.find(step.name) == nullptr)
        return fail(ErrorCode::pack, fmt::format("The pack declares no table \"{}\".", step.name),
                    fmt::format("{}:{}", file.name, step.line));
  }
  return {};
}

}  // namespace alfred
