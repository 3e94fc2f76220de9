// TypeBook: the types that one translation names. Types of rows go into the registry; what
// parameters name beside the registry's types stands only here, so that the registry stays as it
// is.
//
// R1 a book on a registry that may change says what the registry says.
// R2 a book on one that may not says what the registry would say, had it been asked.
// R3 what is called differently has different types (ref_names.h, name_stem): a name for refs that
//    is taken gets a number.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refs/registry/ref_registry.h"

namespace alfred {

class TypeBook {
 public:
  explicit TypeBook(RefRegistry& registry) : registry_(registry), changeable_(&registry) {}
  explicit TypeBook(const RefRegistry& registry) : registry_(registry) {}

  std::size_t size() const { return registry_.type_count() + own_.size(); }
  std::string_view name(TypeNo type) const;
  std::string_view table(TypeNo type) const;  // empty: bound to none yet
  std::string_view called(TypeNo type) const;
  std::optional<TypeNo> find(std::string_view name) const;
  std::optional<TypeNo> find_called(std::string_view called) const;
  std::optional<TypeNo> bound_to(std::string_view table) const;
  // As RefRegistry::type_named.
  Result<TypeNo> type_named(std::string_view name, std::string_view table, std::string_view called);
  // A new type: of this name, or of the name with a number when that is taken.
  Result<TypeNo> add(std::string_view name, std::string_view table, std::string_view called);
  // As RefRegistry::set_key_columns.
  Result<void> set_key_columns(TypeNo type, const std::vector<std::string>& columns);

 private:
  struct Own {
    std::string name;
    std::string called;
  };

  const RefRegistry& registry_;
  RefRegistry* changeable_ = nullptr;
  std::vector<Own> own_;  // numbered after the registry's
  std::map<std::string, TypeNo, std::less<>> own_names_;
  std::map<std::string, TypeNo, std::less<>> own_called_;
  std::map<TypeNo, std::string> bound_;  // tables that were named here
  std::map<std::string, TypeNo, std::less<>> bound_tables_;
  std::map<std::string, unsigned, std::less<>>
      numbers_;  // name → the last number it was tried with
};

}  // namespace alfred
