// `alfred serve`, the program beside this one, on the embedded kitchen in a folder of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "../temporary_folder.h"

namespace alfred::bench {

class ServedAlfred {
 public:
  ServedAlfred();
  ServedAlfred(const ServedAlfred&) = delete;
  ServedAlfred& operator=(const ServedAlfred&) = delete;
  ~ServedAlfred();
  std::uint16_t port() const { return port_; }  // 0: it did not start

 private:
  TemporaryFolder folder_;
  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace alfred::bench
