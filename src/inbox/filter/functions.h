// The functions of the language (docs/inbox.md lists them).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "inbox/filter/node.h"
#include "inbox/filter/script/script_value.h"

namespace alfred::inbox {

struct Called {
  bool flag = false;
  std::optional<std::string> text{};
};

Result<Called> call_function(const Node& call, std::span<const ScriptValue> arguments);

}  // namespace alfred::inbox
