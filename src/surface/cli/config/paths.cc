#include "surface/cli/config/paths.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/time/time_zone.h"

namespace alfred::cli {
namespace {

struct Place {
  const char* variable;
  const char* below_home;
};

std::string folder(const Environment& environment, const Place& place) {
  if (std::string home = environment("ALFRED_HOME"); !home.empty()) return home;
  // The standard wants absolute paths and ignores all others.
  if (const std::string xdg = environment(place.variable); xdg.starts_with('/'))
    return xdg + "/alfred";
  const std::string home = environment("HOME");
  return home.empty() ? "" : home + place.below_home + "/alfred";
}

std::string in(const std::string& folder, const char* name) {
  return folder.empty() ? "" : folder + "/" + name;
}

}  // namespace

std::string system_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::string config_path(const Environment& environment) {
  return in(folder(environment, {"XDG_CONFIG_HOME", "/.config"}), "config.toml");
}

std::string history_path(const Environment& environment) {
  return in(folder(environment, {"XDG_STATE_HOME", "/.local/state"}), "history");
}

std::string data_path(const Environment& environment) {
  return folder(environment, {"XDG_DATA_HOME", "/.local/share"});
}

std::string system_zone(const Environment& environment) {
  constexpr std::string_view kZones = "zoneinfo/";
  std::string name = environment("TZ");
  if (name.starts_with(':')) name.erase(0, 1);
  if (name.empty()) {
    std::error_code failure;
    const std::string target = std::filesystem::read_symlink("/etc/localtime", failure).string();
    if (const std::size_t at = target.find(kZones); at != std::string::npos)
      name = target.substr(at + kZones.size());
  }
  return TimeZone::load(name) ? name : "";
}

Result<void> make_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code failure;
  const bool is_new = std::filesystem::create_directories(folder, failure);
  if (failure)
    return fail(ErrorCode::file,
                "The folder " + folder.string() + " cannot be made: " + failure.message() + ".");
  if (is_new && ::chmod(folder.c_str(), 0700) != 0)
    return fail(ErrorCode::file, "The folder " + folder.string() + " cannot be closed to others.");
  return {};
}

}  // namespace alfred::cli
