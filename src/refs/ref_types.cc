// The types of a registry (R6: with ref_operations.cc and ref_fold.cc, the only code that writes).
#include <fmt/format.h>

#include "pack/ref_names.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

Result<TypeNo> RefRegistry::type_named(std::string_view name, std::string_view table,
                                       std::optional<std::string_view> called) {
  if (const std::optional<TypeNo> known = find_type(name)) {
    bind(*known, table);
    return *known;
  }
  if (!is_ref_type(name))
    return fail(ErrorCode::schema,
                fmt::format("\"{}\" cannot be the type of a ref: use lower-case words joined by _, "
                            "not beginning with gen, ref or lit",
                            name));
  if (types_.size() > 0xfffe)
    return fail(ErrorCode::limit,
                "a registry holds at most 65,535 entity types, and every member that holds objects "
                "in a table that nobody declared needs one. Declare the table, or read fewer "
                "columns.");
  const auto number = static_cast<TypeNo>(types_.size());
  // What one type is called, another cannot be.
  const std::string_view wanted = called.value_or(name);
  const std::string_view own = type_by_called_.find(wanted) == type_by_called_.end() ? wanted : "";
  types_.push_back({std::string(name), {}, std::string(own), {}, {}, {}});
  type_names_.add(name);
  if (!own.empty()) type_by_called_.emplace(std::string(own), number);
  bind(number, table);
  return number;
}

void RefRegistry::bind(TypeNo type, std::string_view table) {
  if (table.empty() || !types_[type].table.empty()) return;
  remember_type(type);
  types_[type].table = std::string(table);
  type_by_table_.emplace(std::string(table), type);
}

Result<void> RefRegistry::check_key_columns(TypeNo type,
                                            const std::vector<std::string>& columns) const {
  const Type& known = types_[type];
  if (columns.empty() || known.key.empty() || known.key == columns) return {};
  return fail(ErrorCode::schema,
              fmt::format("this registry knows the rows of type {} by the key ({}), and here "
                          "their key is ({}). Use the declarations they were read with, or "
                          "begin with an empty registry.",
                          known.name, fmt::join(known.key, ", "), fmt::join(columns, ", ")));
}

Result<void> RefRegistry::set_key_columns(TypeNo type, const std::vector<std::string>& columns) {
  if (Result<void> same = check_key_columns(type, columns); !same) return same;
  if (columns.empty() || types_[type].key == columns) return {};
  remember_type(type);
  types_[type].key = columns;
  return {};
}

void RefRegistry::remember_type(TypeNo type) {
  if (type >= mark_.types) return;  // made in this transaction: it goes whole
  changed_types_.push_back({type, types_[type].table, types_[type].key});
}

void RefRegistry::forget_last_type() {
  const Type& last = types_.back();
  const auto number = static_cast<TypeNo>(types_.size() - 1);
  type_names_.drop_last();
  type_by_called_.erase(last.called);
  const auto table = type_by_table_.find(last.table);
  if (table != type_by_table_.end() && table->second == number) type_by_table_.erase(table);
  types_.pop_back();
}

}  // namespace alfred
