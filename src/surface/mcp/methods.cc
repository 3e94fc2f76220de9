// The methods that both eras have.
#include <algorithm>
#include <utility>

#include "surface/mcp/endpoint.h"
#include "surface/mcp/revision.h"

namespace alfred::mcp {
namespace {

std::string_view name_of(const Json& entry) {
  const JsonObject& object = entry.as_object();
  for (const std::string_view member : {"uri", "uriTemplate", "name"})
    if (const JsonString* const name = text_member(object, member)) return *name;
  return {};
}

RpcError wrong_params(std::string message) { return {RpcCode::invalid_params, std::move(message)}; }

std::size_t level_rank(std::string_view level) {
  return static_cast<std::size_t>(std::find(kLogLevels.begin(), kLogLevels.end(), level) -
                                  kLogLevels.begin());
}

}  // namespace

// A cursor says after which entry to go on, so that it stays good when the list changes.
McpOutcome McpEndpoint::list(const Request& request, std::string_view member, JsonArray all) const {
  auto from = all.begin();
  if (request.message.params.contains("cursor")) {
    const JsonString* const cursor = text_member(request.message.params, "cursor");
    const auto found = std::find_if(all.begin(), all.end(), [&](const Json& entry) {
      return cursor != nullptr && name_of(entry) == std::string_view(*cursor);
    });
    if (found == all.end())
      return wrong_params("params.cursor is none that was given here. Begin without one.");
    from = found + 1;
  }
  const auto left = static_cast<std::size_t>(all.end() - from);
  const std::size_t count = std::min(left, host_.card().page_size);
  const auto upto = from + static_cast<std::ptrdiff_t>(count);
  JsonObject result;
  if (upto != all.end()) result["nextCursor"] = name_of(*(upto - 1));
  result[member] = JsonArray(from, upto);
  return result;
}

McpOutcome McpEndpoint::run(const Request& request) {
  const std::string& method = request.message.method;
  if (method == "tools/list") return list(request, "tools", request.features->tools());
  if (method == "resources/list") return list(request, "resources", request.features->resources());
  if (method == "resources/templates/list")
    return list(request, "resourceTemplates", request.features->resource_templates());
  if (method == "prompts/list") return list(request, "prompts", request.features->prompts());
  if (method == "completion/complete") return request.features->complete(request.message.params);
  return run_named(request, scope_of(request));
}

McpOutcome McpEndpoint::run_named(const Request& request, const CallScope& scope) {
  const JsonObject& params = request.message.params;
  const std::string& method = request.message.method;
  if (method == "resources/read") {
    const JsonString* const uri = text_member(params, "uri");
    if (uri == nullptr) return wrong_params("params.uri is a text.");
    return request.features->read_resource(std::string(*uri), scope);
  }
  if (method != "tools/call" && method != "prompts/get")
    return RpcError{RpcCode::unknown_method, "There is no such method here."};
  const JsonString* const name = text_member(params, "name");
  if (name == nullptr) return wrong_params("params.name is a text.");
  const Json* const given = params.if_contains("arguments");
  if (given != nullptr && !given->is_object())
    return wrong_params("params.arguments is an object.");
  static const JsonObject nothing;
  const JsonObject& arguments = given == nullptr ? nothing : given->get_object();
  return method == "tools/call" ? request.features->call_tool(*name, arguments, scope)
                                : request.features->get_prompt(*name, arguments, scope);
}

CallScope McpEndpoint::scope_of(const Request& request) {
  static const JsonObject nothing;
  static const Json none;
  CallScope scope{.is_modern = request.is_modern,
                  .capabilities = *request.capabilities,
                  .inputs = request.inputs == nullptr ? nothing : *request.inputs,
                  .kept = request.kept == nullptr ? none : *request.kept};
  const JsonObject* const meta = object_member(request.message.params, "_meta");
  const Json* const token = progress_token(request.message);
  scope.progress = [](double, double) {};
  if (token != nullptr)
    scope.progress = [request, token, told = -1.0](double done, double total) mutable {
      if (!(done > told)) return;
      told = done;
      request.sink->send(write_json(
          notification_message("notifications/progress",
                               {{"progressToken", *token}, {"progress", done}, {"total", total}})));
    };
  std::string least;
  if (request.is_modern) {
    const JsonString* const level = meta == nullptr ? nullptr : text_member(*meta, kMetaLogLevel);
    if (level != nullptr) least = *level;
  } else {
    const std::lock_guard lock(mutex_);
    least = request.peer.log_level;
  }
  scope.log = [](std::string_view, const Json&) {};
  if (!least.empty())
    scope.log = [request, least](std::string_view level, const Json& what) {
      if (level_rank(level) < level_rank(least)) return;
      const Json message =
          notification_message("notifications/message", {{"level", level}, {"data", what}});
      std::string text = allowed_text(request.features.get(), message, write_json(what));
      if (!text.empty()) request.sink->send(std::move(text));
    };
  scope.tell = [this, features = request.features](const Notice& notice) {
    tell(notice, *features);
  };
  scope.is_cancelled = [stop = request.stop] { return stop->load(); };
  return scope;
}

}  // namespace alfred::mcp
