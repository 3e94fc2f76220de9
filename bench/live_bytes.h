// How much memory something keeps: counts what operator new hands out while it is watched.
// Memory taken by other ways (mmap, malloc) is not seen. Costs one test of a flag when it is off.
#pragma once

#include <cstddef>
#include <functional>

namespace alfred::bench {

// The bytes that `build` allocated and had not freed when it returned.
std::size_t live_bytes_after(const std::function<void()>& build);

}  // namespace alfred::bench
