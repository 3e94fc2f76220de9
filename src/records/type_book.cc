#include "records/type_book.h"

namespace alfred {

std::string_view TypeBook::name(TypeNo type) const {
  const std::size_t known = registry_.type_count();
  return type < known ? registry_.type_name(type) : own_names_[type - known];
}

std::string_view TypeBook::table(TypeNo type) const {
  if (const auto here = bound_.find(type); here != bound_.end()) return here->second;
  return type < registry_.type_count() ? registry_.table_of(type) : std::string_view();
}

std::optional<TypeNo> TypeBook::find(std::string_view name) const {
  if (const std::optional<TypeNo> known = registry_.find_type(name)) return known;
  const auto here = own_.find(name);
  return here == own_.end() ? std::nullopt : std::optional(here->second);
}

std::optional<TypeNo> TypeBook::bound_to(std::string_view table_name) const {
  if (table_name.empty()) return std::nullopt;  // so are the tables of types that are not bound yet
  for (std::size_t i = 0; i < size(); ++i)
    if (table(static_cast<TypeNo>(i)) == table_name) return static_cast<TypeNo>(i);
  return std::nullopt;
}

Result<TypeNo> TypeBook::type_named(std::string_view name, std::string_view table_name) {
  if (changeable_ != nullptr) return changeable_->type_named(name, table_name);
  std::optional<TypeNo> type = find(name);
  if (!type) {
    if (size() > 0xfffe)
      return fail(ErrorCode::limit, "columns of more than 65,535 types cannot be told apart");
    type = static_cast<TypeNo>(size());
    own_names_.push_back(own_.emplace(std::string(name), *type).first->first);
  }
  if (!table_name.empty() && table(*type).empty()) bound_[*type] = std::string(table_name);
  return *type;
}

}  // namespace alfred
