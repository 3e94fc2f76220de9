// What a user of the installed library writes: public headers, one CMake target.
#include <alfred/error.h>

#include <iostream>

namespace {

alfred::Result<int> half(int number) {
  if (number % 2 != 0)
    return alfred::fail(alfred::ErrorCode::schema, "An even number is needed.", "number");
  return number / 2;
}

}  // namespace

int main() {
  const auto good = half(4);
  const auto bad = half(3);
  if (!good || *good != 2) return 1;
  if (bad || alfred::error_name(bad.error().code) != "schema") return 2;
  if (alfred::error_kind(bad.error().code) != alfred::ErrorKind::bad_input) return 3;
  std::cout << "consumer: the installed library answers\n";
  return 0;
}
