// ALFRED_CHECK: stops the program when a promise between two of our own functions is broken.
// Only for programmer errors; whatever can come from outside is a Result (alfred/error.h).
//
// R1 A failed check names the file, the line and the promise on stderr, then aborts.
#pragma once

#include <cstdio>
#include <cstdlib>

#define ALFRED_CHECK(condition, promise)                                                  \
  do {                                                                                    \
    if (!(condition)) [[unlikely]] {                                                      \
      std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, (promise)); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)
