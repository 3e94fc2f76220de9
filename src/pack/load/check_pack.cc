#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pack/load/pack_reader.h"

namespace alfred {
namespace {

class Check {
 public:
  explicit Check(const Pack& pack) : pack_(pack) {}

  Result<void> run() const {
    if (Result<void> ok = check_entities(); !ok) return ok;
    if (Result<void> ok = check_subdomains(); !ok) return ok;
    if (Result<void> ok = check_constraints(); !ok) return ok;
    if (Result<void> ok = check_units(); !ok) return ok;
    if (Result<void> ok = check_profile(); !ok) return ok;
    for (const DashboardLine& line : pack_.dashboard)
      if (Result<void> ok = declared(line.table, line.place); !ok) return ok;
    return check_texts();
  }

 private:
  Result<void> declared(const std::string& table, const TomlPlace& place) const {
    if (pack_.shows_undeclared || pack_.find(table) != nullptr) return {};
    std::vector<std::string> known;
    known.reserve(pack_.entities.size());
    for (const PackEntity& entity : pack_.entities) known.push_back(entity.table);
    return fail_toml(place, fmt::format("Table \"{}\" is not declared.", table), std::move(known));
  }

  Result<void> check_entities() const {
    std::set<std::string_view> seen;
    for (const PackEntity& entity : pack_.entities) {
      if (!seen.insert(entity.table).second)
        return fail_toml(entity.places.at("table"),
                         fmt::format("Table \"{}\" is declared twice; keep one.", entity.table));
      for (const PackLink& link : entity.links)
        if (Result<void> ok = declared(link.table, link.place); !ok) return ok;
      if (entity.nested)
        for (const PackRelation& relation : *entity.nested)
          if (Result<void> ok = declared(relation.table, relation.place); !ok) return ok;
      for (const LinkedRules& linked : entity.compile.linked)
        if (Result<void> ok = declared(linked.table, entity.places.at("compile")); !ok) return ok;
      if (Result<void> ok = check_fields(entity); !ok) return ok;
    }
    return {};
  }

  static Result<void> check_fields(const PackEntity& entity) {
    for (const PackField& field : entity.fields)
      for (const auto& [word, value] : field.aliases)
        if (std::find(field.values.begin(), field.values.end(), value) == field.values.end())
          return fail_toml(field.place,
                           fmt::format("\"{}\" has no value \"{}\" for \"{}\" to stand for.",
                                       field.name, value, word),
                           field.values);
    return {};
  }

  Result<void> check_subdomains() const {
    std::set<std::string_view> names;
    for (const Subdomain& subdomain : pack_.subdomains) {
      if (!names.insert(subdomain.name).second) return twice(subdomain.name, subdomain.place);
      if (subdomain.tables.empty())
        return fail_toml(subdomain.place,
                         fmt::format("Subdomain \"{}\" has no tables.", subdomain.name));
      for (const std::string& table : subdomain.tables)
        if (Result<void> ok = declared(table, subdomain.place); !ok) return ok;
    }
    return {};
  }

  Result<void> check_constraints() const {
    std::set<std::string_view> names;
    for (const ConstraintType& type : pack_.constraint_types) {
      if (!names.insert(type.name).second) return twice(type.name, type.place);
      for (const std::string& field : type.one_fields)
        if (std::find(type.fields.begin(), type.fields.end(), field) == type.fields.end())
          return fail_toml(type.place,
                           fmt::format("Constraint \"{}\" has no field \"{}\".", type.name, field),
                           type.fields);
    }
    return {};
  }

  Result<void> check_units() const {
    std::set<std::string_view> words;
    for (const Unit& unit : pack_.units) {
      if (!words.insert(unit.name).second) return twice(unit.name, unit.place);
      for (const std::string& word : unit.words)
        if (!words.insert(word).second) return twice(word, unit.place);
    }
    return {};
  }

  Result<void> check_profile() const {
    const Profile& profile = pack_.profile;
    if (profile.table.empty()) return {};
    if (Result<void> ok = declared(profile.table, profile.place); !ok) return ok;
    const PackEntity* entity = pack_.find(profile.table);
    if (entity != nullptr && !entity->is_single)
      return fail_toml(profile.place,
                       fmt::format("The profile is the one row a user has in \"{}\"; say "
                                   "single = true there.",
                                   profile.table));
    std::vector<std::string> types;
    types.reserve(pack_.constraint_types.size());
    for (const ConstraintType& type : pack_.constraint_types) types.push_back(type.name);
    for (const PermanentConstraint& one : profile.constraints)
      if (std::find(types.begin(), types.end(), one.type) == types.end())
        return fail_toml(one.place,
                         fmt::format("There is no constraint type \"{}\"; there are: {}.", one.type,
                                     fmt::join(types, ", ")),
                         types);
    return {};
  }

  Result<void> check_texts() const {
    for (const auto& [name, file] : pack_.texts) {
      const TomlPlace place = file.name + ":1:1";
      if (file.text.find_first_not_of(" \t\r\n") == std::string::npos)
        return fail_toml(place, fmt::format("The text \"{}\" is empty.", name));
      if (Result<void> ok = check_text_name(name, place); !ok) return ok;
    }
    return {};
  }

  // subdomains/S, personas/S.T and examples/S.T are looked up by prompts; others are the pack's
  // own.
  Result<void> check_text_name(std::string_view name, const TomlPlace& place) const {
    const std::size_t slash = name.find('/');
    const std::string_view kind = name.substr(0, slash);
    const bool has_step = kind == "personas" || kind == "examples";
    if (slash == std::string_view::npos || (!has_step && kind != "subdomains")) return {};
    const std::string_view rest = name.substr(slash + 1);
    const std::size_t dot = has_step ? rest.rfind('.') : std::string_view::npos;
    std::vector<std::string> known;
    known.reserve(pack_.subdomains.size());
    for (const Subdomain& subdomain : pack_.subdomains) known.push_back(subdomain.name);
    const std::string subdomain(rest.substr(0, dot));
    if (std::find(known.begin(), known.end(), subdomain) == known.end())
      return fail_toml(place,
                       fmt::format("The text \"{}\" is for the subdomain \"{}\", which is none; "
                                   "there are: {}.",
                                   name, subdomain, fmt::join(known, ", ")),
                       known);
    static const std::vector<std::string> kSteps{"read", "write", "analyze", "generate"};
    const std::string step(dot == std::string_view::npos ? "" : rest.substr(dot + 1));
    if (has_step && std::find(kSteps.begin(), kSteps.end(), step) == kSteps.end())
      return fail_toml(place,
                       fmt::format("The text \"{}\" ends in the type of a step: {}.", name,
                                   fmt::join(kSteps, ", ")),
                       kSteps);
    return {};
  }

  static Unexpected twice(const std::string& name, const TomlPlace& place) {
    return fail_toml(place, fmt::format("\"{}\" is declared twice; keep one.", name));
  }

  const Pack& pack_;
};

}  // namespace

Result<void> check_pack(const Pack& pack) { return Check(pack).run(); }

}  // namespace alfred
