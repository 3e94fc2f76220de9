// Act's user prompt: 002's fifteen sections, in its order, by its matrix.
//
// R1 the sections of a step type are exactly those of kActSections; entities and conversation are always
//    there.
// R2 of its data only whole rows are cut (act_data.h); retrieving is offered only where something was.
#pragma once

#include <array>
#include <string>

#include "contracts/ask.h"
#include "turn/scene.h"

namespace alfred {

enum class ActSection : std::uint8_t {
  subdomain_header,
  write_guidance,  // the user's, in a write
  status,
  previous_note,
  profile,
  guidance,  // the user's, in analyze and generate
  task,
  batch_manifest,
  step_guidance,
  step_data,
  schema,
  entities,
  artifacts,
  conversation,
  decision,
};

// 002's matrix: which sections a step type has, in 002's order.
struct ActSectionRow {
  ActSection section;
  bool analyze, generate, read, write;
};
inline constexpr std::array<ActSectionRow, 15> kActSections{{
    {ActSection::subdomain_header, true, true, true, true},
    {ActSection::write_guidance, false, false, false, true},
    {ActSection::status, true, true, true, true},
    {ActSection::previous_note, false, false, true, true},
    {ActSection::profile, true, true, false, false},
    {ActSection::guidance, true, true, false, false},
    {ActSection::task, true, true, true, true},
    {ActSection::batch_manifest, false, false, false, true},
    {ActSection::step_guidance, true, true, true, true},
    {ActSection::step_data, true, true, true, true},
    {ActSection::schema, false, false, true, true},
    {ActSection::entities, true, true, true, true},
    {ActSection::artifacts, false, false, false, true},
    {ActSection::conversation, true, true, true, true},
    {ActSection::decision, true, true, true, true},
}};
bool has_section(StepType type, ActSection section);

// The ask for a step; for Act Quick the same with its own contract.
Result<Ask> show_act(const Scene& scene, std::uint32_t step);
// Its system and user prompt alone, with nothing cut.
Ask act_prompt(const Scene& scene, std::uint32_t step);

}  // namespace alfred
