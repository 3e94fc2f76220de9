// The functions of libcurl, which is loaded when they are first asked for (base/late_library.h).
#pragma once

#include <curl/curl.h>

#include "alfred/error.h"

namespace alfred {

#define ALFRED_CURL_CALLS(each)                                                              \
  each(curl_easy_cleanup) each(curl_easy_getinfo) each(curl_easy_init) each(curl_easy_reset) \
      each(curl_easy_setopt) each(curl_easy_strerror) each(curl_global_init)                 \
          each(curl_multi_add_handle) each(curl_multi_cleanup) each(curl_multi_info_read)    \
              each(curl_multi_init) each(curl_multi_perform) each(curl_multi_poll)           \
                  each(curl_multi_remove_handle) each(curl_slist_append) each(curl_slist_free_all)

// Each under its own name and with its own type.
struct CurlCalls {
// NOLINTNEXTLINE(bugprone-macro-parentheses): it declares what it is given
#define ALFRED_CALL(name) decltype(&::name) name = nullptr;
  ALFRED_CURL_CALLS(ALFRED_CALL)
#undef ALFRED_CALL
};

// The same table at every call, from any thread; or why there is none.
const Result<CurlCalls>& curl_calls();

}  // namespace alfred
