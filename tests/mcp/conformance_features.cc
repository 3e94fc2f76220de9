#include "conformance_features.h"

#include <map>

#include "base/check.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
constexpr std::string_view kWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

Json parsed(std::string_view text) {
  Result<Json> json = parse_json(text, JsonLimits::none());
  ALFRED_CHECK(json.has_value(), "what stands here is JSON");
  return std::move(*json);
}

Json text_of(std::string_view text) { return JsonObject{{"type", "text"}, {"text", text}}; }
Json image() { return JsonObject{{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }
Json embedded(std::string_view uri, std::string_view type, std::string_view text) {
  return JsonObject{{"type", "resource"},
                    {"resource", JsonObject{{"uri", uri}, {"mimeType", type}, {"text", text}}}};
}
JsonObject content(JsonArray parts) { return {{"content", std::move(parts)}}; }
JsonObject said(std::string_view text) { return content({text_of(text)}); }
Json message_of(Json part) { return JsonObject{{"role", "user"}, {"content", std::move(part)}}; }

JsonObject elicitation(std::string_view message, Json properties, JsonArray required) {
  JsonObject schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {{"method", "elicitation/create"},
          {"params", JsonObject{{"message", message}, {"requestedSchema", std::move(schema)}}}};
}
JsonObject sampling(std::string_view prompt, int tokens) {
  return {{"method", "sampling/createMessage"},
          {"params", JsonObject{{"messages", JsonArray{message_of(text_of(prompt))}},
                                {"maxTokens", tokens}}}};
}
JsonObject one_text(std::string_view message, std::string_view name) {
  return elicitation(message, JsonObject{{name, JsonObject{{"type", "string"}}}}, {name});
}

RpcError missing(std::string_view capability) {
  return {RpcCode::capability_missing, "The client has not declared what this needs.",
          JsonObject{{"requiredCapabilities", JsonObject{{capability, JsonObject()}}}}};
}

// Whether each request is answered by an object of the form its method gives.
bool are_answered(const JsonObject& requests, const JsonObject& inputs) {
  for (const auto& [key, request] : requests) {
    const JsonObject* const given = object_member(inputs, key);
    if (given == nullptr) return false;
    const std::string_view method = request.at("method").as_string();
    const std::string_view member = method == "elicitation/create"       ? "action"
                                    : method == "sampling/createMessage" ? "content"
                                                                         : "roots";
    if (!given->contains(member)) return false;
    if (member == "action" && given->at("action") == "accept" &&
        object_member(*given, "content") == nullptr)
      return false;
  }
  return true;
}

McpOutcome asked_once(JsonObject requests, const CallScope& scope, std::string_view done) {
  if (!are_answered(requests, scope.inputs)) return InputRequired{std::move(requests), "asked"};
  return said(std::string(done) + " " + write_json(scope.inputs));
}

// From what a tool was answered in a session, in the suite's own words.
McpOutcome elicited(JsonObject request, const CallScope& scope, std::string_view words) {
  if (!can_elicit(scope.capabilities)) return missing("elicitation");
  const JsonObject* const given = object_member(scope.inputs, "answer");
  if (given == nullptr) return InputRequired{{{"answer", std::move(request)}}, {}};
  const JsonString* const action = text_member(*given, "action");
  const Json* const filled = given->if_contains("content");
  return said(std::string(words) + "action=" + (action ? std::string(*action) : "none") +
              ", content=" + (filled == nullptr ? "{}" : write_json(*filled)));
}

McpOutcome multi_round(const CallScope& scope) {
  JsonObject first{{"step1", one_text("Step 1: What is your name?", "name")}};
  JsonObject second{{"step2", one_text("Step 2: What is your favorite color?", "color")}};
  if (scope.kept.is_null() || (scope.kept == "one" && !are_answered(first, scope.inputs)))
    return InputRequired{std::move(first), "one"};
  if (scope.kept == "one" || !are_answered(second, scope.inputs))
    return InputRequired{std::move(second), "two"};
  return said("Done: " + write_json(scope.inputs));
}

McpOutcome sampled(const JsonObject& arguments, const CallScope& scope) {
  if (!scope.capabilities.contains("sampling")) return missing("sampling");
  const JsonObject* const given = object_member(scope.inputs, "answer");
  const JsonString* const prompt = text_member(arguments, "prompt");
  if (given == nullptr)
    return InputRequired{{{"answer", sampling(prompt ? std::string_view(*prompt) : "", 100)}}, {}};
  const JsonObject* const part = object_member(*given, "content");
  const JsonString* const text = part == nullptr ? nullptr : text_member(*part, "text");
  return said("LLM response: " + (text ? std::string(*text) : std::string()));
}

McpOutcome by_capabilities(const CallScope& scope) {
  JsonObject requests;
  if (can_elicit(scope.capabilities)) requests["name"] = one_text("What is your name?", "name");
  if (scope.capabilities.contains("sampling")) requests["words"] = sampling("Say hello", 50);
  if (requests.empty()) return missing("elicitation");
  return asked_once(std::move(requests), scope, "Done:");
}

using ToolFn = McpOutcome (*)(const JsonObject& arguments, const CallScope& scope);

McpOutcome call_logging(const JsonObject&, const CallScope& scope) {
  for (const char* line :
       {"Tool execution started", "Tool processing data", "Tool execution completed"})
    scope.log("info", line);
  return said("Logged three lines.");
}

McpOutcome call_progress(const JsonObject&, const CallScope& scope) {
  for (const double done : {0.0, 50.0, 100.0}) scope.progress(done, 100);
  return said("Told how far it was.");
}

const std::map<std::string, ToolFn, std::less<>>& plain_tools() {
  static const std::map<std::string, ToolFn, std::less<>> tools{
      {"json_schema_2020_12_tool",
       [](const JsonObject&, const CallScope&) -> McpOutcome { return said("ok"); }},
      {"region_of_header",
       [](const JsonObject&, const CallScope&) -> McpOutcome { return said("ok"); }},
      {"test_simple_text",
       [](const JsonObject&, const CallScope&) -> McpOutcome {
         return said("This is a simple text response for testing.");
       }},
      {"test_image_content",
       [](const JsonObject&, const CallScope&) -> McpOutcome { return content({image()}); }},
      {"test_audio_content",
       [](const JsonObject&, const CallScope&) -> McpOutcome {
         return content({JsonObject{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}});
       }},
      {"test_embedded_resource",
       [](const JsonObject&, const CallScope&) -> McpOutcome {
         return content({embedded("test://embedded-resource", "text/plain",
                                  "This is an embedded resource content.")});
       }},
      {"test_multiple_content_types",
       [](const JsonObject&, const CallScope&) -> McpOutcome {
         return content({text_of("Multiple content types test:"), image(),
                         embedded("test://mixed-content-resource", "application/json",
                                  R"({"test":"data","value":123})")});
       }},
      {"test_error_handling",
       [](const JsonObject&, const CallScope&) -> McpOutcome {
         JsonObject result = said("This tool intentionally returns an error for testing");
         result["isError"] = true;
         return result;
       }},
      {"test_logging_tool", call_logging},
      {"test_tool_with_logging", call_logging},
      {"test_tool_with_progress", call_progress},
      {"test_trigger_tool_change",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         scope.tell({"notifications/tools/list_changed", ""});
         return said("changed");
       }},
      {"test_trigger_prompt_change",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         scope.tell({"notifications/prompts/list_changed", ""});
         return said("changed");
       }},
  };
  return tools;
}

const std::map<std::string, ToolFn, std::less<>>& asking_tools() {
  static const std::map<std::string, ToolFn, std::less<>> tools{
      {"test_sampling", sampled},
      {"test_elicitation",
       [](const JsonObject& arguments, const CallScope& scope) -> McpOutcome {
         const JsonString* const message = text_member(arguments, "message");
         const Json fields =
             parsed(R"({"username":{"type":"string","description":"User's response"},
             "email":{"type":"string","description":"User's email address"}})");
         return elicited(
             elicitation(message ? std::string_view(*message) : "", fields, {"username", "email"}),
             scope, "User response: ");
       }},
      {"test_elicitation_sep1034_defaults",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         const Json fields = parsed(R"({"name":{"type":"string","default":"John Doe"},
             "age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
             "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
             "verified":{"type":"boolean","default":true}})");
         return elicited(elicitation("Look at the defaults", fields, {}), scope,
                         "Elicitation completed: ");
       }},
      {"test_elicitation_sep1330_enums",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         const Json fields = parsed(R"({
             "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
             "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
               {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
             "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
               "enumNames":["Option One","Option Two","Option Three"]},
             "untitledMulti":{"type":"array","items":{"type":"string",
               "enum":["option1","option2","option3"]}},
             "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
               {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}})");
         return elicited(elicitation("Choose", fields, {}), scope, "Elicitation completed: ");
       }},
      {"test_missing_capability",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         if (!scope.capabilities.contains("sampling")) return missing("sampling");
         return said("The client can sample.");
       }},
      {"test_streaming_elicitation",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         if (!can_elicit(scope.capabilities)) return missing("elicitation");
         return asked_once({{"name", one_text("What is your name?", "name")}}, scope, "Hello:");
       }},
      {"test_input_required_result_elicitation",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         return asked_once({{"user_name", one_text("What is your name?", "name")}}, scope,
                           "Hello:");
       }},
      {"test_input_required_result_sampling",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         return asked_once({{"capital_question", sampling("What is the capital of France?", 100)}},
                           scope, "It said:");
       }},
      {"test_input_required_result_list_roots",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         return asked_once(
             {{"client_roots", JsonObject{{"method", "roots/list"}, {"params", JsonObject()}}}},
             scope, "Roots:");
       }},
      {"test_input_required_result_request_state",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         const Json ok = parsed(R"({"ok":{"type":"boolean"}})");
         return asked_once({{"confirm", elicitation("Please confirm", ok, {"ok"})}}, scope,
                           "state-ok");
       }},
      {"test_input_required_result_tampered_state",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         const Json ok = parsed(R"({"ok":{"type":"boolean"}})");
         return asked_once({{"confirm", elicitation("Please confirm", ok, {"ok"})}}, scope, "ok");
       }},
      {"test_input_required_result_multiple_inputs",
       [](const JsonObject&, const CallScope& scope) -> McpOutcome {
         return asked_once(
             {{"user_name", one_text("What is your name?", "name")},
              {"greeting", sampling("Generate a greeting", 50)},
              {"client_roots", JsonObject{{"method", "roots/list"}, {"params", JsonObject()}}}},
             scope, "All:");
       }},
      {"test_input_required_result_multi_round",
       [](const JsonObject&, const CallScope& scope) { return multi_round(scope); }},
      {"test_input_required_result_capabilities",
       [](const JsonObject&, const CallScope& scope) { return by_capabilities(scope); }},
  };
  return tools;
}

Json tool_entry(std::string_view name) {
  Json schema = parsed(R"({"type":"object","properties":{}})");
  if (name == "test_sampling")
    schema = parsed(
        R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})");
  if (name == "test_elicitation")
    schema = parsed(
        R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})");
  if (name == "region_of_header")  // whose argument its client says in Mcp-Param-Region, too
    schema = parsed(R"({"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]})");
  if (name == "json_schema_2020_12_tool")
    schema = parsed(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
        "$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},
        "city":{"type":"string"}}}},"properties":{"name":{"type":"string"},
        "address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
        "phone":{"type":"string"},"email":{"type":"string"}},
        "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
        "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
        "then":{"required":["phone"]},"else":{"required":["email"]},
        "additionalProperties":false})");
  return JsonObject{
      {"name", name}, {"description", "For the conformance suite"}, {"inputSchema", schema}};
}

}  // namespace

ConformanceFeatures::ConformanceFeatures() {
  card_.name = "alfred-conformance";
  card_.version = ALFRED_VERSION;
  const JsonObject changes{{"listChanged", true}};
  card_.capabilities = {{"tools", changes},
                        {"prompts", changes},
                        {"resources", JsonObject{{"subscribe", true}, {"listChanged", true}}},
                        {"logging", JsonObject()},
                        {"completions", JsonObject()}};
}

JsonArray ConformanceFeatures::tools() {
  JsonArray all;
  for (const auto* tools : {&plain_tools(), &asking_tools()})
    for (const auto& [name, call] : *tools) all.push_back(tool_entry(name));
  return all;
}

McpOutcome ConformanceFeatures::call_tool(std::string_view name, const JsonObject& arguments,
                                          const CallScope& scope) {
  for (const auto* tools : {&plain_tools(), &asking_tools()})
    if (const auto found = tools->find(name); found != tools->end())
      return found->second(arguments, scope);
  return RpcError{RpcCode::invalid_params, "There is no such tool."};
}

JsonArray ConformanceFeatures::resources() {
  JsonArray all;
  for (const char* name : {"static-text", "static-binary", "watched-resource"})
    all.push_back(JsonObject{{"uri", std::string("test://") + name},
                             {"name", name},
                             {"description", "For the conformance suite"}});
  return all;
}

JsonArray ConformanceFeatures::resource_templates() {
  return {JsonObject{{"uriTemplate", "test://template/{id}/data"},
                     {"name", "template"},
                     {"description", "For the conformance suite"},
                     {"mimeType", "application/json"}}};
}

McpOutcome ConformanceFeatures::read_resource(const std::string& uri, const CallScope&) {
  JsonObject found{{"uri", uri}, {"mimeType", "text/plain"}};
  const std::string_view begin = "test://template/";
  const std::string_view end = "/data";
  if (uri == "test://static-text") {
    found["text"] = "This is the content of the static text resource.";
  } else if (uri == "test://watched-resource") {
    found["text"] = "Watched.";
  } else if (uri == "test://static-binary") {
    found["mimeType"] = "image/png";
    found["blob"] = kPng;
  } else if (uri.starts_with(begin) && uri.ends_with(end)) {
    const std::string id = uri.substr(begin.size(), uri.size() - begin.size() - end.size());
    found["mimeType"] = "application/json";
    found["text"] =
        write_json(JsonObject{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}});
  } else {
    return RpcError{RpcCode::resource_missing, "There is no such resource.",
                    JsonObject{{"uri", uri}}};
  }
  return JsonObject{{"contents", JsonArray{std::move(found)}}};
}

JsonArray ConformanceFeatures::prompts() {
  return parsed(R"([
      {"name":"test_simple_prompt","description":"Simple"},
      {"name":"test_prompt_with_arguments","description":"Two arguments","arguments":[
        {"name":"arg1","required":true},{"name":"arg2","required":true}]},
      {"name":"test_prompt_with_embedded_resource","description":"A resource","arguments":[
        {"name":"resourceUri","required":true}]},
      {"name":"test_prompt_with_image","description":"An image"},
      {"name":"test_input_required_result_prompt","description":"Asks first"}])")
      .as_array();
}

McpOutcome ConformanceFeatures::get_prompt(std::string_view name, const JsonObject& arguments,
                                           const CallScope& scope) {
  const auto given = [&](std::string_view member) {
    const JsonString* const text = text_member(arguments, member);
    return text == nullptr ? std::string() : std::string(*text);
  };
  JsonArray messages;
  if (name == "test_simple_prompt") {
    messages = {message_of(text_of("This is a simple prompt for testing."))};
  } else if (name == "test_prompt_with_arguments") {
    messages = {message_of(text_of("Prompt with arguments: arg1='" + given("arg1") + "', arg2='" +
                                   given("arg2") + "'"))};
  } else if (name == "test_prompt_with_embedded_resource") {
    messages = {message_of(embedded(given("resourceUri"), "text/plain",
                                    "Embedded resource content for testing.")),
                message_of(text_of("Please process the embedded resource above."))};
  } else if (name == "test_prompt_with_image") {
    messages = {message_of(image()), message_of(text_of("Please analyze the image above."))};
  } else if (name == "test_input_required_result_prompt") {
    JsonObject wanted{{"user_context", one_text("What context should the prompt use?", "context")}};
    if (!are_answered(wanted, scope.inputs)) return InputRequired{std::move(wanted), "asked"};
    messages = {message_of(text_of("Context: " + write_json(scope.inputs)))};
  } else {
    return RpcError{RpcCode::invalid_params, "There is no such prompt."};
  }
  return JsonObject{{"messages", std::move(messages)}};
}

McpOutcome ConformanceFeatures::complete(const JsonObject&) {
  return JsonObject{{"completion", JsonObject{{"values", JsonArray{"paris", "park", "party"}},
                                              {"total", 3},
                                              {"hasMore", false}}}};
}

}  // namespace alfred::mcp
