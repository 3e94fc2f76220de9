#include "inbox/source/source_types.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "inbox/fields.h"
#include "inbox/source/github.h"

namespace alfred::inbox {
namespace {

constexpr std::string_view kSecretSays =
    "What the sender signs with; kept, never shown. Null removes it";
constexpr std::string_view kKept = "(kept)";  // what is shown in its place

JsonArray texts(const std::vector<std::string_view>& all) {
  JsonArray out;
  for (const std::string_view one : all) out.push_back(Json(one));
  return out;
}

JsonArray fields_json(const SourceType& type) {
  JsonArray out;
  for (const ConfigField& field : type.fields)
    out.push_back(JsonObject{{"name", field.name},
                             {"type", field.type},
                             {"required", field.is_required},
                             {"secret", field.is_secret},
                             {"description", field.says}});
  return out;
}

Result<void> check_field(const ConfigField& field, const Json& value) {
  if (field.is_secret && value == Json(kKept))
    return fail(ErrorCode::value,
                fmt::format("config.{0} is {1}, which stands for a secret that is kept, and there "
                            "is none. Give the secret, or leave config.{0} out.",
                            field.name, kKept),
                "config." + std::string(field.name));
  const bool is_text = value.is_string() && !value.as_string().empty();
  const JsonArray* const list = value.if_array();
  const bool is_texts =
      list != nullptr && !list->empty() &&
      std::all_of(list->begin(), list->end(), [](const Json& one) { return one.is_string(); });
  if (field.type == "text" ? is_text : is_texts) return {};
  return fail(ErrorCode::schema,
              fmt::format("config.{} is {}.", field.name,
                          field.type == "text" ? "a text" : "a list of texts"),
              "config." + std::string(field.name));
}

}  // namespace

std::span<const SourceType> source_types() {
  static const std::vector<SourceType> kTypes{
      {"local_event", "Events that programs append.", {}, {}},
      {"webhook",
       "Events that outside systems POST as JSON.",
       {"events"},
       {{"secret", "text", kSecretSays, true},
        {"signature", "text", "How it is signed: github (when not given) or stripe"},
        {"nativeIdPath", "text", "Where the body holds its own id, such as data.id"},
        {"variantPath", "text", "Where the body says what kind of event it is, such as type"}},
       true},
      {"github",
       "Webhooks of GitHub: pull requests, issues, reviews, pushes, runs.",
       {"repo_events"},
       {{"secret", "text", kSecretSays, true}},
       true,
       true},
      {"exec",
       "A program that prints one JSON event per line.",
       {"events"},
       {{"command", "texts", "The program and its arguments", false, true}}},
  };
  return kTypes;
}

const SourceType* find_source_type(std::string_view name) {
  for (const SourceType& type : source_types())
    if (type.name == name) return &type;
  return nullptr;
}

std::vector<std::string> source_type_names() {
  std::vector<std::string> out;
  for (const SourceType& type : source_types()) out.emplace_back(type.name);
  return out;
}

std::string kept_key(const SourceType& type, const std::string& key) {
  return type.folds_case ? github_key(key) : key;
}

Result<void> check_config(const SourceType& type, const Json& config) {
  for (const auto& [name, value] : config.as_object()) {
    const auto field = std::find_if(type.fields.begin(), type.fields.end(),
                                    [&](const ConfigField& one) { return one.name == name; });
    if (field == type.fields.end()) {
      if (type.fields.empty()) continue;  // what a local source is set up with is its owner's
      return fail(ErrorCode::schema,
                  fmt::format("A {} source has no {} in its config. Look at its schema.", type.name,
                              quoted_text(name)),
                  "config");
    }
    if (Result<void> good = check_field(*field, value); !good) return good;
  }
  for (const ConfigField& field : type.fields)
    if (field.is_required && !config.as_object().contains(field.name))
      return fail(ErrorCode::schema, fmt::format("config.{} is needed.", field.name),
                  "config." + std::string(field.name));
  const Json* const signature = config.as_object().if_contains("signature");
  if (signature != nullptr && *signature != Json("github") && *signature != Json("stripe") &&
      type.takes_posts)
    return fail(ErrorCode::enum_value, "config.signature is github or stripe.", "config.signature",
                {"github", "stripe"});
  return {};
}

Result<void> check_kind(const SourceType& type, std::string_view kind) {
  if (type.kinds.empty() ||
      std::find(type.kinds.begin(), type.kinds.end(), kind) != type.kinds.end())
    return {};
  return fail(ErrorCode::enum_value,
              fmt::format("A {} host has the kinds {}.", type.name, fmt::join(type.kinds, ", ")),
              "streamKind", {type.kinds.begin(), type.kinds.end()});
}

Json with_kept_secrets(const SourceType& type, const Json& before, const Json& given) {
  Json out = given;
  for (const ConfigField& field : type.fields) {
    if (!field.is_secret) continue;
    const Json* const now = given.as_object().if_contains(field.name);
    const Json* const old = before.as_object().if_contains(field.name);
    if (now != nullptr && now->is_null())
      out.as_object().stable_erase(field.name);
    else if (old != nullptr && (now == nullptr || *now == Json(kKept)))
      out.as_object()[field.name] = *old;
  }
  return out;
}

Json shown_config(std::string_view type, const Json& config) {
  const SourceType* const known = find_source_type(type);
  Json out = config;
  if (known == nullptr || !out.is_object()) return out;
  for (const ConfigField& field : known->fields)
    if (field.is_secret && out.as_object().contains(field.name))
      out.as_object()[field.name] = kKept;
  return out;
}

Json host_schema_json(std::string_view type) {
  const SourceType* const known = find_source_type(type);
  if (known == nullptr)
    return JsonObject{
        {"hostType", type}, {"configFields", JsonArray()}, {"streamKinds", JsonArray()}};
  return JsonObject{
      {"hostType", type},
      {"configFields", JsonArray()},
      {"streamKinds", known->kinds.empty() ? JsonArray{Json("events")} : texts(known->kinds)}};
}

Json source_schema_json(std::string_view type, std::string_view kind) {
  const SourceType* const known = find_source_type(type);
  JsonObject out{{"hostType", type}, {"sourceType", type}, {"streamKind", kind}};
  if (known != nullptr) {
    out["description"] = known->says;
    out["configFields"] = fields_json(*known);
    out["takesAppends"] = true;
    out["takesPosts"] = known->takes_posts;
  }
  return out;
}

Result<Json> preview_schema(const Json& request) {
  Fields fields(request, {"sourceRef", "configRef", "config"});
  const std::string ref = fields.text("sourceRef");
  fields.maybe_text("configRef");
  const Json config = fields.object("config");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  const std::size_t colon = ref.find(':');
  const SourceType* const type = find_source_type(std::string_view(ref).substr(0, colon));
  if (type == nullptr)
    return fail(ErrorCode::enum_value,
                fmt::format("sourceRef is a type of hosts ({}), and a kind behind a colon.",
                            fmt::join(source_type_names(), ", ")),
                "sourceRef", source_type_names());
  const std::string_view first = type->kinds.empty() ? "events" : type->kinds.front();
  const std::string kind(colon == std::string::npos ? first
                                                    : std::string_view(ref).substr(colon + 1));
  if (Result<void> good = check_kind(*type, kind); !good) return Unexpected(good.error());
  if (Result<void> good = config.as_object().empty() ? Result<void>() : check_config(*type, config);
      !good)
    return Unexpected(good.error());
  return source_schema_json(type->name, kind);
}

}  // namespace alfred::inbox
