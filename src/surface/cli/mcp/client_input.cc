#include "surface/cli/mcp/client_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace alfred::cli {

ClientInput::int_type ClientInput::underflow() {
  for (;;) {
    // Asked for nothing, an end still says when it is broken.
    std::array<pollfd, 2> ends{pollfd{from_, POLLIN, 0}, pollfd{to_, 0, 0}};
    const bool is_told = ::poll(ends.data(), ends.size(), -1) >= 0;
    if (!is_told && errno == EINTR) continue;
    if (!is_told || (ends[1].revents & (POLLERR | POLLHUP)) != 0) return traits_type::eof();
    const ssize_t got = ::read(from_, bytes_.data(), bytes_.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
    return traits_type::to_int_type(bytes_.front());
  }
}

}  // namespace alfred::cli
