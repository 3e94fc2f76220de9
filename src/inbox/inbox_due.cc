// What time brings, and deliveries.
#include "inbox/flow/materialise.h"

#include <algorithm>

#include "inbox/inbox.h"
#include "inbox/timer/timers.h"
#include "inbox/wake/deliveries.h"
#include "inbox/wake/dispatch.h"

namespace alfred {
namespace {

constexpr std::int64_t kAtOnce = 100;

constexpr Statement kNext(
    "SELECT (SELECT min(flush_ms) FROM alfred_inbox_threads WHERE flush_ms IS NOT NULL), "
    "(SELECT min(next_ms) FROM alfred_inbox_timers WHERE next_ms IS NOT NULL), "
    "(SELECT min(retire_ms) FROM alfred_inbox_subscriptions WHERE retire_ms IS NOT NULL), "
    "(SELECT min(due_ms) FROM alfred_inbox_dispatch WHERE due_ms IS NOT NULL)");

}  // namespace

using inbox::Sql;

// Until a step finds nothing more.
Result<std::int64_t> Inbox::repeat(const std::function<std::int64_t(Sql&)>& step) {
  std::int64_t sum = 0;
  for (std::int64_t last = kAtOnce; last >= kAtOnce; sum += last) {
    const Result<Json> done = write([&](Sql& sql) -> Result<Json> {
      last = step(sql);
      return Json();
    });
    if (!done) return Unexpected(done.error());
  }
  return sum;
}

Result<Json> Inbox::flush() {
  const auto sum = repeat([](Sql& sql) { return inbox::flush_due(sql, kAtOnce); });
  if (!sum) return Unexpected(sum.error());
  return JsonObject{{"flushed", *sum}};
}

Result<Json> Inbox::fire() {
  const auto sum = repeat([](Sql& sql) { return inbox::fire_due(sql, kAtOnce); });
  if (!sum) return Unexpected(sum.error());
  return JsonObject{{"fired", *sum}};
}

Result<std::vector<inbox::DueWake>> Inbox::due_wakes(const Wakers& wakers) {
  std::vector<inbox::DueWake> due;
  const Result<Json> found = read([&](Sql& sql) -> Result<Json> {
    due = inbox::due_targets(sql, wakers, kAtOnce);
    return Json();
  });
  if (!found) return Unexpected(found.error());
  return due;
}

Result<std::optional<WakeOutcome>> Inbox::wake(const std::string& target, const Wakers& wakers) {
  std::optional<inbox::Flight> flight;
  const Result<Json> begun = write([&](Sql& sql) -> Result<Json> {
    flight = inbox::begin_wake(sql, target, wakers);
    return Json();
  });
  if (!begun) return Unexpected(begun.error());
  if (!flight) return std::optional<WakeOutcome>();
  WakeOutcome outcome = wakers.of(flight->request.kind)->wake(flight->request);
  const Result<Json> ended = write([&](Sql& sql) -> Result<Json> {
    inbox::finish_wake(sql, *flight, outcome);
    return Json();
  });
  if (!ended) return Unexpected(ended.error());
  return std::optional(std::move(outcome));
}

Result<Json> Inbox::dispatch(const Wakers& wakers) {
  const Result<std::vector<inbox::DueWake>> due = due_wakes(wakers);
  if (!due) return Unexpected(due.error());
  std::int64_t counts[4] = {0, 0, 0, 0};
  for (const inbox::DueWake& one : *due) {
    const Result<std::optional<WakeOutcome>> outcome = wake(one.target, wakers);
    if (!outcome) return Unexpected(outcome.error());
    if (*outcome) ++counts[static_cast<std::size_t>((*outcome)->kind)];
  }
  return JsonObject{
      {"woken", counts[0]}, {"deferred", counts[1]}, {"failed", counts[2] + counts[3]}};
}

Result<Json> Inbox::run_due(const Wakers& wakers) {
  JsonObject out;
  const auto retired = repeat([](Sql& sql) { return inbox::retire_due(sql, kAtOnce); });
  out["retired"] = retired.value_or(0);
  const Result<Json> steps[] = {fire(), flush(),
                                dispatch(wakers)};  // each, whatever the others say
  if (!retired) return Unexpected(retired.error());
  for (const Result<Json>& step : steps) {
    if (!step) return Unexpected(step.error());
    for (const auto& member : step->as_object()) out[member.key()] = member.value();
  }
  return out;
}

Result<std::optional<std::int64_t>> Inbox::next_due_ms() {
  std::optional<std::int64_t> next;
  const Result<Json> done = read([&](Sql& sql) -> Result<Json> {
    const std::optional<Row> row = sql.first(kNext);
    for (std::size_t i = 0; row && i < row->size(); ++i)
      if (!is_null((*row)[i])) next = std::min(next.value_or(INT64_MAX), inbox::number_at(*row, i));
    return Json();
  });
  if (!done) return Unexpected(done.error());
  return next;
}

Result<Json> Inbox::add_timer(const Json& request, const Once& once) {
  return write([&](Sql& sql) { return inbox::add_timer(sql, request); }, once);
}
Result<Json> Inbox::timers(std::string_view agent, const inbox::ListPage& page) {
  return read([&](Sql& sql) { return inbox::list_timers(sql, agent, page); });
}
Result<Json> Inbox::pause_timer(std::string_view timer) {
  return write([&](Sql& sql) { return inbox::pause_timer(sql, timer); });
}
Result<Json> Inbox::resume_timer(std::string_view timer) {
  return write([&](Sql& sql) { return inbox::resume_timer(sql, timer); });
}
Result<Json> Inbox::remove_timer(std::string_view timer) {
  return write([&](Sql& sql) { return inbox::remove_timer(sql, timer); });
}

Result<Json> Inbox::deliver(const Json& request, const Once& once) {
  const Result<inbox::Delivery> delivery = inbox::read_delivery(request);
  if (!delivery) return Unexpected(delivery.error());
  // Recorded first, so that an attempt that fails is there to be seen.
  Result<Json> begun =
      write([&](Sql& sql) -> Result<Json> { return inbox::begin_delivery(sql, *delivery); }, once);
  if (!begun) return begun;
  const std::string id(begun->at("deliveryId").as_string());
  return write([&](Sql& sql) { return inbox::finish_delivery(sql, id, *delivery); });
}
Result<Json> Inbox::settle_deliveries() {
  const auto sum = repeat([](Sql& sql) { return inbox::settle_deliveries(sql, kAtOnce); });
  if (!sum) return Unexpected(sum.error());
  return JsonObject{{"settled", *sum}};
}
Result<Json> Inbox::delivery_actions(const Json& request) {
  return inbox::delivery_actions(request);
}

}  // namespace alfred
