// Where Alfred keeps what is not data: the configuration and the history of lines.
//
// R1 the configuration is $XDG_CONFIG_HOME/alfred/config.toml, else ~/.config/alfred/config.toml; the history
//    $XDG_STATE_HOME/alfred/history, else ~/.local/state/alfred/history.
// R2 where ALFRED_HOME is set, both lie in it, beside the data.
// R3 folders are made with access for their owner only.
#pragma once

#include <functional>
#include <string>

#include "alfred/error.h"

namespace alfred::cli {

using Environment = std::function<std::string(const std::string& name)>;  // empty: not set
std::string system_environment(const std::string& name);

// Empty: there is no home to put it in.
std::string config_path(const Environment& environment);
std::string history_path(const Environment& environment);
std::string data_path(const Environment& environment);

// The zone of the clock on the wall: $TZ, else the system's; empty where it cannot be told.
std::string system_zone(const Environment& environment);

// Makes the folder of a file (R3).
Result<void> make_folder_of(const std::string& file);

}  // namespace alfred::cli
