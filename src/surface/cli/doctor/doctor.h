// Checks of an installation: what is well, what is not, and how to put it right.
//
// R1 nothing is made or changed that is not there already: a database that does not exist is not made.
// R2 each finding says what was looked at; one that is not ok says what to do.
// R3 no key and no password is shown.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "surface/cli/config/config.h"

namespace alfred::cli {

enum class Health : std::uint8_t { ok, warn, fail };
std::string_view health_name(Health health);

struct Finding {
  Health health = Health::ok;
  std::string what{};
  std::string fix{};
};
using Findings = std::vector<Finding>;

// Asks the model something small; what it said of itself.
using ModelProbe = std::function<Result<std::string>(const Config& config)>;

struct DoctorWorld {
  const Arguments& arguments;
  const Environment& environment;
  ModelProbe probe{};  // none: this program cannot ask a model
};

Findings examine(const DoctorWorld& world);

// One subject each.
Findings check_program();
Findings check_config_file(const Environment& environment, const Result<Config>& config);
Findings check_folders(const Environment& environment);
Findings check_database(const DoctorWorld& world, const Config& config);
Findings check_model(const DoctorWorld& world, const Config& config);
Findings check_terminal(const Environment& environment);

}  // namespace alfred::cli
