// The readers of pack.toml's tables, one function for each kind. Used by load_pack.cc alone.
#pragma once

#include "alfred/error.h"
#include "pack/load/toml.h"
#include "pack/pack.h"

namespace alfred {

Result<PackEntity> read_pack_entity(const TomlValue& value);
Result<CompileRules> read_compile_rules(const TomlValue& value);
Result<Subdomain> read_subdomain(const TomlValue& value);
Result<Category> read_category(const TomlValue& value);
Result<ConstraintType> read_constraint_type(const TomlValue& value);
Result<Unit> read_unit(const TomlValue& value);

// What the parts of a pack say about each other (tables that are declared, names that are used
// once), as far as it can be known without a database.
Result<void> check_pack(const Pack& pack);

}  // namespace alfred
