#include "pack/entity_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pack/ref_names.h"

namespace alfred {
namespace {

using Index = std::map<std::string, std::size_t, std::less<>>;

std::vector<std::string> names_of(const Index& index) {
  std::vector<std::string> names;
  for (const auto& [name, position] : index) names.push_back(name);
  return names;
}

// Checks one declaration against itself and against the tables that are declared.
class Check {
 public:
  Check(const EntityType& type, std::size_t position, const std::vector<EntityType>& types,
        const Index& by_table)
      : type_(type),
        place_(fmt::format("entity[{}]", position)),
        types_(types),
        by_table_(by_table) {}

  Result<void> run() {
    if (Result<void> ok = check_ref(); !ok) return ok;
    if (Result<void> ok = check_columns(); !ok) return ok;
    if (Result<void> ok = check_links(); !ok) return ok;
    return check_label();
  }

 private:
  Unexpected wrong(std::string_view member, std::string message,
                   std::vector<std::string> allowed = {}) const {
    return fail(ErrorCode::schema, std::move(message), fmt::format("{}.{}", place_, member),
                std::move(allowed));
  }

  Result<void> check_ref() const {
    if (type_.ref.empty() || is_ref_type(type_.ref)) return {};
    return wrong(
        "ref", fmt::format("Table \"{}\" cannot have the ref \"{}\": a ref is lower-case letters "
                           "and digits in words joined by _, begins with a letter, has at most "
                           "{} bytes and does not begin with gen, ref or lit. Try \"{}\".",
                           type_.table, type_.ref, kMaxRefTypeBytes, ref_name_of_table(type_.ref)));
  }

  // A key column may also be a link (that is what a joining table is made of); a nested member is
  // neither.
  Result<void> check_columns() const {
    std::set<std::string_view> keys;
    std::set<std::string_view> links;
    std::set<std::string_view> members;
    for (const std::string& column : type_.key) {
      if (column.empty()) return wrong("key", no_name("key column"));
      if (!keys.insert(column).second) return wrong("key", twice("key", column));
    }
    for (const Link& link : type_.links) {
      if (link.column.empty()) return wrong("links", no_name("link"));
      if (!links.insert(link.column).second)
        return wrong("links." + link.column, twice("links", link.column));
    }
    for (const Nested& nested : type_.nested) {
      if (nested.member.empty()) return wrong("nested", no_name("nested member"));
      if (!members.insert(nested.member).second || keys.contains(nested.member) ||
          links.contains(nested.member))
        return wrong("nested." + nested.member, twice("nested", nested.member));
    }
    return {};
  }

  Result<void> check_links() const {
    for (const Link& link : type_.links) {
      const std::string member = "links." + link.column;
      const auto found = by_table_.find(link.table);
      if (found == by_table_.end()) return unknown_table(member, link.table);
      const std::size_t columns = types_[found->second].key.size();
      if (columns != 1)
        return wrong(member,
                     fmt::format("Column \"{}\" of \"{}\" cannot link to \"{}\", whose key "
                                 "has {} columns: one column holds a key of one column. "
                                 "Give \"{}\" a key of one column, or leave the link out.",
                                 link.column, type_.table, link.table, columns, link.table));
    }
    for (const Nested& nested : type_.nested)
      if (!by_table_.contains(nested.table))
        return unknown_table("nested." + nested.member, nested.table);
    return {};
  }

  Result<void> check_label() const {
    if (type_.label.empty()) return {};
    const auto is_label = [&](const auto& name) { return name == type_.label; };
    const bool is_key = std::any_of(type_.key.begin(), type_.key.end(), is_label);
    if (is_key || std::any_of(type_.links.begin(), type_.links.end(),
                              [&](const Link& link) { return is_label(link.column); }))
      return wrong("label", fmt::format("The label of \"{}\" cannot be \"{}\", which holds a key: "
                                        "labels are shown to models and keys are not. Name another "
                                        "column, or none.",
                                        type_.table, type_.label));
    return {};
  }

  Unexpected unknown_table(const std::string& member, std::string_view table) const {
    constexpr std::size_t kMostNamed = 10;
    std::vector<std::string> known = names_of(by_table_);
    const std::size_t all = known.size();
    if (all > kMostNamed) known.resize(kMostNamed);
    return wrong(member,
                 fmt::format("Table \"{}\" leads to \"{}\", which is not declared. Declared: {}{}. "
                             "Declare it, or leave it out.",
                             type_.table, table, fmt::join(known, ", "),
                             all > kMostNamed ? fmt::format(" and {} more", all - kMostNamed) : ""),
                 known);
  }

  std::string no_name(std::string_view what) const {
    return fmt::format("Table \"{}\" has a {} without a name; give it one or leave it out.",
                       type_.table, what);
  }

  std::string twice(std::string_view member, std::string_view column) const {
    return fmt::format("Table \"{}\" declares \"{}\" a second time in {}; once is enough.",
                       type_.table, column, member);
  }

  const EntityType& type_;
  std::string place_;
  const std::vector<EntityType>& types_;
  const Index& by_table_;
};

Result<Index> index_tables(const std::vector<EntityType>& types) {
  Index by_table;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string path = fmt::format("entity[{}].table", i);
    if (types[i].table.empty())
      return fail(ErrorCode::schema, "An entity has no table; name the table it describes.", path);
    if (!by_table.emplace(types[i].table, i).second)
      return fail(ErrorCode::schema,
                  fmt::format("Table \"{}\" is declared twice; keep one.", types[i].table), path);
  }
  return by_table;
}

Result<Index> index_refs(std::vector<EntityType>& types) {
  Index by_ref;
  std::set<std::string, std::less<>> taken;
  std::vector<std::string> unnamed;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].ref.empty()) {
      unnamed.push_back(types[i].table);
      continue;
    }
    const auto [first, is_new] = by_ref.emplace(types[i].ref, i);
    if (!is_new)
      return fail(ErrorCode::schema,
                  fmt::format("Tables \"{}\" and \"{}\" both have the ref \"{}\"; give one of them "
                              "another.",
                              types[first->second].table, types[i].table, types[i].ref),
                  fmt::format("entity[{}].ref", i));
    taken.insert(types[i].ref);
  }
  const std::map<std::string, std::string> settled = settle_ref_names(unnamed, taken);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!types[i].ref.empty()) continue;
    types[i].ref = settled.at(types[i].table);
    by_ref.emplace(types[i].ref, i);
  }
  return by_ref;
}

}  // namespace

Result<EntityTypes> EntityTypes::make(std::vector<EntityType> declared) {
  Result<Index> by_table = index_tables(declared);
  if (!by_table) return Unexpected(by_table.error());
  for (std::size_t i = 0; i < declared.size(); ++i)
    if (Result<void> ok = Check(declared[i], i, declared, *by_table).run(); !ok)
      return Unexpected(ok.error());
  Result<Index> by_ref = index_refs(declared);
  if (!by_ref) return Unexpected(by_ref.error());
  EntityTypes made;
  made.types_ = std::move(declared);
  for (EntityType& type : made.types_) type.is_declared = true;
  made.by_table_ = std::move(*by_table);
  made.by_ref_ = std::move(*by_ref);
  return made;
}

const EntityType* EntityTypes::find_table(std::string_view table) const {
  const auto found = by_table_.find(table);
  return found == by_table_.end() ? nullptr : &types_[found->second];
}

const EntityType* EntityTypes::find_ref(std::string_view ref) const {
  const auto found = by_ref_.find(ref);
  return found == by_ref_.end() ? nullptr : &types_[found->second];
}

EntityType derive_entity_type(std::string_view table) {
  EntityType type;
  type.table = table;
  type.ref = ref_name_of_table(table);
  type.key = {"id"};
  type.is_declared = false;
  return type;
}

}  // namespace alfred
