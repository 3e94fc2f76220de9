#include "surface/cli/config/config_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "base/json/json.h"
#include "surface/cli/config/config.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

constexpr std::array<std::string_view, 4> kSources{"usual", "file", "environment", "flag"};

// postgres://ann:secret@host/db → postgres://…@host/db
std::string without_secret(const std::string& value) {
  const std::size_t begin = value.find("://");
  if (begin == std::string::npos) return value;
  const std::size_t host = value.find('@', begin);
  if (host == std::string::npos || host > value.find('/', begin + 3)) return value;
  return value.substr(0, begin + 3) + "…" + value.substr(host);
}

struct Line {
  std::string name;
  std::string value;
  std::string source;
};

Line key_line(const Config& config) {
  const Result<std::optional<ModelKey>> key = model_key(config, system_environment);
  if (!key) return {"model.key", "", key.error().message};
  if (!*key) return {"model.key", "", "not set"};
  return {"model.key", "(not shown)", (*key)->from};
}

std::vector<Line> lines_of(const Config& config) {
  std::vector<Line> lines;
  for (const SettingSpec& spec : setting_specs()) {
    const Setting& setting = config.of(spec.name);
    const bool is_main = spec.name.find('.') == std::string::npos || !spec.variable.empty();
    if (setting.value.empty() && !is_main) continue;
    const std::string where = setting.value.empty()   ? "not set"
                              : setting.where.empty() ? std::string("usual")
                                                      : setting.where;
    lines.push_back({spec.name, without_secret(setting.value), where});
    if (spec.name == "model.model") lines.push_back(key_line(config));
  }
  return lines;
}

void print_json(const Config& config, std::ostream& out) {
  JsonObject settings;
  for (const SettingSpec& spec : setting_specs()) {
    const Setting& setting = config.of(spec.name);
    if (setting.value.empty()) continue;
    settings[spec.name] =
        JsonObject{{"value", without_secret(setting.value)},
                   {"source", kSources.at(static_cast<std::size_t>(setting.source))},
                   {"where", setting.where}};
  }
  const Line key = key_line(config);
  if (!key.value.empty()) settings["model.key"] = JsonObject{{"where", key.source}};
  out << write_json(JsonObject{{"file", config.path()}, {"settings", settings}}) << "\n";
}

}  // namespace

int run_config_show(const Arguments& arguments, const Streams& streams) {
  const Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return report(config.error(), streams.err);
  if (arguments.has("--json")) {
    print_json(*config, streams.out);
    return kDone;
  }
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(config->path(), ignored);
  streams.out << fmt::format("{}{}\n", terminal_line(config->path()),
                             is_there ? "" : " (not there)");
  for (const Line& line : lines_of(*config))
    streams.out << (line.value.empty()
                        ? fmt::format("{}: {}\n", line.name, terminal_line(line.source))
                        : fmt::format("{} = {}  ({})\n", line.name, terminal_line(line.value),
                                      terminal_line(line.source)));
  return kDone;
}

int run_config_path(const Arguments& /*arguments*/, const Streams& streams) {
  const std::string path = config_path(system_environment);
  if (path.empty()) {
    const Unexpected none =
        fail(ErrorCode::file, "There is no place for a configuration: set HOME or ALFRED_HOME.");
    return report(none.value(), streams.err);
  }
  streams.out << path << "\n";
  return kDone;
}

std::vector<Command> config_commands() {
  return {
      {"config",
       "show",
       "Print what is set and where it comes from: flag, environment, file or usual",
       {{"--json", "", "Print JSON in one line"},
        {"--db", "URL", "As for the other commands"},
        {"--pack", "DIR", "As for the other commands"},
        {"--user", "NAME", "As for the other commands"}},
       run_config_show},
      {"config", "path", "Print where the configuration file is or would be", {}, run_config_path}};
}

}  // namespace alfred::cli
