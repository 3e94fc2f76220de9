// The page: the files of web/, which are part of the program, as a browser asks for them.
//
// R1 `/` is index.html, `/page/NAME` a file beside it; there are no other paths, and none leads to a file on disk.
// R2 it is given without the token: nothing of a user is in it. Whatever it shows it asks the API for.
// R3 it runs no script and takes no style but its own, asks nobody but this server, and is shown in no frame.
// R4 a browser keeps it and asks each time whether it is still the same (304).
#pragma once

#include <optional>
#include <string_view>

#include "surface/http/wire/http_message.h"

namespace alfred::http {

inline constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

// Whether a path is one of the page's.
bool is_page(std::string_view path);
// What a request for such a path gets; 405 for what neither looks nor asks whether there is
// something.
HttpResponse page_response(const HttpRequest& request);

}  // namespace alfred::http
