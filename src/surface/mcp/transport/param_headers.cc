#include "surface/mcp/transport/param_headers.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kPrefix = "Mcp-Param-";

bool is_scalar(const JsonObject& schema) {
  const JsonString* const type = text_member(schema, "type");
  return type != nullptr &&
         (*type == "string" || *type == "integer" || *type == "number" || *type == "boolean");
}

void collect(const JsonObject& schema, std::vector<std::string>& path,
             std::vector<ParamHeader>& out) {
  const JsonObject* const properties = object_member(schema, "properties");
  if (properties == nullptr) return;
  for (const auto& [name, value] : *properties) {
    const JsonObject* const property = value.if_object();
    if (property == nullptr) continue;
    path.emplace_back(name);
    const JsonString* const header = text_member(*property, "x-mcp-header");
    if (header != nullptr && is_scalar(*property))
      out.push_back({std::string(kPrefix) + std::string(*header), path});
    collect(*property, path, out);
    path.pop_back();
  }
}

}  // namespace

ParamHeaders param_headers_of(const JsonArray& tools) {
  ParamHeaders all;
  for (const Json& tool : tools) {
    const JsonObject* const object = tool.if_object();
    const JsonString* const name = object == nullptr ? nullptr : text_member(*object, "name");
    const JsonObject* const schema =
        name == nullptr ? nullptr : object_member(*object, "inputSchema");
    if (schema == nullptr) continue;
    std::vector<std::string> path;
    std::vector<ParamHeader> found;
    collect(*schema, path, found);
    if (!found.empty()) all[std::string(*name)] = std::move(found);
  }
  return all;
}

}  // namespace alfred::mcp
