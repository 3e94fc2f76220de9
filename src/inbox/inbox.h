// Inbox: the one face of the inbox, what HTTP, the command line and MCP call. Requests and answers
// are JSON with the field names of docs/inbox.md; an error's code has its HTTP status in the error
// table.
//
// R1 each call is one transaction, and appends and acks that wait at the same time are one together; a call that returns
//    a value is durable. Nothing lives in memory only.
// R2 an append goes on to the inboxes in its own transaction where its stream is not behind; what that part
//    cannot do is left to pump() and does not fail the append.
// R3 any number of threads and processes may use the same store; a call that finds it busy says so.
// R4 time and randomness come from the ports; run_due() does what time brings, next_due_ms() says when to call it
//    again: a server sleeps until then or until wait_for_change() returns.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "alfred/random.h"
#include "base/json/json.h"
#include "base/time/clock.h"
#include "inbox/flow/read.h"
#include "inbox/registry/subscriptions.h"
#include "inbox/source/posted.h"
#include "inbox/store/near_random.h"
#include "inbox/wake/due_wake.h"
#include "inbox/wake/waker.h"
#include "inbox/write_queue.h"
#include "storage/store.h"

namespace alfred {

struct InboxOptions {
  bool is_eager = true;  // R2; false: an append only appends
  std::int64_t keep_acked_ms = 24LL * 3'600'000;
  std::int64_t keep_offline_ms = 7LL * 24 * 3'600'000;
};

// A request that may come again: the same op with the same request gives the first answer, for as
// long as the store keeps it. Error with another request: op_reused.
struct Once {
  std::optional<OpId> op{};
  std::string request{};
};

// An append(), ack() or entries() among others.
struct JointCall {
  enum class Kind : std::uint8_t { append, ack, read };
  Kind kind;
  std::string of;       // the source, or the agent
  const Json& request;  // of an append or ack
  inbox::ReadEntries read{};
};

class Inbox {
 public:
  Inbox(StateStore& store, const Clock& clock, Random& random, InboxOptions options = {})
      : store_(store), clock_(clock), random_(random), ids_(random), options_(options) {}

  Result<Json> register_agent(const Json& request, const Once& once = {});
  // Lists come in pages, with `hasMore` (store/page.h).
  Result<Json> agents(const inbox::ListPage& page = {}, bool with_targets = false);
  Result<Json> agent(std::string_view agent);
  Result<Json> remove_agent(std::string_view agent);
  // Resumed targets are looked at by those who could wake them; one that is not there is offline
  // again.
  Result<Json> resume_agent(std::string_view agent, const Wakers& wakers = {});
  Result<Json> agent_of_pane(std::string_view socket, std::string_view pane);
  Result<Json> targets(std::string_view agent);
  Result<Json> add_target(std::string_view agent, const Json& request);
  Result<Json> remove_target(std::string_view agent, std::string_view target);
  Result<Json> resume_target(std::string_view agent, std::string_view target,
                             const Wakers& wakers = {});

  Result<Json> add_host(const Json& request);
  Result<Json> host(std::string_view host);
  Result<Json> hosts(const inbox::ListPage& page = {});
  Result<Json> add_source(const Json& request);
  Result<Json> source(std::string_view source);
  Result<Json> sources(const inbox::ListPage& page = {});
  Result<Json> change_source(std::string_view source, const Json& request);
  Result<Json> pause_source(std::string_view source);
  Result<Json> resume_source(std::string_view source);
  Result<Json> remove_source(std::string_view source, bool with_subscriptions);
  Result<Json> append(std::string_view source, const Json& request);
  // For who has many at the same time: what each would be told alone, by one transaction of all
  // that write and then one moment of all that read.
  std::vector<Result<Json>> answer_all(std::span<const JointCall> calls);
  Result<Json> poll_source(std::string_view source);
  // What an outside system sent; is_trusted: it may send without a signature too.
  Result<Json> post(std::string_view source, const inbox::Posted& posted, bool is_trusted);
  // Exec sources that are active: [{sourceId, config, changedMs, subscriptions}].
  Result<Json> programs();
  static Result<Json> preview_schema(const Json& request);

  Result<Json> subscribe(const Json& request, const Once& once = {});
  Result<Json> follow(const Json& request, const Once& once = {});
  Result<Json> subscription(std::string_view subscription);
  Result<Json> subscriptions(const inbox::ListSubscriptions& list);
  Result<Json> unsubscribe(std::string_view subscription);
  Result<Json> lag(std::string_view subscription);
  Result<Json> reset(std::string_view subscription, const Json& request);
  Result<Json> commit(std::string_view subscription, const Json& request);
  Result<Json> poll(std::string_view subscription);

  Result<Json> inbox(std::string_view agent);
  Result<Json> entries(std::string_view agent, const inbox::ReadEntries& read);
  Result<Json> newest(std::string_view agent);
  Result<Json> ack(std::string_view agent, const Json& request);
  Result<Json> send(std::string_view agent, const Json& request, const Once& once = {});
  Result<Json> policy(std::string_view agent);
  Result<Json> set_policy(std::string_view agent, const Json& request);

  Result<Json> add_timer(const Json& request, const Once& once = {});
  Result<Json> timers(std::string_view agent = {}, const inbox::ListPage& page = {});
  Result<Json> pause_timer(std::string_view timer);
  Result<Json> resume_timer(std::string_view timer);
  Result<Json> remove_timer(std::string_view timer);

  // {provider, surface, targetRef, …} or {handle}, with {kind, payload}: the attempt, recorded
  // before it is made.
  Result<Json> deliver(const Json& request, const Once& once = {});
  Result<Json> delivery_actions(const Json& request);
  // Finishes deliveries that a stop cut off: {settled}. For whoever begins to run the inbox.
  Result<Json> settle_deliveries();

  Result<Json> dead(const inbox::ListPage& page = {});
  Result<Json> status();
  Result<Json> gc();
  Result<Json> compact(std::string_view agent);

  // Pumps until nothing is behind: {eventsRead, matched, inboxItemsCreated}. What cannot go on
  // holds up nothing else; its error comes when the others are done.
  Result<Json> pump();
  // Ends the windows of digests that are over: {flushed}.
  Result<Json> flush();

  // Fires the timers that are due: {fired}.
  Result<Json> fire();
  // Wakes the targets that are due, one after the other: {woken, failed, deferred}.
  Result<Json> dispatch(const Wakers& wakers);
  // The same by its parts, for who wakes several at once: those that are due, and one of them.
  // Nothing: there was no need.
  Result<std::vector<inbox::DueWake>> due_wakes(const Wakers& wakers);
  Result<std::optional<WakeOutcome>> wake(const std::string& target, const Wakers& wakers);
  // All that time brings: windows, timers, subscriptions whose time is over, wake-ups.
  Result<Json> run_due(const Wakers& wakers);
  // When run_due() has something to do next; nothing: not before something changes.
  Result<std::optional<std::int64_t>> next_due_ms();

  // Changes by this object so far, and waiting for the next one, at most so long. tell_change():
  // something is to be looked at anew, though no row changed.
  void tell_change();
  std::uint64_t changes() const;
  std::uint64_t wait_for_change(std::uint64_t seen, std::int64_t most_ms) const;

 private:
  Result<void> probe(std::string_view agent, const Json& target, const Wakers& wakers);
  using Work = std::function<Result<Json>(inbox::Sql&)>;
  Result<Json> write(const Work& work, const Once& once = {});
  Result<Json> read(const Work& work);
  Result<Json> read_briefly(const Work& work);
  ReadFn reading(const Work& work, Json& answer);
  struct ReadCall;
  Result<ReadCall> read_call(const JointCall& call);
  Result<Json> write_in_turn(const JointCall& call);
  void lead_writes();
  void write_group(std::span<WriteQueue::Waiting* const> group);
  std::vector<Result<Json>> read_group(std::span<const JointCall* const> reads);
  Result<Json> write_alone(const inbox::AskedWrite& asked);
  Result<std::int64_t> repeat(const std::function<std::int64_t(inbox::Sql&)>& step);
  struct Pass;
  using ListBehind =
      std::function<std::vector<std::string>(inbox::Sql&, const std::string&, std::int64_t)>;
  using PumpStep = std::function<inbox::Pumped(inbox::Sql&, const std::string&)>;
  Result<void> pump_pages(Pass& pass, const ListBehind& list, const PumpStep& step);

  StateStore& store_;
  const Clock& clock_;
  Random& random_;
  inbox::NearRandom ids_;
  InboxOptions options_;
  inbox::Books books_;
  WriteQueue writes_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::uint64_t changes_ = 0;
};

}  // namespace alfred
