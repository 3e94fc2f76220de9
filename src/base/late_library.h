// A shared library that is loaded when it is first needed. What a library of ours brings with it
// (libcurl and libpq: some thirty more) is time at every start, also of the commands that use
// nothing of it.
//
// R1 what cannot be loaded, or lacks a function, is an error that says which Debian package has it.
// R2 what was loaded stays until the program ends.
#pragma once

#include <optional>
#include <string>

#include "alfred/error.h"

namespace alfred {

class LateLibrary {
 public:
  // `file` is its name for the loader ("libcurl.so.4"), `package` what installs it.
  LateLibrary(const char* file, const char* package);

  // Puts the function of this name into `to`. After the first that is missing nothing more is
  // looked for.
  template <class Function>
  void take(const char* name, Function*& to) {
    to = reinterpret_cast<Function*>(find(name));
  }

  // Why it cannot be used, if so.
  const std::optional<Error>& error() const { return error_; }

 private:
  void* find(const char* name);
  void refuse(std::string reason);

  const char* file_;
  const char* package_;
  void* handle_ = nullptr;
  std::optional<Error> error_{};
};

}  // namespace alfred
