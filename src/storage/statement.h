// Statement: a fixed SQL text on our own tables. It is made at compile time only, so no value and
// no name that came from outside can be part of one. Portable: what SQLite and PostgreSQL both
// accept (ON CONFLICT, RETURNING), parameters as :name, types text, integer (64 bits), real.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

// Two lists of statements as one.
template <std::size_t N, std::size_t M>
constexpr std::array<Statement, N + M> joined(const std::array<Statement, N>& first,
                                              const std::array<Statement, M>& second) {
  return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...> /*of the first*/,
                                                 std::index_sequence<J...> /*of the second*/) {
    return std::array<Statement, N + M>{first[I]..., second[J]...};
  }(std::make_index_sequence<N>(), std::make_index_sequence<M>());
}

// The tables a folder of ours needs, in steps that are never edited, only added to.
struct Migration {
  int version;  // 1, 2, 3…
  std::span<const Statement> steps;
};
struct StateTables {
  std::string_view owner;  // "records", "state", "inbox": whose versions these are
  std::span<const Migration> migrations;
  // Makes at once what all the steps make one after the other, where there is nothing yet; may be
  // empty.
  std::span<const Statement> newest = {};

  int newest_version() const { return migrations.empty() ? 0 : migrations.back().version; }
  // What a database needs that is at `version`: steps in their order.
  std::vector<Statement> steps_from(std::int64_t version) const {
    std::vector<Statement> out;
    if (version == 0) out.assign(newest.begin(), newest.end());
    if (!out.empty()) return out;
    for (const Migration& one : migrations)
      if (one.version > version) out.insert(out.end(), one.steps.begin(), one.steps.end());
    return out;
  }
};

}  // namespace alfred
