// The types of hosts, as data: what their sources are, take and can do.
//
// R1 a source's config has the fields of its type and no others; a secret is kept and never shown.
// R2 an exec source runs a program, so it is set up on the machine itself, never over the network.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace alfred::inbox {

struct ConfigField {
  std::string_view name;
  std::string_view type;  // text, texts
  std::string_view says;
  bool is_secret = false;
  bool is_required = false;
};

struct SourceType {
  std::string_view name;
  std::string_view says;
  std::vector<std::string_view> kinds;  // of streams; empty: any
  std::vector<ConfigField> fields;
  bool takes_posts = false;  // outside systems POST to it
  bool folds_case = false;   // keys of its hosts and sources are one whatever their case (ASCII)
};

std::span<const SourceType> source_types();
const SourceType* find_source_type(std::string_view name);  // null: none
std::vector<std::string> source_type_names();
// The key of a host or a source as it is kept.
std::string kept_key(const SourceType& type, const std::string& key);

// R1. Errors: schema, value.
Result<void> check_config(const SourceType& type, const Json& config);
Result<void> check_kind(const SourceType& type, std::string_view kind);
// A config that replaces another: a secret that is left out, or is as it was shown, stays; null
// removes it.
Json with_kept_secrets(const SourceType& type, const Json& before, const Json& given);
// A config as it is shown: secrets are not in it, but that there is one.
Json shown_config(std::string_view type, const Json& config);

Json host_schema_json(std::string_view type);
Json source_schema_json(std::string_view type, std::string_view kind);
// {sourceRef: "<type>" or "<type>:<kind>", configRef?, config?}
Result<Json> preview_schema(const Json& request);

}  // namespace alfred::inbox
