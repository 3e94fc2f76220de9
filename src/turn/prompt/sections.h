// Sections that more than one node shows.
#pragma once

#include <string>
#include <vector>

#include "contracts/contract.h"
#include "turn/scene.h"

namespace alfred {

// What the model was told since its last good answer: code, message, allowed; what it was told more
// than once stands once, since the sixth edition.
std::string fault_lines(const Scene& scene, const std::vector<CallError>& faults);
std::string constraint_lines(const std::vector<Constraint>& constraints);
// The profile and what always holds.
std::string user_lines(const Scene& scene);
std::string goal_lines(const Scene& scene);
// Columns, types, values and links of a subdomain's tables.
std::string schema_lines(const Scene& scene, std::string_view subdomain);
// The refs a schema may name; none when they would take more than a tenth of the prompt.
SchemaOptions known_refs(const Scene& scene, const EntityTiers& tiers);
CallError call_error(const Error& error);

}  // namespace alfred
