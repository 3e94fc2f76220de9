// ChildLines: a child process and what it prints, line by line.
//
// R1 its input is empty and what it says on its error stream is dropped; it has no other file of ours.
// R2 it has a process group of its own, and the whole group ends with this object. Where the process that started it
//    is killed, it ends too; the object is made and used on one thread, whose end counts as well.
// R3 a line longer than an event may be is dropped, and that is told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace alfred::inbox {

class ChildLines {
 public:
  explicit ChildLines(const std::vector<std::string>& command);
  ChildLines(const ChildLines&) = delete;
  ChildLines& operator=(const ChildLines&) = delete;
  ~ChildLines();

  bool is_started() const { return child_ > 0; }
  // The next line, at most so long; nothing: none came, or it ended.
  std::optional<std::string> next(int most_ms);
  bool is_ended() const { return is_ended_; }
  // Whether a line was dropped since it was asked.
  bool has_dropped();

 private:
  pid_t child_ = -1;
  int from_ = -1;
  std::string bytes_;
  bool is_ended_ = false;
  bool is_dropping_ = false;
  bool has_dropped_ = false;
};

}  // namespace alfred::inbox
