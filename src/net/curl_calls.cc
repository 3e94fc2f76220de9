#include "net/curl_calls.h"

#include "base/late_library.h"

namespace alfred {
namespace {

Result<CurlCalls> load_curl() {
  LateLibrary library("libcurl.so.4", "libcurl4");
  CurlCalls calls;
#define ALFRED_CALL(name) library.take(#name, calls.name);
  ALFRED_CURL_CALLS(ALFRED_CALL)
#undef ALFRED_CALL
  if (library.error()) return Unexpected(*library.error());
  calls.curl_global_init(CURL_GLOBAL_DEFAULT);
  return calls;
}

}  // namespace

const Result<CurlCalls>& curl_calls() {
  // Never destroyed: threads that end late may still hold what the library made.
  static const Result<CurlCalls>& calls = *new Result<CurlCalls>(load_curl());
  return calls;
}

}  // namespace alfred
