// Error and Result: how every part of Alfred says that something did not work.
//
// R1 message is safe to show to a model: written in refs, no keys, and it says what to do next.
// R2 detail is for operators only and never reaches a model.
// R3 an ignored Result does not compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "alfred/api.h"

namespace alfred {

// Every code has one row in the error table (src/base/error_table.cc), from which docs/errors.md is
// generated. The enum value's name is the name on the wire.
enum class ErrorCode : std::uint8_t {
  json,              // not JSON
  json_dupkey,       // an object names a member twice
  utf8,              // bytes that are not UTF-8
  limit,             // larger, deeper or more than is allowed
  id_syntax,         // not a durable short id
  ref_syntax,        // not a ref
  ref_unknown,       // a ref that was never issued here
  ref_type,          // a ref of another entity type than the column needs
  ref_deleted,       // a ref whose row was deleted
  ref_pending,       // a gen_ ref that has no row yet
  literal_unknown,   // a lit_n that was never issued here
  key_taken,         // a row that is already known under another ref
  key_type,          // a database key that is no uuid, 64-bit integer or text
  schema,            // well-formed input that does not follow its declared shape
  table,             // no table of this name that the caller may use
  column,            // no column of this name that the caller may use
  column_readonly,   // a column that callers do not write
  op,                // an operator that does not exist or does not fit the column
  value,             // a value that the column does not take
  enum_value,        // a value outside a column's list
  filter_required,   // an update or delete that names no rows
  conflict,          // the database's own constraints refuse the row
  stale,             // the row changed since the caller read it
  batch_dup,         // a batch names the same thing twice
  batch_item,        // a row that belongs to no item of its batch
  batch_pending,     // a batch that is not finished
  op_reused,         // an op id that was used for another request
  answer_empty,      // a model's answer without content
  answer_ambiguous,  // a model's answer that holds more than one JSON value, or prose around one
  answer_cut,        // a model's answer that ended before it was whole
  action,            // an action that this step does not have
  tool,              // a tool that there is not
  plan,              // a plan that cannot be run
  batch_count,       // a batch whose total is not the number of its items
  repeated_call,     // the same call with the same result, again and again
  constraint,        // content that breaks what was asked for
  session,           // no session of this id that the caller may use
  turn_open,         // a session whose turn is not finished
  turn_moved,        // a turn that somebody else has taken further
  record,            // no durable record of this id that the caller may use
  offset,            // a position in a stream that a consumer cannot take
  model,             // nobody answered for the model
  replay,            // a recorded turn that comes out otherwise
  query,             // a query that is not one read-only statement on known tables
  pack,              // a pack that does not load
  file,              // a file that cannot be read or written
  storage,           // a store that could not do what was asked
  busy,              // a store that somebody else holds
  corrupt,           // a database file that is damaged
  newer_schema,      // a database file of a newer version
  usage,             // a command line that does not parse
  request,           // a request that HTTP or the server's routes do not know
  access,            // a caller that may not come in
  bug,               // a broken promise of our own
};

enum class ErrorKind : std::uint8_t { bad_input, not_found, conflict, refused, unavailable, bug };

struct Error {
  ErrorCode code = ErrorCode::bug;
  std::string message;
  std::string path;                  // where in the input: "filters[0].value", "byte 17", or empty
  std::vector<std::string> allowed;  // what would have been accepted; at most ten
  std::string detail;
};

// The snake_case name of a code, as it stands on the wire and in docs/errors.md.
ALFRED_API std::string_view error_name(ErrorCode code);
ALFRED_API ErrorKind error_kind(ErrorCode code);

using Unexpected = tl::unexpected<Error>;

// A value or an Error. A class, not an alias: tl::expected is not [[nodiscard]].
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result() = default;
  Result(tl::expected<T, Error>&& other) : tl::expected<T, Error>(std::move(other)) {}
};

inline Unexpected fail(ErrorCode code, std::string message, std::string path = {},
                       std::vector<std::string> allowed = {}) {
  return Unexpected(Error{code, std::move(message), std::move(path), std::move(allowed), {}});
}

}  // namespace alfred
