// The data a step of Act is shown: what happened so far, entities with their rows, content to save.
// The part of the prompt that a budget may cut.
//
// R1 every row stands once: under its entity when that is in play, else with the call that read it.
// R2 rows are cut whole, those read longest ago first and of one read its last; what the step retrieved goes last,
//    what is generated never (I-28).
// R3 a row that is cut keeps its ref and label in the list; a line says how many there are and how to see them.
// R4 what is retained is refs and labels (D24); content to save is shown whole, and only there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "context/entity_block.h"
#include "context/entity_data.h"
#include "turn/scene.h"

namespace alfred {

class ActData {
 public:
  ActData(const Scene& scene, std::uint32_t step);
  ActData(const ActData&) = delete;  // it looks into itself
  ActData& operator=(const ActData&) = delete;

  const EntityTiers& tiers() const { return tiers_; }
  // How many rows may be cut; the functions below leave out the first `cut` of them.
  std::size_t units() const { return entities_to_cut_.size() + inline_rows_; }
  std::string history(std::size_t cut) const;
  std::string entities(std::size_t cut) const;
  std::string content_to_save() const;

 private:
  // One of tiers_.active; what was read of it, if it has a row of its own in section 12.
  struct Active {
    const EntitySnapshot* entity;
    const EntityData::Read* read;
  };

  bool is_inline(const Json& row) const;
  bool is_retrieved(std::string_view step) const;
  void check_found() const;
  void order_cuts();
  const RowFormat& format_of(const std::string& type) const;
  void append_block(ByteBuffer& out, const Active& one) const;
  std::string cut_lines(std::size_t cut) const;
  std::string call_line(const ToolResult& call, std::size_t& cut) const;
  std::string rows_line(const JsonObject& answer, std::size_t& cut) const;
  std::string retrieved_lines(std::size_t& cut) const;
  std::string artifact_lines(const StoredArtifact& artifact) const;

  const Scene& scene_;
  std::uint32_t index_;
  const Plan& plan_;
  const Step& step_;
  EntityTiers tiers_;
  std::vector<std::string> nested_;  // types that are in no tier
  EntityData data_;
  std::vector<Active> active_;                                         // as in `tiers_`
  boost::unordered_flat_map<EntityNo, const JsonObject*> shown_rows_;  // of those with a row
  std::vector<const Active*> entities_to_cut_;                         // in the order they go
  std::size_t inline_rows_ = 0;
  using Formats = std::map<std::string, RowFormat>;
  mutable Formats formats_{};  // by type, made when asked for
  mutable Formats::const_iterator last_format_ = formats_.end();
};

}  // namespace alfred
