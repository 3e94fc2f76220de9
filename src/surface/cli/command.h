// A command of `alfred`, as data. cli.cc turns the table into a parser, --help and docs/cli.md, so
// that the three cannot disagree.
#pragma once

#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"

namespace alfred::cli {

struct Parameter {
  std::string_view name;   // "--table" for an option, "id" for a positional
  std::string_view value;  // how help names the value; empty for a flag
  std::string_view help;
  bool is_required = false;
  bool is_repeated = false;
};

// What was given for a command's parameters, by name ("--table", "id"). A flag has one empty value.
class Arguments {
 public:
  void add(std::string name, std::vector<std::string> values);
  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;  // the first value, or empty
  std::span<const std::string> all(std::string_view name) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

// Exit codes, the same for every command.
enum ExitCode : int { kDone = 0, kBadInput = 1, kBadUsage = 2, kUnavailable = 3, kDamaged = 4 };

struct Command {
  std::string_view group;  // "id", or empty for a command of its own
  std::string_view name;   // "new"
  std::string_view help;
  std::vector<Parameter> parameters;
  int (*run)(const Arguments&, const Streams&);
  bool is_for_programs = false;  // what it prints is read by programs, so nothing in it is escaped
  bool is_screen = false;        // it knows a terminal by itself
};

struct Group {
  std::string_view name;
  std::string_view help;
};

std::span<const Group> groups();
std::span<const Command> commands();

// Prints an error as people read it, and returns the exit code that its kind asks for.
int report(const Error& error, std::ostream& err);

}  // namespace alfred::cli
