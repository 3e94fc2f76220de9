#include "engine/scenario/scenario_stage.h"

#include <fmt/format.h>

#include "storage/scratch_database.h"

namespace alfred {
namespace {

std::string sql_text(const Json& value) {
  std::string text = value.is_string() ? std::string(value.get_string()) : write_json(value);
  for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 2))
    text.insert(at, 1, '\'');
  return "'" + text + "'";
}

}  // namespace

std::string error_text(const Error& error) {
  std::string out = std::string(error_name(error.code)) + ": " + error.message;
  if (!error.path.empty()) out += " (at " + error.path + ")";
  return error.detail.empty() ? out : out + "\n" + error.detail;
}

std::string ScenarioStage::killed(const std::string&, int, const Work&) {
  return "this page kills its process, which only the tests of the program do";
}

Result<void> ScenarioStage::outside(const std::string& sql) { return run_sql(database(), sql); }

Result<void> ScenarioStage::reject(const std::string& table, const JsonObject& values) {
  std::string when = "true";
  for (const auto& value : values)
    when += fmt::format(" and new.{} = {}", std::string_view(value.key()), sql_text(value.value()));
  if (!is_postgres())
    return outside(
        fmt::format("create trigger reject_{0} before insert on {0} when {1} begin "
                    "select raise(abort, 'rejected'); end;",
                    table, when));
  return outside(
      fmt::format("create function reject_{0}() returns trigger language plpgsql as $$ begin "
                  "if {1} then raise exception 'rejected' using errcode = '23514'; end if; "
                  "return new; end $$; create trigger reject_{0} before insert on {0} "
                  "for each row execute function reject_{0}();",
                  table, when));
}

Result<void> ScenarioStage::accept(const std::string& table) {
  if (!is_postgres()) return outside("drop trigger reject_" + table);
  return outside(fmt::format("drop trigger reject_{0} on {0}; drop function reject_{0}();", table));
}

}  // namespace alfred
