// What Summarize gives: older turns as narrative. The ledger of the turn is made by code; here is
// only what needs words.
#pragma once

#include "contracts/node.h"

namespace alfred {

struct SummarizeAnswer {
  std::string assistant_summary{};
  std::optional<std::string> history_summary{};
  std::optional<std::string> engagement_summary{};
  friend bool operator==(const SummarizeAnswer&, const SummarizeAnswer&) = default;
};
template <>
struct Described<SummarizeAnswer> {
  static Shape make() {
    using A = SummarizeAnswer;
    return object(
        "SummarizeAnswer",
        {field<&A::assistant_summary>("assistant_summary",
                                      "What the reply said, in one or two plain sentences.")
             .longest(1000),
         field<&A::history_summary>(
             "history_summary", "The older turns as a story, names and numbers kept, without refs.")
             .longest(4000),
         field<&A::engagement_summary>("engagement_summary",
                                       "What the whole conversation is about.")
             .longest(400)});
  }
};

}  // namespace alfred
