// A workspace made with what else a transaction writes, for who opens it afterwards.
#pragma once

#include "engine/journal/workspace.h"

namespace alfred {

// Where the name is new; else nothing happens.
Result<void> make_workspace(Tx& tx, const WorkspaceName& name, const Clock& clock);

}  // namespace alfred
