// The baseline of P8: Boost.Beast answering every request with a few bytes, one thread, as its own
// examples do.
#pragma once

#include <cstdint>
#include <memory>

namespace alfred::bench {

class BeastHello {
 public:
  BeastHello();  // on a free port of loopback
  ~BeastHello();
  BeastHello(const BeastHello&) = delete;
  BeastHello& operator=(const BeastHello&) = delete;
  std::uint16_t port() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace alfred::bench
