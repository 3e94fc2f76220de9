// The parts that all calls that write have: their parameters, the transaction around them, and the
// words of their refusals.
//
// R1 members that the call does not know are refused with those it knows.
// R2 a table that is unknown, hidden or not there gets one text (C1); a read-only one is said to be so.
// R3 an error or a dry run leaves neither rows nor a trace in the registry behind.
// R4 repaired where nothing else can be meant (`{}` for no filters, a list of one row for a row), and said
//    so in the answer's `repaired`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "records/record_context.h"

namespace alfred {

enum class WriteTool : std::uint8_t { create, update, remove };
std::optional<WriteTool> write_tool_named(std::string_view name);  // db_create, …

struct WriteParams {
  const Table* table = nullptr;
  Json filters;                // null: none
  Json or_filters;             // null: none
  const Json* rows = nullptr;  // `data`; null: none
  std::optional<std::string> version;
  bool is_dry_run = false;
};

// The parameters of a call; they live as long as `params`.
Result<WriteParams> read_write_params(const RecordContext& context, WriteTool tool,
                                      const Json& params);

// What a part of a call came to, before it is an answer.
struct WriteResult {
  JsonObject answer;
  std::vector<RowEffect> effects;
};

// Runs `part` in a savepoint, and undoes it on an error or when it is a dry run (R3).
Result<RecordOutcome> run_write(Tx& tx, RecordContext& context, bool is_dry_run,
                                const std::function<Result<WriteResult>()>& part);

// The texts as a JSON list; no member when there are none.
void add_texts(JsonObject& answer, std::string_view member, const std::vector<std::string>& texts);

}  // namespace alfred
