#include "base/error_table.h"

#include <array>

#include <fmt/format.h>

namespace alfred {
namespace {

using enum ErrorCode;
using Kind = ErrorKind;
constexpr std::string_view kToolError = "tool error";

constexpr std::array kTable{
    ErrorRow{json, "json", Kind::bad_input, 400, kToolError,
             "The text is not JSON. `path` gives the byte where it stopped being so."},
    ErrorRow{json_dupkey, "json_dupkey", Kind::bad_input, 400, kToolError,
             "An object names the same member twice; readers disagree on which one counts."},
    ErrorRow{utf8, "utf8", Kind::bad_input, 400, kToolError,
             "The bytes are not UTF-8, or an escape names half a surrogate pair."},
    ErrorRow{limit, "limit", Kind::bad_input, 413, kToolError,
             "The input is larger, deeper or longer than the stated limit. Nothing was done."},
    ErrorRow{id_syntax, "id_syntax", Kind::bad_input, 400, kToolError,
             "Not a durable short id. The message shows the expected form."},
    ErrorRow{ref_syntax, "ref_syntax", Kind::bad_input, 400, kToolError,
             "Not a ref. Database keys and durable ids are refused here even when they are right."},
    ErrorRow{ref_unknown, "ref_unknown", Kind::not_found, 404, kToolError,
             "The ref was never issued in this session. `allowed` names refs that were."},
    ErrorRow{ref_type, "ref_type", Kind::bad_input, 400, kToolError,
             "The ref is of another entity type than this column takes."},
    ErrorRow{ref_deleted, "ref_deleted", Kind::conflict, 409, kToolError,
             "The row behind the ref was deleted; the ref stays reserved and is never reused."},
    ErrorRow{ref_pending, "ref_pending", Kind::conflict, 409, kToolError,
             "The ref names generated content that has no row yet. Save it first."},
    ErrorRow{literal_unknown, "literal_unknown", Kind::not_found, 404, kToolError,
             "A `lit_n` that was never shown in this session; it stands for no text."},
    ErrorRow{key_taken, "key_taken", Kind::conflict, 409, kToolError,
             "The row is already known under another ref; the message names it."},
    ErrorRow{key_type, "key_type", Kind::bad_input, 422, kToolError,
             "A key column holds something that is no uuid, 64-bit integer or text."},
    ErrorRow{schema, "schema", Kind::bad_input, 422, kToolError,
             "Well-formed input that does not follow its declared shape; `path` says where."},
    ErrorRow{table, "table", Kind::not_found, 404, kToolError,
             "No table of this name that you may use; one that is hidden looks the same."},
    ErrorRow{column, "column", Kind::bad_input, 400, kToolError,
             "The table has no such column for you. `allowed` lists what it has."},
    ErrorRow{column_readonly, "column_readonly", Kind::bad_input, 400, kToolError,
             "The column is set by the system: keys, owners, times and what is declared so."},
    ErrorRow{op, "op", Kind::bad_input, 400, kToolError,
             "No such operator, or not for this column's type. `allowed` lists those that fit."},
    ErrorRow{value, "value", Kind::bad_input, 422, kToolError,
             "The column does not take this value; the message says what it takes."},
    ErrorRow{enum_value, "enum_value", Kind::bad_input, 422, kToolError,
             "The value is none of the column's list, which `allowed` shows."},
    ErrorRow{filter_required, "filter_required", Kind::bad_input, 400, kToolError,
             "An update or delete names the rows it means by their refs; this one names none."},
    ErrorRow{conflict, "conflict", Kind::conflict, 409, kToolError,
             "A constraint of the database refuses the row; the message names the columns."},
    ErrorRow{stale, "stale", Kind::conflict, 409, kToolError,
             "The row changed since the version given was read. Read it again."},
    ErrorRow{batch_dup, "batch_dup", Kind::bad_input, 422, kToolError,
             "A batch names the same row or item twice."},
    ErrorRow{batch_item, "batch_item", Kind::bad_input, 422, kToolError,
             "A row names no item of its batch, or one that is finished."},
    ErrorRow{batch_pending, "batch_pending", Kind::refused, 409, kToolError,
             "The batch has items that are neither done nor failed; the message names them."},
    ErrorRow{op_reused, "op_reused", Kind::conflict, 422, kToolError,
             "The operation id was used for another request. Use a new one."},
    ErrorRow{answer_empty, "answer_empty", Kind::bad_input, 422, kToolError,
             "The model answered nothing. It is asked again, a few times."},
    ErrorRow{answer_ambiguous, "answer_ambiguous", Kind::bad_input, 422, kToolError,
             "The answer holds prose around its JSON, or more than one JSON value."},
    ErrorRow{answer_cut, "answer_cut", Kind::bad_input, 422, kToolError,
             "The answer ended before it was whole; nothing of it was used."},
    ErrorRow{action, "action", Kind::refused, 422, kToolError,
             "The step's type does not have this action; `allowed` lists those it has."},
    ErrorRow{tool, "tool", Kind::bad_input, 422, kToolError,
             "There is no tool of exactly this name here; `allowed` lists those there are."},
    ErrorRow{plan, "plan", Kind::refused, 422, kToolError,
             "The plan cannot be run as it stands; nothing of it was."},
    ErrorRow{batch_count, "batch_count", Kind::bad_input, 422, kToolError,
             "A batch's total is not the number of its items."},
    ErrorRow{repeated_call, "repeated_call", Kind::refused, 409, kToolError,
             "The same call gave the same result three times; the step is blocked."},
    ErrorRow{constraint, "constraint", Kind::refused, 422, kToolError,
             "The content breaks a constraint of the user; the message names which and where."},
    ErrorRow{session, "session", Kind::not_found, 404, kToolError,
             "No session of this id; one of somebody else looks the same."},
    ErrorRow{turn_open, "turn_open", Kind::conflict, 409, kToolError,
             "The session is in the middle of a turn; wait for it, or cancel it."},
    ErrorRow{turn_moved, "turn_moved", Kind::conflict, 409, kToolError,
             "The turn is past this ask, or somebody else went on with it. Look at it again."},
    ErrorRow{record, "record", Kind::not_found, 404, kToolError,
             "No record of this id; one of somebody else looks the same."},
    ErrorRow{
        offset, "offset", Kind::conflict, 409, kToolError,
        "A consumer does not go back or beyond the end of its stream; `reset` re-positions it."},
    ErrorRow{model, "model", Kind::unavailable, 503, "-32603",
             "The model gave no answer. The turn is kept and goes on when it is asked again."},
    ErrorRow{replay, "replay", Kind::conflict, 409, "-32603",
             "A recorded turn comes out otherwise than it did; the message says where."},
    ErrorRow{query, "query", Kind::refused, 422, kToolError,
             "Not one read-only SELECT on tables that you may use."},
    ErrorRow{pack, "pack", Kind::bad_input, 422, "-32603",
             "A pack does not load; the message names file and line."},
    ErrorRow{file, "file", Kind::unavailable, 503, "-32603",
             "A file could not be read or written; the message names it and the reason."},
    ErrorRow{storage, "storage", Kind::unavailable, 503, "-32603",
             "The store could not do what was asked. Nothing is half done."},
    ErrorRow{busy, "busy", Kind::unavailable, 503, "-32603",
             "Somebody else holds the store. Nothing was done; try again."},
    ErrorRow{corrupt, "corrupt", Kind::unavailable, 503, "-32603",
             "A database file is damaged. It was left as it is."},
    ErrorRow{newer_schema, "newer_schema", Kind::unavailable, 503, "-32603",
             "A database file was written by a newer version; the message names both."},
    ErrorRow{usage, "usage", Kind::bad_input, 400, "-32602",
             "The command line does not parse; `--help` shows what does."},
    ErrorRow{request, "request", Kind::bad_input, 400, "-32600",
             "Not a request that the server knows: its bytes, path, method or headers. The status "
             "says which: 400, 404, 405, 408, 414, 415, 431."},
    ErrorRow{access, "access", Kind::refused, 401, "-32600",
             "The bearer token is missing or wrong (401), or the request comes from where none may "
             "(403)."},
    ErrorRow{bug, "bug", Kind::bug, 500, "-32603",
             "A promise of Alfred's own was broken. Please report it with the detail."},
};

constexpr bool table_is_in_enum_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (static_cast<std::size_t>(kTable[i].code) != i) return false;
  return kTable.back().code == bug;
}
static_assert(table_is_in_enum_order(), "one row per ErrorCode, in its order");

}  // namespace

std::span<const ErrorRow> error_table() { return kTable; }

const ErrorRow& error_row(ErrorCode code) { return kTable[static_cast<std::size_t>(code)]; }

std::string_view error_name(ErrorCode code) { return error_row(code).name; }

ErrorKind error_kind(ErrorCode code) { return error_row(code).kind; }

std::string_view error_kind_name(ErrorKind kind) {
  switch (kind) {
    case Kind::bad_input: return "bad_input";
    case Kind::not_found: return "not_found";
    case Kind::conflict: return "conflict";
    case Kind::refused: return "refused";
    case Kind::unavailable: return "unavailable";
    case Kind::bug: return "bug";
  }
  return "bug";
}

std::string error_table_markdown() {
  std::string out =
      "# Errors\n\n"
      "Generated from `src/base/error_table.cc` by `scripts/docs`; a test fails when they differ.\n"
      "Every error has a code, a message that is safe for a model and says what to do next, a path\n"
      "into the input and, where it helps, what would have been allowed.\n\n"
      "| code | kind | HTTP | MCP | meaning |\n|---|---|---|---|---|\n";
  for (const ErrorRow& row : kTable)
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, error_kind_name(row.kind),
                       row.http_status, row.mcp, row.meaning);
  return out;
}

}  // namespace alfred
