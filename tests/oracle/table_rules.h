// What becomes of each column of a table, for the oracle: the rules of row_plan.h once more.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
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
  bool inserts_ref = false;
  std::vector<std::string> key;
  std::map<std::string, Column> columns;
};

// An ErrorCode in an answer: what is declared and what the registry knows do not fit.
class TableRules {
 public:
  TableRules(RegistryModel& registry, const EntityTypes& types)
      : registry_(registry), types_(types) {}

  RegistryModel& registry() { return registry_; }
  std::optional<ErrorCode> of_table(const std::string& table, Rules*& found);
  std::optional<ErrorCode> of_member(const std::string& name, Rules*& found);
  Column& column(Rules& rules, const std::string& name);
  std::optional<ErrorCode> settle_type(Rules& rules);

 private:
  std::optional<ErrorCode> declare(Rules& rules, const EntityType& type);
  std::string type_of_member(const std::string& name);
  std::optional<ErrorCode> type_of(const std::string& table, const std::string& wanted,
                                   std::string& type);

  RegistryModel& registry_;
  const EntityTypes& types_;
  std::map<std::string, std::unique_ptr<Rules>> known_;
};

}  // namespace alfred::oracle
