// KeptMoment: of a thread that answers one request after the other, the moment of a database that
// the last one read, kept for the next.
//
// R1 a request may use a moment that began after the request had come: it sees all that was there when it came.
// R2 a moment is used for at most kLongest. Who runs the thread ends it before the thread waits for something to do, and whoever
//    may take long (a write, a query, a wait) ends it first: nothing is held for nothing.
// R3 outside of a request nothing is kept, and what is being read from is not ended.
#pragma once

#include <chrono>
#include <memory>

namespace alfred {

class KeptMoment {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kLongest{5};

  KeptMoment(const void* whose, Time from) : of(whose), begun(from) {}
  KeptMoment(const KeptMoment&) = delete;
  KeptMoment& operator=(const KeptMoment&) = delete;
  virtual ~KeptMoment() = default;  // ends it

  const void* const of;  // the database
  const Time begun;      // no later than the moment itself
  bool is_read_from = false;
};

// What this thread does is for a request that came at that time.
class RequestScope {
 public:
  explicit RequestScope(KeptMoment::Time came);
  RequestScope(const RequestScope&) = delete;
  RequestScope& operator=(const RequestScope&) = delete;
  ~RequestScope();
};

bool may_keep_moment();
// In the place of the one that is kept. Not while that is being read from.
void keep_moment(std::unique_ptr<KeptMoment> moment);
// One that this thread's request may use; null: there is none. One that it may not is ended.
KeptMoment* kept_moment(const void* of);
void end_kept_moment();

}  // namespace alfred
