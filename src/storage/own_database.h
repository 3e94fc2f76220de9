// A database that a person named to be ours, looked at before it is opened as one: opening archives
// what it does not know (sqlite/own_file.h R1), which is right for a file that only this program
// can have put there.
//
// R1 a file of another program, or one that is no database, is refused (`file`) and left as it is.
// R2 one that is not there is refused as well where nothing is to be made.
#pragma once

#include "storage/open_store.h"

namespace alfred {

enum class IfAbsent : std::uint8_t { make, refuse };
Result<void> check_own_database(const DatabaseUrl& url, IfAbsent if_absent);

}  // namespace alfred
