// The rows that were read in the window, by ref: what a context may show of an entity beyond its
// label (002, turn windows).
//
// R1 the newest read of a ref wins; a row that was changed or deleted afterwards is no longer shown as data.
//    Of a row that the user changed with their own hands only what this turn read is.
// R2 nested rows are found under their own refs too.
// R3 the content of what was generated and not saved counts as data (D23).
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/session_state.h"

namespace alfred {

class EntityData {
 public:
  // Of the turns in the window and the one that runs. It looks into the state and lives no longer
  // than that stays as it is.
  static EntityData collect(const SessionState& state);
  EntityData(EntityData&&) = default;
  EntityData& operator=(EntityData&&) = delete;

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
  EntityData() = default;
  void add_steps(const SessionState& state, std::uint32_t turn, std::span<const Step> steps);
  void add_rows(const SessionState& state, const JsonArray& rows, const Source& source);
  // As an entity that was read under this ref is shown now.
  std::string_view shown_ref(const RefRegistry& registry, EntityNo entity, std::string_view read);

  struct Read {
    const JsonObject* row = nullptr;
    std::optional<Source> source{};
  };
  boost::unordered_flat_map<std::string_view, Read> rows_;
  std::deque<std::string> refs_{};  // that stand nowhere in the state as they are shown
};

}  // namespace alfred
