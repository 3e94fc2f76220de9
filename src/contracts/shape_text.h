// A described value (shape.h) written as JSON text: the same bytes as write_json(to_json(value)),
// without a copy of the value in between.
#pragma once

#include <string>

#include "contracts/shape.h"

namespace alfred {

void append_encoded(std::string& out, const Shape& shape, const void* value);

template <class T>
void append_json_of(std::string& out, const T& value) {
  append_encoded(out, shape_of<T>(), &value);
}
template <class T>
std::string json_text_of(const T& value) {
  std::string out;
  append_json_of(out, value);
  return out;
}

}  // namespace alfred
