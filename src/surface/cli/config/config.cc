#include "surface/cli/config/config.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "base/files/file.h"
#include "pack/load/toml.h"

namespace alfred::cli {
namespace {

const SettingSpec* find_spec(std::string_view name) {
  const std::span<const SettingSpec> specs = setting_specs();
  const auto found = std::find_if(specs.begin(), specs.end(),
                                  [&](const SettingSpec& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

// The keys and tables directly below `table` ("model." or "").
std::vector<std::string> known_below(const std::string& table) {
  std::vector<std::string> names;
  for (const SettingSpec& spec : setting_specs()) {
    if (!spec.name.starts_with(table)) continue;
    std::string name = spec.name.substr(table.size());
    name = name.substr(0, name.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<std::string> value_of(const SettingSpec& spec, const TomlValue& value) {
  const std::string key = "\"" + spec.name + "\"";
  switch (spec.kind) {
    case SettingKind::number:
      if (const auto* number = std::get_if<std::int64_t>(&value.value);
          number != nullptr && *number >= 0)
        return std::to_string(*number);
      return fail_toml(value.place, key + " is a whole number that is not negative.");
    case SettingKind::amount:
      if (const Json amount = toml_to_json(value); amount.is_double() || amount.is_int64())
        return write_json(amount);
      return fail_toml(value.place, key + " is a number.");
    case SettingKind::truth:
      if (value.boolean() != nullptr) return std::string(*value.boolean() ? "true" : "false");
      return fail_toml(value.place, key + " is true or false.", {"true", "false"});
    case SettingKind::text:
    case SettingKind::word: break;
  }
  if (value.text() == nullptr || value.text()->empty())
    return fail_toml(value.place, key + " is a text in quotes, not empty.");
  const bool is_word = spec.kind == SettingKind::word;
  if (is_word && std::find(spec.words.begin(), spec.words.end(), *value.text()) == spec.words.end())
    return fail_toml(value.place, key + " is one of a few words.", spec.words);
  return *value.text();
}

class FileReader {
 public:
  using Settings = std::map<std::string, Setting, std::less<>>;
  explicit FileReader(Settings& out) : out_(out) {}

  Result<void> read(const TomlValue::Table& members, const std::string& table) {
    for (const TomlMember& member : members) {
      const std::string name = table + member.name;
      if (const TomlValue::Table* below = member.value.table(); below && is_table(name)) {
        if (Result<void> ok = read(*below, name + "."); !ok) return ok;
        continue;
      }
      const SettingSpec* spec = find_spec(name);
      if (name == "model.key")
        return fail_toml(member.place,
                         "A key does not stand in this file. Name the file or the "
                         "variable that holds it: key_file, key_env.",
                         {"key_file", "key_env"});
      if (spec == nullptr)
        return fail_toml(member.place, "There is no setting \"" + name + "\".", known_below(table));
      Result<std::string> value = value_of(*spec, member.value);
      if (!value) return Unexpected(std::move(value).error());
      out_[name] = {std::move(*value), SettingSource::file, member.place};
    }
    return {};
  }

 private:
  static bool is_table(const std::string& name) { return !known_below(name + ".").empty(); }
  Settings& out_;
};

Result<void> check_word(const SettingSpec& spec, const Setting& setting) {
  const bool is_known =
      setting.value.empty() || spec.kind != SettingKind::word ||
      std::find(spec.words.begin(), spec.words.end(), setting.value) != spec.words.end();
  if (is_known) return {};
  return fail(ErrorCode::usage, spec.name + " is one of a few words.", setting.where, spec.words);
}

}  // namespace

Result<Config> Config::load(const Arguments& arguments, const Environment& environment) {
  Config config;
  for (const SettingSpec& spec : setting_specs()) config.settings_[spec.name].value = spec.usual;
  config.path_ = config_path(environment);
  std::error_code ignored;
  if (!config.path_.empty() && std::filesystem::exists(config.path_, ignored)) {
    const Result<std::string> text = read_file(config.path_);
    if (!text) return Unexpected(text.error());
    if (Result<void> ok = config.read(*text); !ok) return Unexpected(std::move(ok).error());
  }
  config.take_environment(environment);
  config.take_flags(arguments);
  for (const SettingSpec& spec : setting_specs())
    if (Result<void> ok = check_word(spec, config.of(spec.name)); !ok)
      return Unexpected(std::move(ok).error());
  config.pair_places();
  return config;
}

Result<void> Config::read(const std::string& text) {
  const Result<TomlValue> document = parse_toml(text, path_);
  if (!document) return Unexpected(document.error());
  return FileReader(settings_).read(*document->table(), "");
}

void Config::take_environment(const Environment& environment) {
  for (const SettingSpec& spec : setting_specs()) {
    if (spec.variable.empty()) continue;
    if (std::string value = environment(spec.variable); !value.empty())
      settings_[spec.name] = {std::move(value), SettingSource::environment, "$" + spec.variable};
  }
  if (!environment("NO_COLOR").empty())
    settings_["chat.colour"] = {"never", SettingSource::environment, "$NO_COLOR"};
}

void Config::take_flags(const Arguments& arguments) {
  for (const SettingSpec& spec : setting_specs())
    if (!spec.flag.empty() && arguments.has(spec.flag))
      settings_[spec.name] = {arguments.text(spec.flag), SettingSource::flag, spec.flag};
}

// R3: a pack from the file says nothing about a database from the command line.
void Config::pair_places() {
  Setting& db = settings_["db"];
  Setting& pack = settings_["pack"];
  if (db.source < pack.source) db = {"", pack.source, pack.where};
  if (pack.source < db.source) pack = {"", db.source, db.where};
}

const Setting& Config::of(std::string_view name) const {
  const auto found = settings_.find(name);
  ALFRED_CHECK(found != settings_.end(), "a setting that is in the table");
  return found->second;
}

Result<std::optional<ModelKey>> model_key(const Config& config, const Environment& environment) {
  if (std::string key = environment("ALFRED_MODEL_KEY"); !key.empty())
    return std::optional(ModelKey{std::move(key), "$ALFRED_MODEL_KEY"});
  if (const std::string& name = config.text("model.key_env"); !name.empty()) {
    std::string key = environment(name);
    if (key.empty())
      return fail(ErrorCode::usage, "model.key_env names a variable that is not set: " + name + ".",
                  config.of("model.key_env").where);
    return std::optional(ModelKey{std::move(key), "$" + name});
  }
  const std::string& path = config.text("model.key_file");
  if (path.empty()) return std::optional<ModelKey>();
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && (found.st_mode & 077U) != 0)
    return fail(ErrorCode::file,
                "The key file " + path +
                    " can be read by others. Close it: chmod "
                    "600 " +
                    path,
                config.of("model.key_file").where);
  Result<std::string> key = read_file(path);
  if (!key) return Unexpected(std::move(key).error());
  while (!key->empty() && std::isspace(static_cast<unsigned char>(key->back())) != 0)
    key->pop_back();
  return std::optional(ModelKey{std::move(*key), path});
}

Result<std::vector<std::string>> known_secrets(const Arguments& arguments,
                                               const Environment& environment) {
  const Result<Config> config = Config::load(arguments, environment);
  if (!config) return Unexpected(config.error());
  const Result<std::optional<ModelKey>> key = model_key(*config, environment);
  if (!key) return Unexpected(key.error());
  std::vector<std::string> secrets;
  if (*key) secrets.push_back((*key)->value);
  return secrets;
}

JsonObject model_table(const Config& config) {
  constexpr std::string_view kTable = "model.";
  JsonObject out;
  for (const SettingSpec& spec : setting_specs()) {
    const std::string& value = config.text(spec.name);
    std::string_view name = spec.name;
    if (!name.starts_with(kTable) || value.empty() || name.starts_with("model.key_")) continue;
    name.remove_prefix(kTable.size());
    JsonObject* table = &out;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
      Json& below = (*table)[name.substr(0, dot)];
      if (!below.is_object()) below.emplace_object();
      table = &below.get_object();
      name.remove_prefix(dot + 1);
    }
    const bool is_number = spec.kind == SettingKind::number || spec.kind == SettingKind::amount;
    const Result<Json> number =
        is_number ? parse_json(value, JsonLimits::none()) : Result<Json>(Json(value));
    (*table)[name] = number ? *number : Json(value);
  }
  return out;
}

}  // namespace alfred::cli
