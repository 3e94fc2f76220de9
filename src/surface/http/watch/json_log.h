// The server's log: one JSON object a line, so that nothing that is logged can forge a line.
//
// R1 known secrets, and what looks like a credential, are blotted out where the line is written (I-4).
// R2 who logs never waits: lines are written by a thread of the log's own. What cannot be written, and what comes
//    faster than it can, is lost and counted; nothing ends because of it (F8).
// R3 what comes within kPauseMs is written together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/json/json.h"
#include "base/time/clock.h"

namespace alfred::http {

class JsonLog {
 public:
  static constexpr std::int64_t kPauseMs = 10;
  static constexpr std::int64_t kLongestFlushMs = 1'000;

  JsonLog(std::ostream& out, const Clock& clock, std::vector<std::string> secrets,
          std::size_t most_waiting = 10'000);
  JsonLog(const JsonLog&) = delete;
  JsonLog& operator=(const JsonLog&) = delete;
  ~JsonLog();  // all that waits is written first

  void write(std::string_view level, const JsonObject& line, std::string_view trace_id);
  // The members are written already: "event":"request","status":200
  void write_members(std::string_view level, std::string_view members, std::string_view trace_id);
  // Until nothing waits. False: it still does after kLongestFlushMs, since nobody reads what is
  // written; then its end would wait too.
  bool flush();
  std::uint64_t drops() const;

 private:
  void write_lines();

  std::ostream& out_;
  const Clock& clock_;
  std::vector<std::string> secrets_;
  std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Lines, one after the other: their memory stays with the log, whoever wrote them.
  std::string waiting_;
  std::size_t lines_ = 0;
  bool is_writing_ = false;
  bool is_awaited_ = false;  // somebody waits for what is written
  bool is_over_ = false;
  std::uint64_t drops_ = 0;
  std::thread writer_;
};

// The text without the secrets, bearer tokens, model keys and passwords of addresses.
std::string redacted(std::string text, const std::vector<std::string>& secrets);

}  // namespace alfred::http
