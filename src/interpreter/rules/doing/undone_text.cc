#include "interpreter/rules/doing/undone_text.h"

#include <array>
#include <utility>

namespace alfred::rules {

std::string undone_text(const Facts& facts) {
  using Said = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Said, 3> kSaid{Said{"created", "Restored (put back): "},
                                      Said{"updated", "Changed back: "},
                                      Said{"deleted", "Removed again: "}};
  std::string out;
  for (const StepFact& step : facts.steps)
    for (const CallFact& call : step.calls) {
      if (call.answer == nullptr) continue;
      for (const auto& [list, said] : kSaid) {
        std::string names;
        for (const std::string& one : texts_of(*call.answer, list))
          names += (names.empty() ? "" : ", ") + one;
        if (!names.empty()) out.append("\n").append(said).append(names);
      }
    }
  return "I took the last change back" + (out.empty() ? "." : ":" + out) +
         "\n“undo” again goes one further back.";
}

}  // namespace alfred::rules
