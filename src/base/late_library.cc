#include "base/late_library.h"

#include <dlfcn.h>

#include <utility>

#include <fmt/format.h>

namespace alfred {

LateLibrary::LateLibrary(const char* file, const char* package) : file_(file), package_(package) {
  handle_ = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return;
  const char* const reason = ::dlerror();
  refuse(reason == nullptr ? "" : reason);
}

void* LateLibrary::find(const char* name) {
  if (error_) return nullptr;
  void* const found = ::dlsym(handle_, name);
  if (found == nullptr) refuse(fmt::format("it has no {}", name));
  return found;
}

void LateLibrary::refuse(std::string reason) {
  error_ = Error{ErrorCode::file,
                 fmt::format("The library {} cannot be used. Install Debian's package {} (apt-get "
                             "install {}) and try again.",
                             file_, package_, package_),
                 {},
                 {},
                 std::move(reason)};
}

}  // namespace alfred
