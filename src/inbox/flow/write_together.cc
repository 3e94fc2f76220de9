#include "inbox/flow/write_together.h"

#include <map>
#include <optional>
#include <tuple>

namespace alfred::inbox {
namespace {

// What the books' pages are of, by one look for the whole transaction.
struct Generations {
  std::int64_t readers = 0, agents = 0;
};
constexpr Statement kGenerations(
    "SELECT (SELECT value FROM alfred_inbox_counters WHERE name = 'subscriptions'), "
    "(SELECT value FROM alfred_inbox_counters WHERE name = 'targets')");
Generations generations_of(Sql& sql) {
  const std::optional<Row> row = sql.first(kGenerations);
  return row ? Generations{number_at(*row, 0), number_at(*row, 1)} : Generations{};
}

Json answer_of(bool is_new, std::int64_t place) {
  return JsonObject{
      {"appended", is_new ? 1 : 0}, {"deduped", is_new ? 0 : 1}, {"lastOffset", place}};
}

// The appends of one transaction to one stream.
class StreamAppends {
 public:
  explicit StreamAppends(ReaderBook::Page page) : page_(std::move(page)) {}

  Json note(Sql& sql, const NewEvent& event) {
    const auto [seen, is_first] = places_.try_emplace({event.native_id, event.variant}, 0);
    if (!is_first) return answer_of(false, seen->second);
    const std::optional<Known> known = find_event(sql, stream(), event);
    if (!known) return {};  // the database failed
    seen->second = known->place;
    if (known->place > 0) return answer_of(false, known->place);
    if (fresh_.empty()) known_ = *known;
    seen->second = known_.last + std::ssize(fresh_) + 1;
    fresh_.push_back({&event, seen->second});
    return answer_of(true, seen->second);
  }

  void add(Sql& sql, bool pumps) {
    if (fresh_.empty()) return;
    const std::int64_t last = fresh_.back().place;
    pumps_itself_ = pumps && known_.pumped == known_.last;  // a stream that is not behind stays so
    take_places(sql, stream(), last, pumps_itself_ ? last : known_.pumped);
    for (FreshEvent& one : fresh_) one.id = add_event(sql, stream(), one.place, *one.event);
  }

  void pump(Sql& sql, ReaderBook& readers, const KnownAgents& agents) {
    if (fresh_.empty()) return;
    if (pumps_itself_)
      pump_new(sql, agents, *page_, fresh_);
    else
      pump_stream(sql, readers, stream());
  }

 private:
  const std::string& stream() const { return page_->source.stream; }

  ReaderBook::Page page_;
  Known known_;
  std::vector<FreshEvent> fresh_;
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> places_;
  bool pumps_itself_ = false;
};

Result<ReaderBook::Page> open_page(Sql& sql, ReaderBook& book, std::string_view source,
                                   std::int64_t generation) {
  Result<ReaderBook::Page> page = book.source(sql, source, generation);
  if (!page) return page;
  const SourceRow& row = (*page)->source;
  if (Result<void> open = check_open(row); !open) return Unexpected(open.error());
  if (row.status != "active")
    return fail(ErrorCode::conflict, "The source is paused. Resume it first.", "sourceId");
  return page;
}

// The appends of one transaction, by their sources.
class Appends {
 public:
  Appends(Sql& sql, ReaderBook& book, std::int64_t generation)
      : sql_(sql), book_(book), generation_(generation) {}

  Result<Json> note(std::string_view source, const NewEvent& event) {
    auto at = streams_.find(source);
    if (at == streams_.end()) {
      Result<ReaderBook::Page> page = open_page(sql_, book_, source, generation_);
      if (!page) return Unexpected(std::move(page).error());
      at = streams_.emplace(source, StreamAppends(std::move(*page))).first;
    }
    return at->second.note(sql_, event);
  }
  void add(bool pumps) {
    for (auto& [source, appends] : streams_) appends.add(sql_, pumps);
  }
  void pump(const KnownAgents& agents) {
    for (auto& [source, appends] : streams_) appends.pump(sql_, book_, agents);
  }

 private:
  Sql& sql_;
  ReaderBook& book_;
  std::int64_t generation_;
  std::map<std::string_view, StreamAppends> streams_;
};

Result<Json> ack_one(Sql& sql, const KnownAgents& agents, const AskedWrite& asked) {
  const Result<AgentBook::Page> agent = agents.book.agent(sql, asked.of, agents.generation);
  if (!agent) return Unexpected(agent.error());
  return ack_entries(sql, **agent, *asked.ack);
}

}  // namespace

WrittenTogether write_together(Sql& sql, Books& books, std::span<const AskedWrite> asked,
                               bool pumps) {
  WrittenTogether out;
  out.answers.assign(asked.size(), Json());
  const Generations generations = generations_of(sql);
  const KnownAgents agents{books.agents, generations.agents};
  std::optional<Appends> appends;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (asked[i].ack != nullptr) out.answers[i] = ack_one(sql, agents, asked[i]);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].event == nullptr) continue;
    if (!appends) appends.emplace(sql, books.readers, generations.readers);
    out.answers[i] = appends->note(asked[i].of, *asked[i].event);
  }
  if (!appends) return out;
  appends->add(pumps);
  if (!pumps || sql.has_failed()) return out;
  appends->pump(agents);
  out.is_pumping = sql.has_failed();
  return out;
}

}  // namespace alfred::inbox
