// A change as the journal's text: the bytes of write_json(change_json(change)), without a value of
// it in between.
#pragma once

#include <string>

#include "state/change.h"

namespace alfred {

void append_change(std::string& out, const Change& change);

}  // namespace alfred
