#include "surface/http/api/openapi.h"

#include <fmt/format.h>

#include "surface/http/api/route.h"

namespace alfred::http {
namespace {

Json schema_of(std::string_view name) {
  return JsonObject{{"$ref", fmt::format("#/components/schemas/{}", name)}};
}

Json content(std::string_view type, Json schema) {
  return JsonObject{{type, JsonObject{{"schema", std::move(schema)}}}};
}

JsonArray parameters_of(const Route& route) {
  JsonArray out;
  for (std::size_t at = route.path.find('{'); at != std::string_view::npos;
       at = route.path.find('{', at + 1)) {
    const std::string_view name = route.path.substr(at + 1, route.path.find('}', at) - at - 1);
    out.push_back(JsonObject{{"name", name},
                             {"in", "path"},
                             {"required", true},
                             {"schema", JsonObject{{"type", "string"}}}});
  }
  for (const std::string_view name : route.query) {
    // Behind a place of a journal; of the inbox, behind a record.
    const bool is_place = name == "after" && !route.path.starts_with("/inbox");
    const bool is_number = is_place || name == "limit" || name == "heartbeat_ms";
    out.push_back(JsonObject{{"name", name},
                             {"in", "query"},
                             {"schema", JsonObject{{"type", is_number ? "integer" : "string"}}}});
  }
  if (!route.header.empty())
    out.push_back(JsonObject{
        {"name", route.header}, {"in", "header"}, {"schema", JsonObject{{"type", "string"}}}});
  if (route.method == "POST" && route.is_keyed)
    out.push_back(JsonObject{
        {"name", "Idempotency-Key"},
        {"in", "header"},
        {"description", "The same key with the same request gives the first answer again."},
        {"schema", JsonObject{{"type", "string"}, {"minLength", 1}, {"maxLength", 255}}}});
  return out;
}

Json responses_of(const Route& route) {
  JsonObject good{{"description", route.says}};
  if (!route.answer.empty()) good["content"] = content("application/json", schema_of(route.answer));
  if (route.answer.empty())
    good["content"] =
        content(route.streams ? "text/event-stream" : "text/plain", JsonObject{{"type", "string"}});
  else if (route.streams)
    good["content"].get_object()["text/event-stream"] =
        JsonObject{{"schema", JsonObject{{"type", "string"}}}};
  JsonObject bad{{"description", "What is wrong, and what to do."},
                 {"content", content("application/json", schema_of("Error"))}};
  return JsonObject{{std::to_string(route.status), std::move(good)}, {"default", std::move(bad)}};
}

Json operation(const Route& route) {
  JsonObject out{{"operationId", route.id}, {"summary", route.says}};
  if (JsonArray parameters = parameters_of(route); !parameters.empty())
    out["parameters"] = std::move(parameters);
  if (!route.body.empty())
    out["requestBody"] =
        JsonObject{{"required", route.body != "Nothing"},
                   {"content", content("application/json", schema_of(route.body))}};
  out["responses"] = responses_of(route);
  if (route.is_open) out["security"] = JsonArray{};
  return out;
}

std::string lower_case(std::string_view method) {
  std::string out(method);
  for (char& c : out) c = static_cast<char>(c | 0x20);
  return out;
}

// MCP describes itself (tools/list); of HTTP there is only how its messages travel.
Json mcp_path() {
  const Json any = JsonObject{{"type", "object"}};
  const JsonObject bad{
      {"description",
       "What is wrong, as an error of JSON-RPC; as Error where no message was read."},
      {"content", content("application/json", any)}};
  // Of those who do not get as far as MCP.
  const JsonObject shut{{"description", "What is wrong, and what to do."},
                        {"content", content("application/json", schema_of("Error"))}};
  JsonObject both = content("application/json", any).get_object();
  both["text/event-stream"] = JsonObject{{"schema", JsonObject{{"type", "string"}}}};
  const auto parts = [&](std::string_view id, std::string_view says, std::string_view good,
                         JsonObject answer) {
    JsonObject told{{"description", says}};
    if (!answer.empty()) told["content"] = std::move(answer);
    return JsonObject{{"operationId", id},
                      {"summary", says},
                      {"responses", JsonObject{{good, std::move(told)},
                                               {"401", shut},
                                               {"403", shut},
                                               {"413", shut},
                                               {"default", bad}}}};
  };
  JsonObject post = parts("mcp_message", "Takes one message of MCP and answers it.", "200", both);
  post["requestBody"] =
      JsonObject{{"required", true}, {"content", content("application/json", any)}};
  post["responses"].get_object()["202"] =
      JsonObject{{"description", "A notification or a response: nothing answers it."}};
  JsonObject events = content("text/event-stream", JsonObject{{"type", "string"}}).get_object();
  return JsonObject{{"post", std::move(post)},
                    {"get", parts("mcp_events", "What a session is told meanwhile, as it happens.",
                                  "200", std::move(events))},
                    {"delete", parts("mcp_end", "Ends a session.", "200", {})}};
}

// Those that a text names, and those that these name.
JsonObject used_schemas(const Json& paths) {
  const Json all = api_schemas();
  std::string text = write_json(paths);
  JsonObject out;
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (const auto& [name, schema] : all.as_object()) {
      const std::string link = fmt::format("schemas/{}\"", std::string_view(name));
      if (out.contains(name) || text.find(link) == std::string::npos) continue;
      out[name] = schema;
      text += write_json(schema);
      has_more = true;
    }
  }
  return out;
}

}  // namespace

Json openapi(std::string_view base) {
  JsonObject paths;
  for (const Route& route : routes()) {
    if (!route.path.starts_with(base)) continue;
    Json& path = paths[route.path.substr(base.size())];
    if (!path.is_object()) path = JsonObject{};
    path.get_object()[lower_case(route.method)] = operation(route);
  }
  if (base.empty()) paths["/mcp"] = mcp_path();
  JsonObject schemas = used_schemas(paths);
  JsonObject out{
      {"openapi", "3.1.0"},
      {"info", JsonObject{{"title", "Alfred"},
                          {"version", ALFRED_VERSION},
                          {"license", JsonObject{{"name", "See LICENSE"}}}}},
      {"security", JsonArray{JsonObject{{"token", JsonArray{}}}}},
      {"paths", std::move(paths)},
      {"components",
       JsonObject{{"securitySchemes",
                   JsonObject{{"token", JsonObject{{"type", "http"}, {"scheme", "bearer"}}}}},
                  {"schemas", std::move(schemas)}}}};
  if (!base.empty()) out["servers"] = JsonArray{JsonObject{{"url", base}}};
  return out;
}

}  // namespace alfred::http
