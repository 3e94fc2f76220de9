#include "inbox/inbox.h"

#include <chrono>
#include <deque>

#include "inbox/fields.h"
#include "inbox/flow/ack.h"
#include "inbox/flow/status.h"
#include "inbox/flow/write_together.h"
#include "inbox/registry/agents.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/target_request.h"
#include "inbox/source/source_types.h"

namespace alfred {

using inbox::Sql;

namespace {

constexpr std::int64_t kBehindPage = 64;

}  // namespace

Result<Json> Inbox::write(const Work& work, const Once& once) {
  std::optional<Json> answer;
  const auto closure = [&](Tx& tx) -> Result<std::string> {
    // Read when its turn has come: who waited for another writer must not look back before it.
    Sql sql(tx, random_, ids_, clock_.wall_ms());
    Result<Json> done = work(sql);
    if (Result<void> good = sql.result(); !good) return Unexpected(good.error());
    if (!done) return Unexpected(done.error());
    answer = std::move(*done);
    return once.op ? write_json(*answer) : std::string();
  };
  const Result<std::string> kept = store_.write({once.op, once.request, {}}, closure);
  if (!kept) return Unexpected(kept.error());
  if (!answer) return parse_json(*kept, JsonLimits::none());  // it was done before
  tell_change();
  return std::move(*answer);
}

Result<Json> Inbox::read(const Work& work) {
  Json answer;
  const Result<void> done = store_.read({}, reading(work, answer));
  if (!done) return Unexpected(done.error());
  return answer;
}

Result<Json> Inbox::read_briefly(const Work& work) {
  Json answer;
  const Result<void> done = store_.read_briefly({}, reading(work, answer));
  if (!done) return Unexpected(done.error());
  return answer;
}

ReadFn Inbox::reading(const Work& work, Json& answer) {
  return [this, &work, &answer](Tx& tx) -> Result<void> {
    Sql sql(tx, random_, ids_, clock_.wall_ms());
    Result<Json> done = work(sql);
    if (Result<void> good = sql.result(); !good) return good;
    if (!done) return Unexpected(done.error());
    answer = std::move(*done);
    return {};
  };
}

// A request that was read, outside of any transaction.
struct Inbox::ReadCall {
  std::optional<inbox::NewEvent> event{};
  std::optional<inbox::AskedAck> ack{};

  inbox::AskedWrite asked(std::string_view of) const {
    return {of, event ? &*event : nullptr, ack ? &*ack : nullptr};
  }
};

Result<Inbox::ReadCall> Inbox::read_call(const JointCall& call) {
  ReadCall out;
  if (call.kind == JointCall::Kind::ack) {
    Result<inbox::AskedAck> ack = inbox::read_ack(call.request);
    if (!ack) return Unexpected(std::move(ack).error());
    out.ack = std::move(*ack);
    return out;
  }
  Result<inbox::NewEvent> event = inbox::read_event(call.request, clock_.wall_ms());
  if (!event) return Unexpected(std::move(event).error());
  out.event = std::move(*event);
  return out;
}

Result<Json> Inbox::append(std::string_view source, const Json& request) {
  return write_in_turn({JointCall::Kind::append, std::string(source), request});
}

Result<Json> Inbox::ack(std::string_view agent, const Json& request) {
  return write_in_turn({JointCall::Kind::ack, std::string(agent), request});
}

Result<Json> Inbox::write_in_turn(const JointCall& call) {
  const Result<ReadCall> read = read_call(call);
  if (!read) return Unexpected(read.error());
  WriteQueue::Waiting mine{.asked = read->asked(call.of)};
  if (writes_.join(mine) == WriteQueue::Turn::leads) lead_writes();
  if (mine.answer) return std::move(*mine.answer);
  return write_alone(mine.asked);
}

std::vector<Result<Json>> Inbox::answer_all(std::span<const JointCall> calls) {
  std::vector<Result<Json>> out;
  out.reserve(calls.size());
  std::deque<ReadCall> read;  // what is asked for points into it
  std::deque<WriteQueue::Waiting> waiting;
  std::vector<WriteQueue::Waiting*> group;
  std::vector<std::size_t> places;
  std::vector<const JointCall*> reads;
  std::vector<std::size_t> places_of_reads;
  for (const JointCall& one : calls) {
    const bool only_reads = one.kind == JointCall::Kind::read;
    Result<ReadCall> good = only_reads ? ReadCall{} : read_call(one);
    out.emplace_back(good ? Result<Json>(Json()) : Unexpected(good.error()));
    (only_reads ? places_of_reads : places).push_back(out.size() - 1);
    if (only_reads) reads.push_back(&one);
    if (only_reads) continue;
    if (!good) {
      places.pop_back();
      continue;
    }
    read.push_back(std::move(*good));
    group.push_back(&waiting.emplace_back(read.back().asked(one.of)));
  }
  if (group.size() > 1) write_group(group);
  for (std::size_t i = 0; i < group.size(); ++i)
    out[places[i]] = group[i]->answer ? std::move(*group[i]->answer) : write_alone(group[i]->asked);
  std::vector<Result<Json>> entries = read_group(reads);
  for (std::size_t i = 0; i < entries.size(); ++i) out[places_of_reads[i]] = std::move(entries[i]);
  return out;
}

// Of one moment. What fails as a whole is asked again one by one.
std::vector<Result<Json>> Inbox::read_group(std::span<const JointCall* const> reads) {
  std::vector<Result<Json>> out;
  if (reads.empty()) return out;
  const Result<Json> done = read_briefly([&](Sql& sql) -> Result<Json> {
    out.clear();
    for (const JointCall* const one : reads)
      out.push_back(inbox::read_entries(sql, one->of, one->read));
    return Json();
  });
  if (done) return out;
  out.clear();
  for (const JointCall* const one : reads) out.push_back(entries(one->of, one->read));
  return out;
}

void Inbox::lead_writes() {
  const WriteQueue::Group group = writes_.take();
  const std::span<WriteQueue::Waiting* const> all = group.all();
  try {
    if (all.size() == 1)
      all[0]->answer.emplace(write_alone(all[0]->asked));
    else
      write_group(all);
  } catch (...) {  // memory ran out: each may still have enough alone
    for (WriteQueue::Waiting* const one : all) one->answer.reset();
  }
  writes_.end(group);
}

void Inbox::write_group(std::span<WriteQueue::Waiting* const> group) {
  std::vector<inbox::AskedWrite> asked;
  asked.reserve(group.size());
  for (const WriteQueue::Waiting* const one : group) asked.push_back(one->asked);
  std::vector<Result<Json>> answers;
  const Result<Json> done = write([&](Sql& sql) -> Result<Json> {
    answers = inbox::write_together(sql, books_, asked, options_.is_eager).answers;
    return Json();
  });
  // A store that cannot write now cannot for any of them; what else failed may be about one.
  const bool is_for_all = !done && error_kind(done.error().code) == ErrorKind::unavailable;
  if (is_for_all) answers.assign(group.size(), Unexpected(done.error()));
  if (!done && !is_for_all) return;
  for (std::size_t i = 0; i < group.size(); ++i) group[i]->answer.emplace(std::move(answers[i]));
}

Result<Json> Inbox::write_alone(const inbox::AskedWrite& asked) {
  bool is_pumping = false;
  const auto run = [&](Sql& sql, bool is_eager) -> Result<Json> {
    inbox::WrittenTogether written = write_together(sql, books_, {&asked, 1}, is_eager);
    is_pumping = written.is_pumping;
    return std::move(written.answers.front());
  };
  Result<Json> done = write([&](Sql& sql) { return run(sql, options_.is_eager); });
  // R2: what could not go on to the inboxes is undone, and appended alone.
  if (done || !is_pumping || error_kind(done.error().code) == ErrorKind::unavailable) return done;
  return write([&](Sql& sql) { return run(sql, false); });
}

Result<Json> Inbox::send(std::string_view agent, const Json& request, const Once& once) {
  inbox::Fields fields(request, {"message", "sender"});
  const std::string message = fields.text("message");
  const std::optional<std::string> sender = fields.maybe_text("sender");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (message.size() > inbox::kMaxEventBytes)
    return fail(ErrorCode::limit, "A message has at most 262144 bytes.", "message");
  const std::string native(new_short_id<IdKind::operation>(random_).view());
  return write(
      [&](Sql& sql) -> Result<Json> {
        const Result<std::string> inbox = inbox::inbox_of(sql, agent);
        if (!inbox) return Unexpected(inbox.error());
        JsonObject payload{{"message", message}};
        if (sender) payload["sender"] = *sender;
        return inbox::send_direct(sql,
                                  {agent, *inbox, "direct_message", native, std::move(payload)});
      },
      once);
}

struct Inbox::Pass {
  inbox::Pumped sum{};
  bool has_found = false;
  std::optional<Error> failed{};  // the first error of a stream or subscription
};

// One step of each that `list` finds behind, a page after the other: those that fail each time
// take nobody's place.
Result<void> Inbox::pump_pages(Pass& pass, const ListBehind& list, const PumpStep& step) {
  std::string after;
  for (bool has_more = true; has_more;) {
    std::vector<std::string> page;
    const Result<Json> found = read([&](Sql& sql) -> Result<Json> {
      page = list(sql, after, kBehindPage);
      return Json();
    });
    if (!found) return Unexpected(found.error());
    for (const std::string& one : page) {
      inbox::Pumped last;
      const Result<Json> done = write([&](Sql& sql) -> Result<Json> {
        last = step(sql, one);
        return Json();
      });
      if (!done && !pass.failed) pass.failed = done.error();
      if (!done) continue;
      pass.sum.events += last.events;
      pass.sum.matched += last.matched;
      pass.sum.items += last.items;
    }
    pass.has_found = pass.has_found || !page.empty();
    has_more = static_cast<std::int64_t>(page.size()) == kBehindPage;
    if (has_more) after = page.back();
  }
  return {};
}

Result<Json> Inbox::pump() {
  inbox::Pumped sum;
  for (;;) {
    Pass pass{.sum = sum};
    Result<void> done =
        pump_pages(pass, inbox::streams_behind, [&](Sql& sql, const std::string& stream) {
          return inbox::pump_stream(sql, books_.readers, stream);
        });
    if (done) done = pump_pages(pass, inbox::subscriptions_behind, inbox::catch_up);
    if (!done) return Unexpected(std::move(done).error());
    const bool is_stuck = pass.sum.events == sum.events;
    sum = pass.sum;
    if (pass.failed && is_stuck) return Unexpected(*pass.failed);
    if (!pass.has_found) break;
  }
  return JsonObject{
      {"eventsRead", sum.events}, {"matched", sum.matched}, {"inboxItemsCreated", sum.items}};
}

Result<Json> Inbox::post(std::string_view source, const inbox::Posted& posted, bool is_trusted) {
  std::string host_type;
  Json config;
  Result<Json> found = read([&](Sql& sql) -> Result<Json> {
    const Result<inbox::SourceRow> row = inbox::find_source(sql, source);
    if (!row) return Unexpected(row.error());
    host_type = row->host_type;
    config = inbox::config_of(sql, row->id).at("config");
    return Json();
  });
  if (!found) return found;
  const inbox::SourceType* const type = inbox::find_source_type(host_type);
  if (type == nullptr || !type->takes_posts)
    return fail(ErrorCode::conflict, "Nothing is posted to this source. Append events to it.",
                "sourceId");
  if (!is_trusted && !config.as_object().contains("secret"))
    return fail(ErrorCode::access,
                "This source has no secret, so the server's token is needed. Send it, or give the "
                "source a secret that its events are signed with.",
                "Authorization");
  if (Result<void> good = inbox::check_signature(config, posted); !good)
    return Unexpected(good.error());
  const Result<Json> event = inbox::posted_event(host_type, config, posted);
  if (!event) return Unexpected(event.error());
  return append(source, *event);
}

Result<Json> Inbox::poll_source(std::string_view source) {
  if (Result<Json> known = this->source(source); !known) return known;
  Result<Json> done = pump();
  if (!done) return done;
  return JsonObject{
      {"sourceId", source},
      {"appended", 0},
      {"deduped", 0},
      {"eventsRead", done->at("eventsRead")},
      {"note", "Events come to this source by themselves; what was waiting was read."}};
}

Result<Json> Inbox::poll(std::string_view subscription) {
  if (Result<Json> known = lag(subscription); !known) return known;
  Result<Json> done = pump();
  if (!done) return done;
  Result<Json> after = lag(subscription);
  if (!after) return after;
  done->as_object()["committedOffset"] = after->at("consumer").at("committedOffset");
  done->as_object()["note"] = "All that was behind was read on.";
  return done;
}

void Inbox::tell_change() {
  {
    const std::scoped_lock lock(mutex_);
    ++changes_;
  }
  changed_.notify_all();
}

std::uint64_t Inbox::changes() const {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

std::uint64_t Inbox::wait_for_change(std::uint64_t seen, std::int64_t most_ms) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(most_ms), [&] { return changes_ != seen; });
  return changes_;
}

}  // namespace alfred
