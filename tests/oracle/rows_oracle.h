// The oracle of the translator from rows to refs: reads the whole input into a tree, registers
// every key, then writes the whole output, with maps and strings and nothing clever. What it says
// is what the streaming translator must say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "oracle/json_tree.h"
#include "oracle/registry_model.h"
#include "pack/entity_types.h"
#include "records/to_refs/rows_to_refs.h"

namespace alfred::oracle {

struct OracleError {
  ErrorCode code = ErrorCode::json;
  std::optional<std::size_t> offset;  // none: the fault is not at one place of the input
};

struct OracleAnswer {
  std::optional<OracleError> error;
  std::string out;         // nothing on an error
  RegistryModel registry;  // afterwards; on an error, as before
};

OracleAnswer translate_rows(const RegistryModel& before, const EntityTypes& types,
                            std::string_view table, std::string_view json,
                            const RowsOptions& options = {});

}  // namespace alfred::oracle
