// The pack and the database it is for, and what was left running in it.
#include <fmt/format.h>

#include <filesystem>

#include "engine/session/session_store.h"
#include "surface/cli/doctor/doctor.h"
#include "surface/cli/named_place.h"

namespace alfred::cli {
namespace {

constexpr std::int64_t kMostTurns = 1000;

std::string said(const Error& error) {
  return error.path.empty() ? error.message : error.message + " (at " + error.path + ")";
}

Result<Pack> pack_of(const Config& config) {
  return config.is_set("pack") ? load_pack(config.text("pack"))
                               : load_embedded_pack(ALFRED_EMBEDDED_PACK);
}

// What a stop left running (sweep.h).
Finding check_turns(const RecordPlace& place) {
  std::size_t left = 0;
  const auto read = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<LeftTurn>> turns = running_turns(tx, kMostTurns);
    if (!turns) return Unexpected(turns.error());
    left = turns->size();
    return {};
  };
  RecordPlace same = place;
  if (const Result<void> done = same.state().read(place.caller, read); !done)
    return {Health::fail, "sessions: " + said(done.error()), "alfred audit says more"};
  if (left == 0) return {Health::ok, "no turn was left running"};
  return {Health::warn, fmt::format("{} turns are running or were cut off", left),
          "alfred chat goes on with its own; alfred session recover ends the others"};
}

// The file of ours that would be made; empty: the database is named.
std::string own_file(const DoctorWorld& world, const Config& config, const Pack& pack) {
  if (config.is_set("db")) return "";
  return data_path(world.environment) + "/" + pack.name + ".db";
}

}  // namespace

Findings check_database(const DoctorWorld& world, const Config& config) {
  Findings out;
  const bool is_derived = config.is_set("db") && !config.is_set("pack");
  std::string own;
  if (!is_derived) {
    const Result<Pack> pack = pack_of(config);
    if (!pack) {
      out.push_back({Health::fail, "pack: " + said(pack.error()), "alfred pack check says more"});
      return out;
    }
    out.push_back(
        {Health::ok, fmt::format("pack {}, schema version {}", pack->name, pack->schema_version)});
    own = own_file(world, config, *pack);
  }
  std::error_code ignored;
  if (!own.empty() && !std::filesystem::exists(own, ignored)) {
    out.push_back({Health::ok, "database " + own + " (made on first use)"});
    return out;
  }
  Ports ports;
  Result<PlaceOptions> options = named_place(world.arguments);
  if (!options) return {{Health::fail, said(options.error()), "correct it"}};
  options->has_demo = false;
  const Result<RecordPlace> place = open_place(*options, ports.clock, ports.random);
  if (!place) {
    out.push_back({Health::fail, "database: " + said(place.error()),
                   "keep a copy of the file before you try anything"});
    return out;
  }
  out.push_back({Health::ok, fmt::format("database {}: opens, {} tables, pages fit together",
                                         own.empty() ? "that was named" : own,
                                         place->schema->tables().size())});
  out.push_back(check_turns(*place));
  return out;
}

}  // namespace alfred::cli
