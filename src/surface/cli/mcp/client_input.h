// What a client sends over standard input, for as long as it is there.
//
// R1 it ends where the client closes its end, and where nobody reads our output any more: then nothing can be
//    answered, though the client may keep our input open for ever.
#pragma once

#include <array>
#include <streambuf>

namespace alfred::cli {

class ClientInput final : public std::streambuf {
 public:
  // Descriptors of what is read, and of where the answers go.
  ClientInput(int from, int to) : from_(from), to_(to) {}

 protected:
  int_type underflow() override;

 private:
  int from_;
  int to_;
  std::array<char, 16 * 1024> bytes_;
};

}  // namespace alfred::cli
