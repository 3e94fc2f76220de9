#include "surface/http/gate/token_file.h"

#include <sys/stat.h>

#include <array>

#include <fmt/format.h>

#include "base/files/file.h"

namespace alfred::http {
namespace {

constexpr std::size_t kBytes = 32;
constexpr int kLockMs = 5000;

std::string new_token(Random& random) {
  std::array<std::byte, kBytes> bytes{};
  random.fill(bytes);
  std::string out;
  for (const std::byte one : bytes) out += fmt::format("{:02x}", std::to_integer<unsigned>(one));
  return out;
}

Result<Token> kept_token(const std::string& path, mode_t mode) {
  if ((mode & 0077U) != 0)
    return fail(ErrorCode::access,
                fmt::format("Others may read the token in {}. Make it yours alone (chmod 600), and "
                            "delete it if somebody may have read it: a new one is made then.",
                            path),
                path);
  Result<std::string> text = read_file(path);
  if (!text) return Unexpected(std::move(text).error());
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  if (text->size() != 2 * kBytes ||
      text->find_first_not_of("0123456789abcdef") != std::string::npos)
    return fail(ErrorCode::access,
                fmt::format("{} holds no token. Delete it: a new one is made then.", path), path);
  return Token{std::move(*text), false};
}

}  // namespace

Result<Token> token_in(const std::string& path, Random& random) {
  const Result<FileLock> lock = lock_file(path, kLockMs);
  if (!lock) return Unexpected(lock.error());
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0) return kept_token(path, found.st_mode);
  Token made{new_token(random), true};
  if (Result<void> written = write_file_atomically(path, made.value + "\n", 0600); !written)
    return Unexpected(std::move(written).error());
  return made;
}

}  // namespace alfred::http
