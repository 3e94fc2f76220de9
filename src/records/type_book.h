// TypeBook: the types that one translation names. Types of rows go into the registry; what
// parameters name beside the registry's types stands only here, so that the registry stays as it
// is.
//
// R1 a book on a registry that may change says what the registry says.
// R2 a book on one that may not says what the registry would say, had it been asked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refs/ref_registry.h"

namespace alfred {

class TypeBook {
 public:
  explicit TypeBook(RefRegistry& registry) : registry_(registry), changeable_(&registry) {}
  explicit TypeBook(const RefRegistry& registry) : registry_(registry) {}

  std::size_t size() const { return registry_.type_count() + own_.size(); }
  std::string_view name(TypeNo type) const;
  std::string_view table(TypeNo type) const;  // empty: bound to none yet
  std::optional<TypeNo> find(std::string_view name) const;
  std::optional<TypeNo> bound_to(std::string_view table) const;
  // As RefRegistry::type_named.
  Result<TypeNo> type_named(std::string_view name, std::string_view table);

 private:
  const RefRegistry& registry_;
  RefRegistry* changeable_ = nullptr;
  std::map<std::string, TypeNo, std::less<>> own_;  // numbered after the registry's
  std::vector<std::string_view> own_names_;         // by number
  std::map<TypeNo, std::string> bound_;             // tables that were named here
};

}  // namespace alfred
