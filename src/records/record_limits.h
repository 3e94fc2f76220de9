// How much one call may ask for and get (robustness.md). Surfaces set them; tests try each at its
// limit and one past it.
#pragma once

#include <cstddef>

namespace alfred {

struct RecordLimits {
  std::size_t read_rows = 200;
  std::size_t default_read_rows = 50;
  std::size_t read_bytes = 64 * 1024;  // of the rendered answer; whole rows only
  std::size_t write_rows = 100;
  std::size_t delete_rows = 50;  // without a manifest
  std::size_t filters = 20;
  std::size_t or_filters = 10;
  std::size_t group_depth = 8;
  std::size_t list_values = 200;
  std::size_t columns = 64;
  std::size_t nested_rows = 100;  // of one parent, read or written
  std::size_t json_depth = 64;    // of a JSON column's value
  // Of a value as it is shown, in JSON: what is written fits into an answer.
  std::size_t json_bytes = 60 * 1024;
  std::size_t text_bytes = 60 * 1024;
  std::size_t batch_items = 500;
};

}  // namespace alfred
