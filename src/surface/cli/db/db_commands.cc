#include "surface/cli/db/db_commands.h"

#include <ostream>

#include <fmt/format.h>

#include "engine/schema_json.h"
#include "surface/cli/db/db_params.h"
#include "surface/cli/db/rows_table.h"
#include "surface/cli/named_place.h"

namespace alfred::cli {
namespace {

// An open service with the ports it runs on.
struct OpenService {
  Ports ports;
  std::unique_ptr<RecordService> service;
};

Result<std::unique_ptr<OpenService>> open_service(const Arguments& arguments,
                                                  const Streams& streams) {
  auto opened = std::make_unique<OpenService>();
  Result<RecordPlace> place = open_named_place(arguments, streams, opened->ports);
  if (!place) return Unexpected(place.error());
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(std::move(*place), opened->ports.clock, opened->ports.random);
  if (!service) return Unexpected(service.error());
  opened->service = std::move(*service);
  return opened;
}

Result<OpId> op_of(const Arguments& arguments) {
  if (!arguments.has("--op")) return OpId::random();
  return OpId::parse(arguments.text("--op"));
}

// Members beside the rows, as lines below the table: what to do next, mostly.
std::string notes_of(const JsonObject& answer) {
  std::string out;
  for (const auto& [name, value] : answer) {
    const std::string_view key = name;
    if (key == "rows" || key == "labels" || value.is_null()) continue;
    if (value.is_bool() && !value.get_bool()) continue;
    const std::string text =
        value.is_string() ? std::string(std::string_view(value.get_string())) : write_json(value);
    out += fmt::format("{}: {}\n", key, text);
  }
  return out;
}

int print(const Result<std::string>& answer, const Arguments& arguments, const Streams& streams) {
  if (!answer) return report(answer.error(), streams.err);
  if (arguments.has("--json")) {
    streams.out << *answer << '\n' << std::flush;
    return streams.out ? kDone : kUnavailable;
  }
  const Result<Json> json = parse_json(*answer, JsonLimits::none());
  const JsonObject* object = json ? json->if_object() : nullptr;
  const Json* rows = object == nullptr ? nullptr : object->if_contains("rows");
  const Json* labels = object == nullptr ? nullptr : object->if_contains("labels");
  const JsonObject* named = labels == nullptr ? nullptr : labels->if_object();
  if (rows != nullptr && rows->is_array())
    streams.out << rows_table(rows->get_array(), named == nullptr ? JsonObject() : *named)
                << notes_of(*object);
  else
    streams.out << (json ? write_json_pretty(*json) : *answer + "\n");
  streams.out << std::flush;
  return streams.out ? kDone : kUnavailable;
}

int run_call(std::string_view tool, const Result<Json>& params, const Arguments& arguments,
             const Streams& streams) {
  if (!params) return report(params.error(), streams.err);
  const Result<OpId> op = op_of(arguments);
  if (!op) return report(op.error(), streams.err);
  const Result<std::unique_ptr<OpenService>> opened = open_service(arguments, streams);
  if (!opened) return report(opened.error(), streams.err);
  RecordService& service = *(*opened)->service;
  const Result<Json> fitted =
      fitted_filters(*params, arguments, service.schema().find(arguments.text("table")));
  if (!fitted) return report(fitted.error(), streams.err);
  const Result<std::string> answer = service.call(tool, *fitted, *op);
  const int code = print(answer, arguments, streams);
  if (!answer && !(*opened)->service->health().is_writable)
    streams.err << "  Until then rows that are known can be read; nothing can be written.\n";
  return code;
}

Result<void> batch_use(const Arguments& arguments) {
  const bool is_declared = arguments.has("--declare");
  if (arguments.has("batch") == is_declared)
    return fail(ErrorCode::usage,
                is_declared
                    ? "A batch that is declared gets its id. Leave the id out, or --declare."
                    : "Name a batch (bat_…), or declare one: --declare "
                      "'{\"table\":\"books\",\"items\":[\"one\",\"two\"]}'.");
  for (const char* const other : {"--retry", "--declare"})
    if (arguments.has("--finish") && arguments.has(other))
      return fail(ErrorCode::usage,
                  fmt::format("--finish and {} do not go together. Leave one out.", other),
                  "--finish");
  if (arguments.has("--item") && !arguments.has("--retry"))
    return fail(ErrorCode::usage, "--item says what --retry takes up. Give both.", "--item");
  return {};
}

}  // namespace

int run_db_schema(const Arguments& arguments, const Streams& streams) {
  const Result<std::unique_ptr<OpenService>> opened = open_service(arguments, streams);
  if (!opened) return report(opened.error(), streams.err);
  return print(schema_json((*opened)->service->schema(), arguments.text("table")), arguments,
               streams);
}

int run_db_read(const Arguments& arguments, const Streams& streams) {
  return run_call("db_read", read_params(arguments, streams), arguments, streams);
}

int run_db_create(const Arguments& arguments, const Streams& streams) {
  return run_call("db_create", write_params(arguments, streams), arguments, streams);
}

int run_db_update(const Arguments& arguments, const Streams& streams) {
  return run_call("db_update", write_params(arguments, streams), arguments, streams);
}

int run_db_delete(const Arguments& arguments, const Streams& streams) {
  return run_call("db_delete", write_params(arguments, streams), arguments, streams);
}

int run_db_undo(const Arguments& arguments, const Streams& streams) {
  JsonObject params;
  if (arguments.has("--dry-run")) params["dry_run"] = true;
  return run_call("db_undo", Json(std::move(params)), arguments, streams);
}

int run_db_query(const Arguments& arguments, const Streams& streams) {
  const Result<std::unique_ptr<OpenService>> opened = open_service(arguments, streams);
  if (!opened) return report(opened.error(), streams.err);
  const JsonObject params{{"sql", arguments.text("sql")}};
  return print((*opened)->service->query(params), arguments, streams);
}

int run_db_batch(const Arguments& arguments, const Streams& streams) {
  if (const Result<void> use = batch_use(arguments); !use) return report(use.error(), streams.err);
  const Result<OpId> op = op_of(arguments);
  if (!op) return report(op.error(), streams.err);
  const Result<std::unique_ptr<OpenService>> opened = open_service(arguments, streams);
  if (!opened) return report(opened.error(), streams.err);
  RecordService& service = *(*opened)->service;
  if (arguments.has("--declare")) {
    Result<Json> params = parse_json(arguments.text("--declare"), JsonLimits::none());
    if (!params) {
      params.error().path = "--declare " + params.error().path;
      return report(params.error(), streams.err);
    }
    return print(service.declare_batch(*params, *op), arguments, streams);
  }
  const std::string batch = arguments.text("batch");
  if (arguments.has("--finish")) return print(service.finish_batch(batch, *op), arguments, streams);
  if (!arguments.has("--retry")) return print(service.batch_status(batch), arguments, streams);
  return print(service.retry_batch(batch, *op, arguments.all("--item")), arguments, streams);
}

namespace {

const Parameter kTable{"table", "TABLE", "A table; `alfred db schema` lists them", true};

Command command(std::string_view name, std::string_view help, std::vector<Parameter> parameters,
                int (*run)(const Arguments&, const Streams&)) {
  const Parameter common[] = {
      {"--db", "URL", "sqlite:PATH, PATH.db or postgres://…; the embedded database when not given"},
      {"--pack", "DIR", "A pack that describes the database"},
      {"--workspace", "NAME", "Whose refs are used and remembered; `default` when not given"},
      {"--user", "NAME", "Whose refs, and whose rows where rows have owners; `me` when not given"},
      {"--json", "",
       "Print JSON in one line; else rows are a table, and all else is indented JSON"}};
  parameters.insert(parameters.end(), std::begin(common), std::end(common));
  return {"db", name, help, std::move(parameters), run};
}

const Parameter kParams{"--params", "JSON", "The call's parameters as an object; - reads them"};
const Parameter kFilter{"--filter", "TEXT", "FIELD OP VALUE, such as \"title ilike %sea%\"", false,
                        true};
const Parameter kRef{"--ref", "REF", "A row to change; several with commas or repeated", false,
                     true};
const Parameter kDryRun{"--dry-run", "", "Say what would change; change nothing"};
const Parameter kOp{"--op", "OP", "An id of this operation (opn_…): repeating it changes nothing"};
const Parameter kBatch{"--batch", "BATCH", "The batch whose items the rows are"};
const Parameter kOpTable{"--allow-op-table", "",
                         "May add the table alfred_ops to your database, for exactly-once writes"};

}  // namespace

std::vector<Command> db_commands() {
  return {
      command("schema", "Print the tables, columns, links and refs that calls may use",
              {{"table", "TABLE", "Only this one"}}, run_db_schema),
      command("read", "Read rows in refs",
              {kTable,
               kFilter,
               {"--columns", "NAMES", "Only these columns, with commas", false, true},
               {"--include", "NAMES", "Nested rows to bring along", false, true},
               {"--order", "NAMES", "Columns to sort by; -NAME for descending", false, true},
               {"--limit", "N", "At most this many rows"},
               {"--cursor", "TEXT", "Go on where an answer ended"},
               {"--count", "", "Also count all rows that match"},
               kParams},
              run_db_read),
      command("create", "Create rows, nested rows included",
              {kTable,
               {"--data", "JSON", "A row or a list of rows; - reads it"},
               kParams,
               kBatch,
               kDryRun,
               kOp,
               kOpTable},
              run_db_create),
      command("update", "Change rows named by their refs",
              {kTable,
               kRef,
               kFilter,
               {"--data", "JSON", "The new values; - reads them"},
               {"--version-read", "TEXT", "Refuse when the row changed since this version"},
               kParams,
               kBatch,
               kDryRun,
               kOp,
               kOpTable},
              run_db_update),
      command("delete", "Delete rows named by their refs",
              {kTable, kRef, kFilter, kParams, kBatch, kDryRun, kOp, kOpTable}, run_db_delete),
      command("undo", "Take back what the last call or turn of the workspace changed",
              {kDryRun, kOp, kOpTable}, run_db_undo),
      command("query", "Run one read-only SELECT; keys in the result become refs",
              {{"sql", "SQL", "The statement", true}}, run_db_query),
      command("batch", "Declare a batch, look at one, try its failed items again, or finish it",
              {{"batch", "BATCH", "A batch (bat_…)"},
               {"--declare", "JSON", "{\"table\":…,\"items\":[…]}: a new batch"},
               {"--retry", "", "Failed items that may succeed as they were become pending"},
               {"--item", "NAME", "With --retry: this failed item, because its row is corrected",
                false, true},
               {"--finish", "", "Leave what failed as it is; refused while items are open"},
               kOp},
              run_db_batch),
  };
}

}  // namespace alfred::cli
