// The schema as a registry calls its rows. A ref that was given out stands for its row for ever, so
// where nobody declared how the rows of a table are called, names that were given before win over
// names that a table's name would give today.
//
// R1 a table whose rows have refs already keeps their word, whatever tables came since.
// R2 a table that is new gets no word that another table's rows have, or had: the next one of ref_names.h.
// R3 what a pack declares stays as it is; where a registry says otherwise, its calls say so.
// R4 a schema that already agrees is given back itself.
#pragma once

#include <memory>

#include "alfred/error.h"
#include "pack/schema.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

Result<std::shared_ptr<const Schema>> with_kept_ref_names(std::shared_ptr<const Schema> schema,
                                                          const RefRegistry& registry);

}  // namespace alfred
