#include "surface/cli/doctor/doctor.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "surface/cli/chat/choose_interpreter.h"
#include "surface/cli/terminal/terminal.h"

namespace alfred::cli {
namespace {

constexpr std::array<std::string_view, 3> kNames{"ok", "warn", "fail"};
constexpr std::uintmax_t kMiB = std::uintmax_t{1} << 20;

void append(Findings& out, Findings more) {
  out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string said(const Error& error) {
  return error.path.empty() ? error.message : error.message + " (at " + error.path + ")";
}

// Permission bits; nothing when it is not there.
std::optional<unsigned> mode_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return found.st_mode & 0777U;
}

Finding check_room(const std::string& folder) {
  std::error_code failure;
  const std::filesystem::space_info room = std::filesystem::space(folder, failure);
  if (failure)
    return {Health::warn, "room on the disk of " + folder + ": " + failure.message(),
            "look at it with df"};
  const std::string what =
      fmt::format("{} MiB free on the disk of {}", room.available / kMiB, folder);
  if (room.available < 10 * kMiB) return {Health::fail, what, "make room; writes will fail"};
  if (room.available < 200 * kMiB) return {Health::warn, what, "make room soon"};
  return {Health::ok, what};
}

// By writing a file that is gone at once: permissions alone do not tell.
bool is_writable(const std::string& folder) {
  std::string probe = folder + "/.alfred-doctor-XXXXXX";
  const int file = ::mkstemp(probe.data());
  if (file < 0) return false;
  ::close(file);
  ::unlink(probe.c_str());
  return true;
}

// Whether the folder could be made: by what there is above it.
bool may_be_made(const std::string& folder) {
  std::filesystem::path above = std::filesystem::path(folder).parent_path();
  std::error_code failure;
  while (!std::filesystem::exists(above, failure) && above.has_relative_path())
    above = above.parent_path();
  return std::filesystem::is_directory(above, failure) && ::access(above.c_str(), W_OK | X_OK) == 0;
}

Finding not_writable(const std::string& folder, const std::string& what) {
  return {Health::fail, "the data folder " + folder + " cannot be " + what,
          "let its owner write there (chmod u+rwx), or set ALFRED_HOME"};
}

// Files of ours are for their owner only.
Finding check_files(const std::string& folder) {
  std::size_t count = 0;
  std::string open;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    // The configuration holds no secret.
    if (!entry.is_regular_file(failure) || entry.path().filename() == "config.toml") continue;
    ++count;
    if (mode_of(entry.path().string()).value_or(0) & 077U) open = entry.path().string();
  }
  if (open.empty()) return {Health::ok, fmt::format("{} files in it, closed to others", count)};
  return {Health::warn, "others may read " + open, "chmod 600 " + open};
}

}  // namespace

std::string_view health_name(Health health) { return kNames.at(static_cast<std::size_t>(health)); }

Findings check_program() {
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}", __clang_major__);
#else
  const std::string compiler = fmt::format("gcc {}", __GNUC__);
#endif
#ifdef NDEBUG
  const std::string_view build = "release";
#else
  const std::string_view build = "with checks";
#endif
  return {{Health::ok, fmt::format("alfred {} ({}, {})", ALFRED_VERSION, compiler, build)}};
}

Findings check_config_file(const Environment& environment, const Result<Config>& config) {
  const std::string path = config_path(environment);
  if (!config)
    return {
        {Health::fail, "configuration: " + said(config.error()), "correct the line, or remove it"}};
  const std::optional<unsigned> mode = path.empty() ? std::nullopt : mode_of(path);
  if (!mode) return {{Health::ok, "no configuration file; the usual settings hold"}};
  if (*mode & 022U) return {{Health::warn, "others may write " + path, "chmod go-w " + path}};
  return {{Health::ok, "configuration " + path}};
}

Findings check_folders(const Environment& environment) {
  const std::string folder = data_path(environment);
  if (folder.empty())
    return {{Health::fail, "there is no place for data", "set HOME or ALFRED_HOME"}};
  const std::optional<unsigned> mode = mode_of(folder);
  if (!mode && !may_be_made(folder)) return {not_writable(folder, "made")};
  if (!mode) return {{Health::ok, "data folder " + folder + " (made on first use)"}};
  std::error_code failure;
  if (!std::filesystem::is_directory(folder, failure))
    return {{Health::fail, folder + " is no folder", "move it away, or set ALFRED_HOME"}};
  if (!is_writable(folder)) return {not_writable(folder, "written")};
  Findings out{*mode & 077U
                   ? Finding{Health::warn, "others may look into " + folder, "chmod 700 " + folder}
                   : Finding{Health::ok, "data folder " + folder}};
  out.push_back(check_files(folder));
  out.push_back(check_room(folder));
  return out;
}

Findings check_model(const DoctorWorld& world, const Config& config) {
  const std::string name = interpreter_name(config, world.environment);
  if (name != "chat_http") return {{Health::ok, "no model is set; " + name + " speaks"}};
  const Result<std::optional<ModelKey>> key = model_key(config, world.environment);
  if (!key) return {{Health::fail, "the model's key: " + said(key.error()), "set it right"}};
  if (!world.probe)
    return {{Health::warn, "this program cannot ask a model yet", "use --interpreter rules"}};
  const Result<std::string> answer = world.probe(config);
  if (!answer)
    return {{Health::fail, "the model does not answer: " + said(answer.error()),
             "look at model.url and at the key"}};
  return {{Health::ok, "the model answers: " + *answer}};
}

Findings check_terminal(const Environment& environment) {
  const TerminalFacts terminal = look_at_terminal(environment);
  Findings out;
  if (is_utf8_locale(environment))
    out.push_back({Health::ok, "the locale is one of UTF-8"});
  else
    out.push_back({Health::warn, "the locale is not one of UTF-8", "export LC_ALL=C.UTF-8"});
  if (!terminal.is_capable) return out;
  const std::string what = fmt::format("the terminal has {} columns", terminal.columns);
  out.push_back(terminal.columns < 40 ? Finding{Health::warn, what, "make the window wider"}
                                      : Finding{Health::ok, what});
  return out;
}

Findings examine(const DoctorWorld& world) {
  Findings out = check_program();
  const Result<Config> config = Config::load(world.arguments, world.environment);
  append(out, check_config_file(world.environment, config));
  append(out, check_folders(world.environment));
  if (config) {
    append(out, check_database(world, *config));
    append(out, check_model(world, *config));
  }
  append(out, check_terminal(world.environment));
  return out;
}

}  // namespace alfred::cli
