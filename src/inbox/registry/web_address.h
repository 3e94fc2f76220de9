// The address that a webhook is POSTed to.
//
// R1 http:// or https://, a host, and a port from 1 to 65535 where one is said; at most 2048 printable bytes of ASCII.
// R2 no user and no password: who asks for the target would be shown them. A message never repeats what may be one.
#pragma once

#include <string>
#include <string_view>

#include "alfred/error.h"

namespace alfred::inbox {

// R1, R2. Error: value.
Result<void> check_web_address(std::string_view url);
// The same address with what may be a user and a password left out.
std::string without_password(std::string_view url);

}  // namespace alfred::inbox
