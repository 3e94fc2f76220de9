#include "records/kept_ref_names.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pack/ref_names.h"

namespace alfred {
namespace {

using Names = std::set<std::string, std::less<>>;

// Whether the registry would give this table's rows their derived word.
bool is_free(const RefRegistry& registry, const std::string& word) {
  const std::optional<TypeNo> type = registry.find_type(word);
  return !type || (registry.table_of(*type).empty() && registry.called(*type) == word);
}

class KeptNames {
 public:
  KeptNames(const Schema& schema, const RefRegistry& registry) : registry_(registry) {
    tables_.assign(schema.tables().begin(), schema.tables().end());
    for (const Table& table : tables_)
      if (!table.is_ref_derived) taken_.insert(table.ref);
    settle_known();
    settle_others();
  }

  bool has_changed() const { return has_changed_; }
  std::vector<Table> take() { return std::move(tables_); }

 private:
  // R1
  void settle_known() {
    for (Table& table : tables_) {
      if (!table.is_ref_derived) continue;
      const std::optional<TypeNo> type = registry_.find_table(table.name);
      if (!type) {
        open_.push_back(&table);
        continue;
      }
      std::string word(registry_.type_name(*type));
      if (taken_.insert(word).second)
        call(table, std::move(word));
      else
        taken_.insert(table.ref);  // R3
    }
  }

  // R2: first those whose own word is free, so that they keep it.
  void settle_others() {
    std::vector<std::string> renamed;
    for (Table* const table : open_) {
      if (is_free(registry_, table->ref) && taken_.insert(table->ref).second) continue;
      renamed.push_back(table->name);
      table->ref.clear();
    }
    if (renamed.empty()) return;
    Names taken = taken_;
    for (std::size_t type = 0; type < registry_.type_count(); ++type)
      taken.emplace(registry_.type_name(static_cast<TypeNo>(type)));
    const std::map<std::string, std::string> settled = settle_ref_names(renamed, taken);
    for (Table* const table : open_)
      if (table->ref.empty()) call(*table, settled.at(table->name));
  }

  void call(Table& table, std::string word) {
    has_changed_ = has_changed_ || table.ref != word;
    table.ref = std::move(word);
  }

  const RefRegistry& registry_;
  std::vector<Table> tables_;
  std::vector<Table*> open_;  // no row of them has a ref yet
  Names taken_;
  bool has_changed_ = false;
};

}  // namespace

Result<std::shared_ptr<const Schema>> with_kept_ref_names(std::shared_ptr<const Schema> schema,
                                                          const RefRegistry& registry) {
  KeptNames names(*schema, registry);
  if (!names.has_changed()) return schema;
  Result<Schema> made = Schema::make(names.take());
  if (!made) return Unexpected(std::move(made).error());
  return std::make_shared<const Schema>(std::move(*made));
}

}  // namespace alfred
