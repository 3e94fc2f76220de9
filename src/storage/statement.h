// Statement: a fixed SQL text on our own tables. It is made at compile time only, so no value and
// no name that came from outside can be part of one. Portable: what SQLite and PostgreSQL both
// accept (ON CONFLICT, RETURNING), parameters as :name, types text, integer (64 bits), real.
#pragma once

#include <span>
#include <string_view>

#include "storage/value.h"

namespace alfred {

class Statement {
 public:
  consteval Statement(const char* text) : text_(text) {}
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

struct Param {
  std::string_view name;  // without the colon
  Value value;
};
using Params = std::span<const Param>;

// The tables a folder of ours needs, in steps that are never edited, only added to.
struct Migration {
  int version;  // 1, 2, 3…
  std::span<const Statement> steps;
};
struct StateTables {
  std::string_view owner;  // "records", "state", "inbox": whose versions these are
  std::span<const Migration> migrations;
};

}  // namespace alfred
