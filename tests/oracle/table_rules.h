// What becomes of each column of a table, for the oracle: the rules of row_plan.h once more.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle/registry_model.h"
#include "pack/entity_types.h"

namespace alfred::oracle {

struct Rules;

struct Column {
  enum class Use { copy, own_key, link, nested, open };
  Use use = Use::copy;
  std::optional<std::size_t> key_part;
  std::size_t label_rank = std::numeric_limits<std::size_t>::max();
  std::string type;       // link: of whose refs
  Rules* rows = nullptr;  // nested; open: once it held something
};

struct Rules {
  std::string table;
  std::string wanted_ref;  // empty: from the table's name
  std::string type;        // empty: not settled
  bool is_declared = false;
  bool is_member = false;  // of an undeclared table: its name binds nothing
  std::string called;      // of a member
  std::string base;        // what a member's type is named, numbers apart
  bool is_map = false;     // entries of a map
  std::unique_ptr<Rules> entries;
  bool inserts_ref = false;
  std::set<std::string> declared;  // columns, where a ref is inserted
  std::vector<std::string> key;
  std::map<std::string, Column> columns;
};

// An ErrorCode in an answer: what is declared and what the registry knows do not fit.
class TableRules {
 public:
  // keys: names that are known to be keys, whatever the registry says.
  TableRules(RegistryModel& registry, const EntityTypes& types, const std::set<std::string>& keys)
      : registry_(registry), types_(types), keys_(keys) {}

  // Names that types were made for and that are keys, as is known by now.
  std::set<std::string> late_keys() const;

  RegistryModel& registry() { return registry_; }
  std::optional<ErrorCode> of_table(const std::string& table, Rules*& found);
  std::optional<ErrorCode> of_member(Rules& parent, const std::string& name, Rules*& found);
  std::optional<ErrorCode> column(Rules& rules, const std::string& name, Column*& found);
  std::optional<ErrorCode> settle_type(Rules& rules);

 private:
  std::optional<ErrorCode> declare(Rules& rules, const EntityType& type);
  std::string type_of_member(const Rules& rules);
  std::string type_called(const std::string& called, const std::string& base);
  std::optional<ErrorCode> set_key(const std::string& type, const std::vector<std::string>& key);
  bool is_key(const std::string& name);
  std::optional<ErrorCode> guess_key(Rules& rules, const std::string& name, Column& column);
  Rules& entries_of(Rules& parent);
  std::optional<ErrorCode> type_of(const std::string& table, const std::string& wanted,
                                   std::string& type);

  RegistryModel& registry_;
  const EntityTypes& types_;
  const std::set<std::string>& keys_;
  std::set<std::string> shown_;
  std::map<std::string, std::unique_ptr<Rules>> known_;
};

}  // namespace alfred::oracle
