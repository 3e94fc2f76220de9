#include "records/type_book.h"

#include <fmt/format.h>

namespace alfred {
namespace {

template <class Map>
std::optional<TypeNo> found_in(const Map& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::string_view TypeBook::name(TypeNo type) const {
  const std::size_t known = registry_.type_count();
  return type < known ? registry_.type_name(type) : own_[type - known].name;
}

std::string_view TypeBook::table(TypeNo type) const {
  if (const auto here = bound_.find(type); here != bound_.end()) return here->second;
  return type < registry_.type_count() ? registry_.table_of(type) : std::string_view();
}

std::string_view TypeBook::called(TypeNo type) const {
  const std::size_t known = registry_.type_count();
  return type < known ? registry_.called(type) : own_[type - known].called;
}

std::optional<TypeNo> TypeBook::find(std::string_view name) const {
  const std::optional<TypeNo> known = registry_.find_type(name);
  return known ? known : found_in(own_names_, name);
}

std::optional<TypeNo> TypeBook::find_called(std::string_view called) const {
  if (called.empty()) return std::nullopt;
  const std::optional<TypeNo> known = registry_.find_called(called);
  return known ? known : found_in(own_called_, called);
}

std::optional<TypeNo> TypeBook::bound_to(std::string_view table_name) const {
  if (table_name.empty()) return std::nullopt;  // so are the tables of types that are not bound yet
  const std::optional<TypeNo> known = registry_.find_table(table_name);
  return known ? known : found_in(bound_tables_, table_name);
}

Result<TypeNo> TypeBook::type_named(std::string_view name, std::string_view table_name,
                                    std::string_view called) {
  if (changeable_ != nullptr) return changeable_->type_named(name, table_name, called);
  std::optional<TypeNo> type = find(name);
  if (!type) {
    if (size() > 0xfffe)
      return fail(ErrorCode::limit, "columns of more than 65,535 types cannot be told apart");
    type = static_cast<TypeNo>(size());
    own_.push_back({std::string(name), std::string(find_called(called) ? "" : called)});
    own_names_.emplace(std::string(name), *type);
    if (!own_.back().called.empty()) own_called_.emplace(own_.back().called, *type);
  }
  if (!table_name.empty() && table(*type).empty()) {
    bound_[*type] = std::string(table_name);
    bound_tables_.emplace(std::string(table_name), *type);
  }
  return *type;
}

Result<TypeNo> TypeBook::add(std::string_view name, std::string_view table_name,
                             std::string_view called) {
  if (!find(name)) return type_named(name, table_name, called);
  constexpr std::size_t kDigits = 5;
  const std::string base(name.substr(0, Ref::kMaxTypeBytes - kDigits));
  unsigned& number = numbers_.emplace(base, 1).first->second;
  std::string numbered;
  do numbered = fmt::format("{}{}", base, ++number);
  while (find(numbered));
  return type_named(numbered, table_name, called);
}

Result<void> TypeBook::set_key_columns(TypeNo type, const std::vector<std::string>& columns) {
  if (changeable_ != nullptr) return changeable_->set_key_columns(type, columns);
  if (type >= registry_.type_count()) return {};
  return registry_.check_key_columns(type, columns);
}

}  // namespace alfred
