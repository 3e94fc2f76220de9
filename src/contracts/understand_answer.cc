#include "contracts/understand_answer.h"

namespace alfred {

Shape Described<UnderstandAnswer>::make() {
  using A = UnderstandAnswer;
  return object(
      "UnderstandAnswer",
      {field<&A::processed_message>("processed_message",
                                    "What the user wants, in at most 50 characters.")
           .cut_to(A::kProcessedChars),
       field<&A::entity_mentions>("entity_mentions",
                                  "Everything the message speaks of by name or word.")
           .most(50),
       field<&A::constraint_snapshot>("constraint_snapshot",
                                      "What the message says about constraints."),
       field<&A::entity_curation>("entity_curation", "What stays in play and what does not."),
       field<&A::quick_mode>("quick_mode",
                             "One table, reading only, and the answer stands in the database."),
       field<&A::quick_mode_confidence>("quick_mode_confidence",
                                        "medium lets the planner look at it first."),
       field<&A::quick_intent>("quick_intent", "What to look up, in a few words.").longest(200),
       field<&A::quick_subdomain>("quick_subdomain", "Where to look it up.").longest(64),
       field<&A::ambiguity>("ambiguity", "Whether the message says enough to act on."),
       field<&A::default_assumptions>(
           "default_assumptions", "What is taken for granted where it does not, each a sentence.")
           .most(10)
           .longest(200),
       field<&A::conversation_phase>("conversation_phase", "Where the conversation stands."),
       field<&A::user_expressed>("user_expressed", "A wish beyond this request: wants variety.")
           .longest(200)});
}

}  // namespace alfred
