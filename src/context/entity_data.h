// The rows that were read in the window, by ref: what a context may show of an entity beyond its
// label (002, turn windows).
//
// R1 the newest read of a ref wins; a row that was changed or deleted afterwards is no longer shown as data.
//    Of a row that the user changed with their own hands only what this turn read is.
// R2 nested rows are found under their own refs too.
// R3 the content of what was generated and not saved counts as data (D23).
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "state/session_state.h"

namespace alfred {

class EntityData {
 public:
  // Of the turns in the window and the one that runs. It looks into the state and lives no longer
  // than that stays as it is.
  static EntityData collect(const SessionState& state);

  struct Source {
    std::uint32_t turn = 0;
    std::string_view step{};  // stp_…
  };

  // Null when there is none.
  const JsonObject* find(std::string_view ref) const;
  // Where a row was read last; null for what was generated.
  const Source* source(std::string_view ref) const;
  std::set<std::string, std::less<>> refs() const;

 private:
  void add_steps(const SessionState& state, std::uint32_t turn, std::span<const Step> steps);
  void add_rows(const SessionState& state, const JsonArray& rows, const Source& source);
  void forget(std::string_view ref);

  struct Read {
    const JsonObject* row = nullptr;
    std::optional<Source> source{};
  };
  struct RefHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Read, RefHash, std::equal_to<>> rows_;
};

}  // namespace alfred
