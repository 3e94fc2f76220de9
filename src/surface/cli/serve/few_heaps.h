// A server's hundred threads in few heaps. The C library would make eight for each processor, and
// each keeps what its busiest moment took.
#pragma once

namespace alfred::cli {

// To be called before there are threads. Who sets MALLOC_ARENA_MAX is obeyed.
void keep_few_heaps();

}  // namespace alfred::cli
