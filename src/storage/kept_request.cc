#include "base/digest.h"
#include "storage/store.h"

namespace alfred {

std::string kept_request(const WriteCall& call) {
  constexpr std::size_t kLongest = 256;
  std::string whole = call.caller.user
                          ? std::to_string(call.caller.user->size()) + ":" + *call.caller.user
                          : std::string(":");
  whole += call.request;
  return whole.size() <= kLongest ? whole : "digest " + content_digest(whole);
}

}  // namespace alfred
