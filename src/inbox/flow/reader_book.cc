#include "inbox/flow/pump.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMostPages = 4096;

constexpr Statement kGeneration(
    "SELECT value FROM alfred_inbox_counters WHERE name = 'subscriptions'");
constexpr Statement kFollowers(
    "SELECT b.id, c.id, i.id, b.agent, c.place, b.filter_text FROM alfred_inbox_consumers c "
    "JOIN alfred_inbox_subscriptions b ON b.id = c.subscription "
    "JOIN alfred_inbox_inboxes i ON i.agent = b.agent "
    "WHERE c.stream = :stream AND c.is_following = 1 ORDER BY b.created_ms, b.id");

}  // namespace

std::shared_ptr<const std::vector<Reader>> ReaderBook::followers(Sql& sql,
                                                                 const std::string& stream) {
  const std::int64_t generation = sql.number(kGeneration);
  {
    const std::scoped_lock lock(mutex_);
    const auto page = pages_.find(stream);
    if (page != pages_.end() && page->second.generation == generation) return page->second.readers;
  }
  auto readers = std::make_shared<std::vector<Reader>>();
  for (const Row& row : sql.all(kFollowers, {{"stream", stream}})) {
    Result<Filter> filter = Filter::compile(json_at(row, 5));
    if (!filter) {  // it compiled when it was kept
      sql.keep(filter.error());
      continue;
    }
    readers->push_back({text_at(row, 0), text_at(row, 1), text_at(row, 2), text_at(row, 3),
                        number_at(row, 4), std::move(*filter)});
  }
  if (sql.has_failed()) return readers;
  const std::scoped_lock lock(mutex_);
  if (pages_.size() >= kMostPages) pages_.clear();
  pages_[stream] = {generation, readers};
  return readers;
}

}  // namespace alfred::inbox
