#include "surface/http/watch/json_log.h"

#include <algorithm>
#include <chrono>

namespace alfred::http {
namespace {

constexpr std::string_view kBlot = "[redacted]";
constexpr std::size_t kMostKept = 256 * 1024;  // of memory for lines, between writes

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_' || c == '.';
}

void blot_all(std::string& text, std::string_view secret) {
  for (std::size_t at = text.find(secret); at != std::string::npos;
       at = text.find(secret, at + kBlot.size()))
    text.replace(at, secret.size(), kBlot);
}

// The word after each of these.
void blot_after(std::string& text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end - at < 8) continue;
    text.replace(at, end - at, kBlot);
    at += kBlot.size();
  }
}

// postgres://user:password@host
void blot_passwords(std::string& text) {
  for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const std::size_t end = std::min(text.find_first_of(" /\"\\", at + 3), text.size());
    const std::size_t sign = text.rfind('@', end);
    const std::size_t colon = text.find(':', at + 3);
    if (sign == std::string::npos || sign < at || colon >= sign) continue;
    text.replace(colon + 1, sign - colon - 1, kBlot);
  }
}

// Whether it may have one of the marks below, or an address: most lines do not, and are looked at
// once.
bool may_have_secrets(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view before = text.substr(0, at);
    switch (text[at]) {
      case ' ':
        if (before.ends_with("earer")) return true;
        break;
      case '-':
        if (before.ends_with("sk")) return true;
        break;
      case '=':
        if (before.ends_with("api_key") || before.ends_with("password")) return true;
        break;
      case '/':
        if (before.ends_with(":/")) return true;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets)
    if (secret.size() >= 4) blot_all(text, secret);
  if (!may_have_secrets(text)) return text;
  for (const char* mark : {"Bearer ", "bearer ", "sk-", "api_key=", "password="})
    blot_after(text, mark);
  blot_passwords(text);
  return text;
}

JsonLog::JsonLog(std::ostream& out, const Clock& clock, std::vector<std::string> secrets,
                 std::size_t most_waiting)
    : out_(out), clock_(clock), secrets_(std::move(secrets)), most_waiting_(most_waiting) {
  writer_ = std::thread([this] { write_lines(); });
}

JsonLog::~JsonLog() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

void JsonLog::write_lines() {
  std::string together;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    changed_.wait_for(lock, std::chrono::milliseconds(kPauseMs),
                      [&] { return is_over_ || is_awaited_; });
    together.clear();
    if (together.capacity() > kMostKept) together = std::string();
    std::swap(together, waiting_);
    const std::size_t lines = std::exchange(lines_, 0);
    is_writing_ = true;
    lock.unlock();
    out_ << together << std::flush;
    const bool is_written = static_cast<bool>(out_);
    out_.clear();
    lock.lock();
    if (!is_written) drops_ += lines;
    is_writing_ = is_awaited_ = false;
    changed_.notify_all();
  }
}

bool JsonLog::flush() {
  std::unique_lock lock(mutex_);
  changed_.notify_all();
  // Whoever writes forgets who waited: each says so anew.
  return changed_.wait_for(lock, std::chrono::milliseconds(kLongestFlushMs), [&] {
    is_awaited_ = !waiting_.empty() || is_writing_;
    return !is_awaited_;
  });
}

void JsonLog::write(std::string_view level, const JsonObject& line, std::string_view trace_id) {
  const std::string text = write_json(line);
  write_members(level, std::string_view(text).substr(1, text.size() - 2), trace_id);
}

void JsonLog::write_members(std::string_view level, std::string_view members,
                            std::string_view trace_id) {
  std::string text;
  text.reserve(members.size() + trace_id.size() + 96);
  append_json_string(text += R"({"time":)", rfc3339_utc(clock_.wall_ms()));
  append_json_string(text += R"(,"level":)", level);
  if (!members.empty()) (text += ',') += members;
  if (!trace_id.empty()) append_json_string(text += R"(,"trace_id":)", trace_id);
  text = redacted(std::move(text += '}'), secrets_);
  text += '\n';
  {
    const std::scoped_lock lock(mutex_);
    if (lines_ >= most_waiting_) {
      ++drops_;
      return;
    }
    waiting_ += text;
    if (++lines_ > 1) return;  // the writer knows
  }
  changed_.notify_all();
}

std::uint64_t JsonLog::drops() const {
  const std::scoped_lock lock(mutex_);
  return drops_;
}

}  // namespace alfred::http
