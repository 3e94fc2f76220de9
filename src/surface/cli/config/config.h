// What a user has set: by a flag, a variable of the environment or the file config.toml.
//
// R1 a flag wins over the environment, that over the file, that over what is usual.
// R2 a key that nobody knows, one of another type and a word that is none of those allowed are refused, with
//    file:line:column and what is allowed.
// R3 db and pack belong together: both come from the strongest of the three that names one of them.
// R4 a model's key never stands in the file: key_file or key_env say where it is. A key file that others may
//    read is refused (F13).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "surface/cli/command.h"
#include "surface/cli/config/paths.h"

namespace alfred::cli {

enum class SettingKind : std::uint8_t { text, word, number, amount, truth };

struct SettingSpec {
  std::string name;  // "model.url": a key of the table [model]
  SettingKind kind = SettingKind::text;
  std::string variable{};            // of the environment
  std::string flag{};                // of the command line
  std::string usual{};               // empty: not set
  std::vector<std::string> words{};  // that a word may be
  std::string help{};
};
std::span<const SettingSpec> setting_specs();

enum class SettingSource : std::uint8_t { usual, file, environment, flag };

struct Setting {
  std::string value{};  // a number or truth as text; empty: not set
  SettingSource source = SettingSource::usual;
  std::string where{};  // "--db", "$ALFRED_DB", "…/config.toml:3:1"
};

class Config {
 public:
  // A file that is not there is an empty one. Errors: schema, usage, file.
  static Result<Config> load(const Arguments& arguments, const Environment& environment);

  const Setting& of(std::string_view name) const;
  const std::string& text(std::string_view name) const { return of(name).value; }
  bool is_set(std::string_view name) const { return !text(name).empty(); }
  bool is_true(std::string_view name) const { return text(name) == "true"; }
  const std::string& path() const { return path_; }

 private:
  Result<void> read(const std::string& text);
  void take_environment(const Environment& environment);
  void take_flags(const Arguments& arguments);
  void pair_places();

  std::string path_;
  std::map<std::string, Setting, std::less<>> settings_;
};

// The key for the model and where it comes from; nothing when none is set (R4).
struct ModelKey {
  std::string value;
  std::string from;
};
Result<std::optional<ModelKey>> model_key(const Config& config, const Environment& environment);

// All secrets of the installation that a command can know: the model's key, when one is set.
Result<std::vector<std::string>> known_secrets(const Arguments& arguments,
                                               const Environment& environment);

// What is set below [model], as an object with its tables; without key_file and key_env.
JsonObject model_table(const Config& config);

}  // namespace alfred::cli
