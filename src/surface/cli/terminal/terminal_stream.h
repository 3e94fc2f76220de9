// What the commands print for people, on its way to the terminal: whole lines through
// terminal_text(), so that stored text cannot fool it (C15).
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace alfred::cli {

// A stream whose lines pass through terminal_text() on their way to another.
class TerminalStream : public std::ostream {
 public:
  explicit TerminalStream(std::ostream& to) : std::ostream(nullptr), lines_(to) { rdbuf(&lines_); }
  TerminalStream(const TerminalStream&) = delete;
  TerminalStream& operator=(const TerminalStream&) = delete;
  ~TerminalStream() override { lines_.pubsync(); }

 private:
  class Lines : public std::streambuf {
   public:
    explicit Lines(std::ostream& to) : to_(to) {}

   private:
    int overflow(int c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

    std::ostream& to_;
    std::string waiting_;
  };
  Lines lines_;
};

}  // namespace alfred::cli
