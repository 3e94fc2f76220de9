// The one table of error codes: name, kind, HTTP status, MCP mapping, meaning.
// docs/errors.md is generated from it and drift-tested.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "alfred/error.h"

namespace alfred {

struct ErrorRow {
  ErrorCode code;
  std::string_view name;
  ErrorKind kind;
  int http_status;
  std::string_view mcp;  // "tool error" (isError result) or a JSON-RPC code
  std::string_view meaning;
};

std::span<const ErrorRow> error_table();
const ErrorRow& error_row(ErrorCode code);
std::string_view error_kind_name(ErrorKind kind);

// The text of docs/errors.md.
std::string error_table_markdown();

}  // namespace alfred
