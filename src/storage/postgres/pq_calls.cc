#include "storage/postgres/pq_calls.h"

#include "base/check.h"
#include "base/late_library.h"

namespace alfred {
namespace {

Result<PqCalls> load_pq() {
  LateLibrary library("libpq.so.5", "libpq5");
  PqCalls calls;
#define ALFRED_CALL(name) library.take(#name, calls.name);
  ALFRED_PQ_CALLS(ALFRED_CALL)
#undef ALFRED_CALL
  if (library.error()) return Unexpected(*library.error());
  return calls;
}

}  // namespace

const Result<PqCalls>& pq_calls() {
  // Never destroyed: threads that end late may still hold what the library made.
  static const Result<PqCalls>& calls = *new Result<PqCalls>(load_pq());
  return calls;
}

const PqCalls& pq() {
  ALFRED_CHECK(pq_calls(), "who calls libpq has seen that it is there");
  return *pq_calls();
}

}  // namespace alfred
