// One object of a registry's JSON, member by member: the first that is missing or of the wrong kind
// is kept as the fault, and a member nobody asked for is one too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "refs/registry/ref_entry.h"

namespace alfred {

class RegistryMembers {
 public:
  RegistryMembers(const Json& json, std::string path);

  std::string text(std::string_view name, bool is_required);
  // A text that is written only when there is one, and that is at most a label long.
  std::string short_text(std::string_view name);
  std::optional<std::uint32_t> number(std::string_view name, bool is_required);
  const Json* find(std::string_view name, bool is_required, std::string_view kind);
  const JsonArray* array(std::string_view name);
  bool has(std::string_view name) const { return object_ != nullptr && object_->contains(name); }
  std::vector<std::string> texts(std::string_view name);  // one text or more
  void blame(std::string_view name, std::string_view wanted);
  std::optional<Error> fault();

 private:
  const JsonObject* object_ = nullptr;
  std::string path_;
  std::size_t asked_ = 0;
  std::optional<Error> fault_;
};

Unexpected registry_misfit(std::string message, std::string path);
Result<TypeDeclared> read_type_declared(const Json& json, const std::string& path);
// A uuid may be a bare text here and an integer a bare number.
Result<RecordKey> read_row_key(const Json& json, const std::string& path);
// The rows of an {"alike":…} (registry_json.h), `json` being what stands in it.
Result<std::vector<RefEntry>> read_alike(const Json& json, const std::string& path);
Result<RefEntry> read_ref_entry(const Json& json, const std::string& path);

}  // namespace alfred
