#include "base/kept_moment.h"

#include <optional>

namespace alfred {
namespace {

struct OfThread {
  std::optional<KeptMoment::Time> came{};
  std::unique_ptr<KeptMoment> kept{};
};
OfThread& of_thread() {
  thread_local OfThread mine;
  return mine;
}

}  // namespace

RequestScope::RequestScope(KeptMoment::Time came) {
  OfThread& mine = of_thread();
  mine.came = came;
  if (mine.kept != nullptr && mine.kept->begun < came) end_kept_moment();
}

RequestScope::~RequestScope() { of_thread().came.reset(); }

bool may_keep_moment() {
  const OfThread& mine = of_thread();
  return mine.came && (mine.kept == nullptr || !mine.kept->is_read_from);
}

void keep_moment(std::unique_ptr<KeptMoment> moment) {
  // The one before ends after this one has its place.
  std::swap(of_thread().kept, moment);
}

KeptMoment* kept_moment(const void* of) {
  const OfThread& mine = of_thread();
  KeptMoment* const kept = mine.kept.get();
  if (kept == nullptr || kept->of != of || kept->is_read_from) return nullptr;
  const bool is_usable = mine.came && kept->begun >= *mine.came &&
                         KeptMoment::Time::clock::now() - kept->begun < KeptMoment::kLongest;
  if (is_usable) return kept;
  end_kept_moment();
  return nullptr;
}

void end_kept_moment() {
  OfThread& mine = of_thread();
  if (mine.kept != nullptr && !mine.kept->is_read_from) mine.kept.reset();
}

}  // namespace alfred
