#include "base/digest.h"
#include "storage/store.h"

namespace alfred {

std::string kept_request(const WriteCall& call) {
  constexpr std::size_t kLongest = 256;
  std::string whole = call.caller.user
                          ? std::to_string(call.caller.user->size()) + ":" + *call.caller.user
                          : std::string(":");
  if (whole.size() + call.request.size() <= kLongest) return whole + call.request;
  const std::string_view pieces[] = {whole, call.request};
  return "digest " + content_digest(pieces);
}

}  // namespace alfred
