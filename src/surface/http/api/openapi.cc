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
    const bool is_number = name == "limit" || name == "after" || name == "heartbeat_ms";
    out.push_back(JsonObject{{"name", name},
                             {"in", "query"},
                             {"schema", JsonObject{{"type", is_number ? "integer" : "string"}}}});
  }
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
