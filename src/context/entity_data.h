// The rows that were read in the window, by ref: what a context may show of an entity beyond its
// label (002, turn windows).
//
// R1 the newest read of a ref wins; a row that was changed or deleted afterwards is no longer shown as data.
//    Of a row that the user changed with their own hands only what this turn read is.
// R2 nested rows are found under their own refs too.
// R3 the content of what was generated and not saved counts as data (D23).
#pragma once

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
  // The same for who asks for no rows of these types: nested rows of them are passed over.
  static EntityData collect_without(const SessionState& state, std::span<const std::string> types);
  EntityData(EntityData&&) = default;
  EntityData& operator=(EntityData&&) = delete;

  struct Source {
    std::uint32_t turn = 0;
    std::string_view step{};  // stp_…
  };

  // What was read of an entity, or generated.
  struct Read {
    const JsonObject* row = nullptr;
    std::optional<Source> source{};  // where it was read last; none for what was generated
  };

  // Null when there is none. A ref is one that is shown: a saved one is not found as gen_.
  const Read* find(EntityNo entity) const;
  const Read* find(std::string_view ref) const;
  std::set<std::string, std::less<>> refs() const;

 private:
  EntityData(const SessionState& state, std::span<const std::string> without)
      : state_(state), without_(without) {}
  bool is_passed_over(const JsonArray& nested) const;
  void add_steps(std::uint32_t turn, std::span<const Step> steps);
  void add_rows(const JsonArray& rows, const Source& source);
  void erase(std::string_view ref);

  const SessionState& state_;
  std::span<const std::string> without_;  // types; used while it collects
  boost::unordered_flat_map<EntityNo, Read> rows_;
  boost::unordered_flat_map<std::string_view, Read> strangers_;  // by refs nobody is shown under
};

}  // namespace alfred
