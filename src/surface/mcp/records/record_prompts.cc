// Prompts: some to begin with, and those of the nodes of a turn; completions of refs, table names
// and what the nodes' prompts take.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "refs/hiding/text_without_keys.h"
#include "surface/mcp/records/node_prompts.h"
#include "surface/mcp/records/record_features.h"

namespace alfred::mcp {
namespace {

constexpr std::size_t kMostCompleted = 100;

struct PromptRow {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view argument;  // what it takes
  std::string_view meaning;
  std::string_view text;  // {} is the argument
};
constexpr PromptRow kPrompts[] = {
    {"explore", "Explore a table", "What a table holds, with examples", "table", "A table",
     "Look at the table {}: call schema for it, then db_read with a small limit. Say in a few "
     "sentences what its rows are, how they lead to other tables, and what I could ask about them. "
     "Name rows by their labels."},
    {"explain_row", "Explain a row", "All that is known of one row", "ref", "A ref such as book_1",
     "Read {} with db_read and its nested rows, and what its links lead to. Tell me what it is, in "
     "labels and not in refs."},
};

JsonObject user_message(std::string text) {
  return {{"role", "user"}, {"content", JsonObject{{"type", "text"}, {"text", std::move(text)}}}};
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The words of a text that are letters and nothing else, apart.
std::string words_of_letters(std::string_view text) {
  const auto is_part = [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (std::all_of(word.begin(), word.end(), is_letter)) out.append(word).append(" ");
    at = end == at ? at + 1 : end;
  }
  return out;
}

}  // namespace

JsonArray RecordFeatures::prompts() {
  JsonArray all;
  for (const PromptRow& row : kPrompts)
    all.push_back(JsonObject{{"name", row.name},
                             {"title", row.title},
                             {"description", row.description},
                             {"arguments", JsonArray{JsonObject{{"name", row.argument},
                                                                {"description", row.meaning},
                                                                {"required", true}}}}});
  for (Json& node : NodePrompts::listed()) all.push_back(std::move(node));
  return all;
}

McpOutcome RecordFeatures::get_prompt(std::string_view name, const JsonObject& arguments,
                                      const CallScope&) {
  asked_ = write_json(arguments);
  for (const PromptRow& row : kPrompts) {
    if (row.name != name) continue;
    const JsonString* const given = text_member(arguments, row.argument);
    if (given == nullptr)
      return RpcError{RpcCode::invalid_params,
                      fmt::format("arguments.{} is a text.", row.argument)};
    if (row.argument == "table" && service_->schema().find(std::string_view(*given)) == nullptr &&
        fresh_schema().find(std::string_view(*given)) == nullptr)
      return RpcError{RpcCode::invalid_params,
                      fmt::format("There is no table {} here. There are: {}.", quoted_text(*given),
                                  fmt::join(known_tables(""), ", "))};
    if (row.argument == "ref" && !names_row(*given) && !(catch_up() && names_row(*given)))
      return RpcError{RpcCode::invalid_params,
                      fmt::format("There is no row {} here. Use a ref that db_read or working_set "
                                  "has shown.",
                                  quoted_text(*given))};
    std::string text(row.text);
    text.replace(text.find("{}"), 2, *given);
    return JsonObject{{"description", row.description},
                      {"messages", JsonArray{user_message(std::move(text))}}};
  }
  if (NodePrompts::has(name)) return node_prompt(name, arguments);
  return RpcError{RpcCode::invalid_params, "There is no such prompt. prompts/list names them."};
}

McpOutcome RecordFeatures::node_prompt(std::string_view name, const JsonObject& given) {
  JsonObject arguments;
  for (const auto& [argument, value] : given)
    arguments[argument] =
        value.is_string()
            ? Json(text_without_keys(service_->workspace().registry(), value.get_string()))
            : value;
  RpcResult<NodePrompt> prompt = NodePrompts(texts_, service_->schema()).get(name, arguments);
  if (!prompt) return std::move(prompt).error();
  // What the program and the pack say to everybody is no data (own_words.h, R3 and R4).
  asked_ += " " + prompt->core + " " + words_of_letters(prompt->pack);
  JsonArray messages{
      user_message(std::move(prompt->core) + (prompt->pack.empty() ? "" : "\n" + prompt->pack)),
      user_message(std::move(prompt->asked))};
  return JsonObject{{"description", prompt->description}, {"messages", std::move(messages)}};
}

bool RecordFeatures::names_row(std::string_view ref) const {
  const RefRegistry& registry = service_->workspace().registry();
  const EntityNo entity = registry.find(ref);
  return entity != kNoEntity && registry.status(entity) != RefStatus::deleted &&
         service_->schema().find_ref(registry.type_of(entity)) != nullptr;
}

std::vector<std::string> RecordFeatures::known_refs(std::string_view begin) const {
  const RefRegistry& registry = service_->workspace().registry();
  std::vector<std::string> found;
  for (EntityNo entity = registry.size(); entity-- > 0 && found.size() <= kMostCompleted;) {
    const Ref ref = registry.ref(entity);
    if (registry.status(entity) == RefStatus::deleted || !ref.text().starts_with(begin)) continue;
    if (service_->schema().find_ref(registry.type_of(entity)) != nullptr)
      found.emplace_back(ref.text());
  }
  return found;
}

std::vector<std::string> RecordFeatures::known_tables(std::string_view begin) const {
  std::vector<std::string> found;
  for (const Table& table : service_->schema().tables())
    if (std::string_view(table.name).starts_with(begin) && found.size() <= kMostCompleted)
      found.push_back(table.name);
  return found;
}

// Whether what is asked about is there and takes an argument of this name.
bool RecordFeatures::takes(const JsonObject& ref, std::string_view argument) {
  const JsonString* const name = text_member(ref, "name");
  const JsonString* const uri = text_member(ref, "uri");
  if (name != nullptr)
    for (const Json& prompt : prompts()) {
      if (prompt.at("name") != *name) continue;
      const JsonArray& arguments = prompt.at("arguments").as_array();
      return std::any_of(arguments.begin(), arguments.end(), [&](const Json& one) {
        return std::string_view(one.at("name").as_string()) == argument;
      });
    }
  if (uri != nullptr)
    for (const Json& known : resource_templates())
      if (known.at("uriTemplate") == *uri)
        return uri->find("{" + std::string(argument) + "}") != JsonString::npos;
  return false;
}

// About what is not there nothing is completed, and that is no error: MCP's conformance suite asks
// about a prompt of its own.
McpOutcome RecordFeatures::complete(const JsonObject& params) {
  asked_.clear();
  const JsonObject* const argument = object_member(params, "argument");
  const JsonString* const name = argument == nullptr ? nullptr : text_member(*argument, "name");
  const JsonString* const value = argument == nullptr ? nullptr : text_member(*argument, "value");
  const JsonObject* const ref = object_member(params, "ref");
  if (ref == nullptr || name == nullptr || value == nullptr)
    return RpcError{RpcCode::invalid_params,
                    "params has ref and argument, which has a name and a value."};
  std::vector<std::string> found;
  if (takes(*ref, *name)) found = completed(*name, *value);
  const bool has_more = found.size() > kMostCompleted;
  if (has_more) found.resize(kMostCompleted);
  return JsonObject{{"completion", JsonObject{{"values", JsonArray(found.begin(), found.end())},
                                              {"hasMore", has_more}}}};
}

std::vector<std::string> RecordFeatures::completed(std::string_view name, std::string_view value) {
  if (name == "ref" && catch_up()) return known_refs(value);
  if (name == "table") return known_tables(value);
  return NodePrompts(texts_, service_->schema()).complete(name, value);
}

}  // namespace alfred::mcp
