#include "inbox/flow/pump.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMostPages = 4096;

constexpr Statement kGeneration(
    "SELECT value FROM alfred_inbox_counters WHERE name = 'subscriptions'");
constexpr Statement kFollowers(
    "SELECT b.id, c.id, c.place, b.filter_text, i.id, i.agent, i.digest_on, i.window_ms, "
    "i.max_items, i.max_age_ms FROM alfred_inbox_consumers c "
    "JOIN alfred_inbox_subscriptions b ON b.id = c.subscription "
    "JOIN alfred_inbox_inboxes i ON i.agent = b.agent "
    "WHERE c.stream = :stream AND c.is_following = 1 ORDER BY b.created_ms, b.id");

std::vector<Reader> followers(Sql& sql, const std::string& stream) {
  std::vector<Reader> out;
  for (const Row& row : sql.all(kFollowers, {{"stream", stream}}))
    out.push_back({text_at(row, 0), text_at(row, 1), inbox_at(row, 4), number_at(row, 2),
                   kept_filter(row, 3)});
  return out;
}

}  // namespace

Result<Filter> kept_filter(const Row& row, std::size_t at) {
  Result<Filter> filter = Filter::compile(json_at(row, at));
  if (filter) return filter;
  return fail(ErrorCode::conflict,
              "The filter of this subscription is not understood any more: " +
                  filter.error().message + " Subscribe anew with another filter.",
              "filter");
}

std::int64_t ReaderBook::generation(Sql& sql) { return sql.number(kGeneration); }

Result<ReaderBook::Page> ReaderBook::source(Sql& sql, std::string_view source,
                                            std::int64_t generation) {
  {
    const std::scoped_lock lock(mutex_);
    const auto kept = pages_.find(source);
    if (kept != pages_.end() && kept->second.generation == generation) return kept->second.page;
  }
  Result<SourceRow> row = find_source(sql, source);
  if (!row) return Unexpected(row.error());
  auto page = std::make_shared<Followed>();
  page->readers = followers(sql, row->stream);
  page->source = std::move(*row);
  if (sql.has_failed()) return Page(std::move(page));
  const std::scoped_lock lock(mutex_);
  if (pages_.size() >= kMostPages) pages_.clear();
  pages_[page->source.id] = {generation, page};
  return Page(std::move(page));
}

}  // namespace alfred::inbox
