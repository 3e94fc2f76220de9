#include "interpreter/chat_http/chat_request.h"

#include <algorithm>

namespace alfred {
namespace {

bool is_structured(const Ask& ask) { return !ask.schema_json.empty(); }

// Null where there is none.
Json schema_of(const Ask& ask) {
  if (!is_structured(ask)) return nullptr;
  Result<Json> read = parse_json(ask.schema_json, JsonLimits::none());
  return read ? std::move(*read) : Json(nullptr);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

// Whether a schema says of every value what it is: only then may an endpoint be held to it.
bool is_closed(const Json& schema) {
  const JsonObject* object = schema.if_object();
  if (object == nullptr) return false;
  if (const Json* choices = object->if_contains("anyOf"); choices != nullptr && choices->is_array())
    return std::all_of(choices->get_array().begin(), choices->get_array().end(), is_closed);
  const Json* type = object->if_contains("type");
  if (type == nullptr) return object->contains("enum");
  if (*type == Json("array")) return object->contains("items") && is_closed(object->at("items"));
  if (*type != Json("object")) return true;
  const Json* more = object->if_contains("additionalProperties");
  const Json* members = object->if_contains("properties");
  if (more == nullptr || *more != Json(false) || members == nullptr || !members->is_object())
    return false;
  return std::all_of(members->get_object().begin(), members->get_object().end(),
                     [](const auto& member) { return is_closed(member.value()); });
}

// Anthropic's form has no place for a schema's name but the schema itself.
JsonObject titled(const Ask& ask) {
  JsonObject out{{"title", name_of(ask.node)}};
  const Json schema = schema_of(ask);
  for (const auto& member : schema.get_object()) out.insert(member);
  return out;
}

// R2: in words where the endpoint is not told the schema itself.
std::string system_text(const Ask& ask, Structure structure) {
  if (!is_structured(ask) || structure == Structure::schema || structure == Structure::tool)
    return ask.system;
  return ask.system +
         "\n\n## Form of the Answer\nOne JSON object, nothing around it, that follows this JSON "
         "Schema:\n```json\n" +
         ask.schema_json + "\n```\n";
}

std::int64_t most_tokens(const Ask& ask, const ChatSettings& settings, const ChatForm& form) {
  const std::int64_t room = settings.max_tokens_of(ask.node) * (ask.was_cut ? 2 : 1);  // A5
  return std::max<std::int64_t>(1, room / form.shorter);
}

// Both wires have tools; they differ in the words around them.
void add_tool(JsonObject& body, const Ask& ask, ChatWire wire) {
  const std::string name(name_of(ask.node));
  const std::string what = "Gives the answer.";
  if (wire == ChatWire::anthropic) {
    body["tools"] = JsonArray{
        JsonObject{{"name", name}, {"description", what}, {"input_schema", schema_of(ask)}}};
    body["tool_choice"] = JsonObject{{"type", "tool"}, {"name", name}};
    return;
  }
  body["tools"] = JsonArray{JsonObject{
      {"type", "function"},
      {"function",
       JsonObject{{"name", name}, {"description", what}, {"parameters", schema_of(ask)}}}}};
  body["tool_choice"] = JsonObject{{"type", "function"}, {"function", JsonObject{{"name", name}}}};
}

JsonObject openai_body(const Ask& ask, const ChatSettings& settings, const ChatForm& form) {
  JsonObject body{{"model", settings.model_of(ask.node)},
                  {"messages", JsonArray{JsonObject{{"role", "system"},
                                                    {"content", system_text(ask, form.structure)}},
                                         JsonObject{{"role", "user"}, {"content", ask.user}}}},
                  {form.is_legacy_limit ? "max_tokens" : "max_completion_tokens",
                   most_tokens(ask, settings, form)}};
  if (is_structured(ask) && form.structure == Structure::schema)
    body["response_format"] =
        JsonObject{{"type", "json_schema"},
                   {"json_schema", JsonObject{{"name", name_of(ask.node)},
                                              {"strict", is_closed(schema_of(ask))},
                                              {"schema", schema_of(ask)}}}};
  if (is_structured(ask) && form.structure == Structure::json)
    body["response_format"] = JsonObject{{"type", "json_object"}};
  if (is_structured(ask) && form.structure == Structure::tool)
    add_tool(body, ask, ChatWire::openai);
  if (const std::string& effort = settings.effort_of(ask.node); form.has_effort && !effort.empty())
    body["reasoning_effort"] = effort;
  if (form.is_streamed) body["stream"] = true;
  if (form.is_streamed && form.counts_stream)
    body["stream_options"] = JsonObject{{"include_usage", true}};
  return body;
}

JsonObject anthropic_body(const Ask& ask, const ChatSettings& settings, const ChatForm& form) {
  JsonObject body{
      {"model", settings.model_of(ask.node)},
      {"max_tokens", most_tokens(ask, settings, form)},
      {"system", JsonArray{JsonObject{{"type", "text"},
                                      {"text", system_text(ask, form.structure)},
                                      {"cache_control", JsonObject{{"type", "ephemeral"}}}}}},
      {"messages", JsonArray{JsonObject{{"role", "user"}, {"content", ask.user}}}}};
  JsonObject output;
  const bool is_format = form.structure == Structure::schema && is_closed(schema_of(ask));
  if (is_structured(ask) && is_format)
    output["format"] = JsonObject{{"type", "json_schema"}, {"schema", titled(ask)}};
  if (is_structured(ask) && !is_format && form.structure <= Structure::tool)
    add_tool(body, ask, ChatWire::anthropic);
  if (const std::string& effort = settings.effort_of(ask.node); form.has_effort && !effort.empty())
    output["effort"] = effort;
  if (!output.empty()) body["output_config"] = std::move(output);
  if (form.is_streamed) body["stream"] = true;
  return body;
}

// OpenAI's: schema, json, prose. Anthropic's, which has no json: schema, tool, prose.
Structure looser(Structure structure, ChatWire wire) {
  if (structure != Structure::schema) return Structure::prose;
  return wire == ChatWire::openai ? Structure::json : Structure::tool;
}

}  // namespace

std::string chat_body(const Ask& ask, const ChatSettings& settings, const ChatForm& form) {
  return write_json(Json(settings.wire == ChatWire::openai ? openai_body(ask, settings, form)
                                                           : anthropic_body(ask, settings, form)));
}

std::vector<std::pair<std::string, std::string>> chat_headers(const ChatSettings& settings) {
  std::vector<std::pair<std::string, std::string>> out{
      {"Content-Type", "application/json"},
      {"Accept", "text/event-stream, application/json"},
      {"User-Agent", "alfred/" ALFRED_VERSION}};
  if (settings.wire == ChatWire::anthropic)
    out.emplace_back("anthropic-version", settings.anthropic_version);
  if (settings.key.empty()) return out;
  if (settings.is_bearer)
    out.emplace_back("Authorization", "Bearer " + settings.key);
  else
    out.emplace_back("x-api-key", settings.key);
  return out;
}

std::optional<ChatForm> simpler_form(const Ask& ask, const ChatSettings& settings,
                                     const ChatForm& form, std::string_view refusal) {
  ChatForm out = form;
  if (!form.is_legacy_limit && has_any(refusal, {"max_completion_tokens"})) {
    out.is_legacy_limit = true;
  } else if (form.counts_stream && has_any(refusal, {"stream_options"})) {
    out.counts_stream = false;
  } else if (form.has_effort && !settings.effort_of(ask.node).empty() &&
             has_any(refusal, {"effort"})) {
    out.has_effort = false;
  } else if (is_structured(ask) && form.structure != Structure::prose &&
             has_any(refusal, {"response_format", "json_schema", "output_config", "json_object",
                               "schema", "tool"})) {
    out.structure = looser(form.structure, settings.wire);
  } else if (form.is_streamed && has_any(refusal, {"stream"})) {
    out.is_streamed = false;
  } else {
    return std::nullopt;
  }
  return out;
}

}  // namespace alfred
