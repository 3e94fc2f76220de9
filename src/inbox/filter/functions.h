// The functions of the language (docs/inbox.md lists them).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "inbox/filter/node.h"
#include "inbox/filter/script/script_value.h"

namespace alfred::inbox {

inline constexpr std::size_t kMaxMadeText = 1'048'576;

struct Called {
  bool flag = false;
  std::optional<std::string> text{};
};

// Error limit: the text would be longer than kMaxMadeText; it is not made.
Result<Called> call_function(const Node& call, std::span<const ScriptValue> arguments);

}  // namespace alfred::inbox
