#include "surface/cli/serve/few_heaps.h"

#include <malloc.h>

#include <cstdlib>

namespace alfred::cli {

void keep_few_heaps() {
  constexpr int kHeaps = 4;
  if (std::getenv("MALLOC_ARENA_MAX") == nullptr) ::mallopt(M_ARENA_MAX, kHeaps);
}

}  // namespace alfred::cli
