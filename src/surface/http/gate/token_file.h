// The server's bearer token: made at the first start, kept in a file for its owner's eyes.
//
// R1 32 bytes of the operating system's randomness, in hexadecimal, one line.
// R2 a file that others may read is refused, and so is one that holds no such token (F13).
// R3 two servers that start at once get the same one.
#pragma once

#include <string>

#include "alfred/error.h"
#include "alfred/random.h"

namespace alfred::http {

struct Token {
  std::string value{};
  bool is_new = false;
};

// Its folder must exist. Errors: file, access.
Result<Token> token_in(const std::string& path, Random& random);

}  // namespace alfred::http
