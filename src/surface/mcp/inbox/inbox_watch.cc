#include "surface/mcp/inbox/inbox_watch.h"

#include <vector>

#include "surface/mcp/inbox/inbox_page.h"

namespace alfred::mcp {
namespace {

constexpr std::int64_t kLookMs = 1000;

}  // namespace

// R4. Whoever watches is told, and so the agent was woken.
class InboxWatch::Teller final : public Waker {
 public:
  Teller(InboxWatch& watch, const std::string& uri) : watch_(watch), uri_(uri) {}
  WakeOutcome wake(const WakeRequest& /*request*/) override {
    watch_.tell_beyond(uri_, &Watched::said);
    return {};
  }

 private:
  InboxWatch& watch_;
  const std::string& uri_;
};

InboxWatch::InboxWatch(Inbox& inbox, McpEndpoint& endpoint, const Clock& clock)
    : inbox_(inbox), endpoint_(endpoint), clock_(clock) {
  endpoint_.on_watch([this](const std::string& uri) { begin(uri); });
  thread_ = std::thread([this] { run(); });
}

void InboxWatch::stop() {
  if (is_over_.exchange(true)) return;
  inbox_.tell_change();
  thread_.join();
}

std::optional<std::int64_t> InboxWatch::newest(const std::string& uri) {
  const std::optional<std::string> agent = inbox_agent(uri);
  if (!agent) return std::nullopt;
  const Result<Json> newest = inbox_.newest(*agent);
  if (!newest) return std::nullopt;
  return newest->at("sequence").as_int64();
}

// An agent that is not there yet has had nothing.
void InboxWatch::begin(const std::string& uri) {
  if (is_over_ || !inbox_agent(uri)) return;
  const std::optional<std::int64_t> place = newest(uri);
  const std::int64_t now_ns = clock_.monotonic_ns();
  const std::lock_guard lock(mutex_);
  if (!place && watched_.size() >= kMostAwaited) return;
  watched_.try_emplace(uri, Watched{.told = place.value_or(0)}).first->second.wanted_ns = now_ns;
}

void InboxWatch::look() {
  std::vector<std::string> uris;
  const std::int64_t now_ns = clock_.monotonic_ns();
  {
    const std::lock_guard lock(mutex_);
    for (auto& [uri, one] : watched_) {
      if (endpoint_.is_wanted(uri)) one.wanted_ns = now_ns;
      if (endpoint_.is_watched(uri)) uris.push_back(uri);
    }
    std::erase_if(watched_, [&](const auto& one) {
      return now_ns - one.second.wanted_ns > kForgetMs * 1'000'000;
    });
  }
  for (const std::string& uri : uris) tell_beyond(uri, &Watched::told);
  if (now_ns < wake_after_ns_) return;
  wake_after_ns_ = now_ns + kLookMs * 1'000'000;
  for (const std::string& uri : uris) wake(uri);
}

// What cannot be read or written now is due again.
void InboxWatch::wake(const std::string& uri) {
  Teller teller(*this, uri);
  Wakers wakers;
  wakers.mcp = &teller;
  wakers.only_agent = inbox_agent(uri).value_or("");
  if (wakers.only_agent.empty()) return;
  const Result<std::vector<inbox::DueWake>> due = inbox_.due_wakes(wakers);
  if (!due) return;
  for (const inbox::DueWake& one : *due) (void)inbox_.wake(one.target, wakers);
}

void InboxWatch::tell_beyond(const std::string& uri, std::int64_t Watched::*mark) {
  const std::optional<std::int64_t> place = newest(uri);
  if (!place) return;
  {
    const std::lock_guard lock(mutex_);
    const auto found = watched_.find(uri);
    if (found == watched_.end() || *place <= found->second.*mark) return;
    found->second.said = found->second.told = *place;
  }
  endpoint_.tell({"notifications/resources/updated", uri});
}

void InboxWatch::run() {
  std::uint64_t seen = inbox_.changes();
  while (!is_over_) {
    look();
    seen = inbox_.wait_for_change(seen, kLookMs);
  }
}

}  // namespace alfred::mcp
