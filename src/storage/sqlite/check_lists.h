// The values a CHECK allows, read from the text of a CREATE TABLE: `CHECK (state IN ('new',
// 'old'))`. Whatever is not exactly of this form is passed over.
#pragma once

#include <string_view>

#include "pack/catalogue.h"

namespace alfred {

void read_check_lists(std::string_view create_table, CatalogueTable& table);

}  // namespace alfred
