// What can be asked for in every domain, in English. No word of any domain is in here.
#include "interpreter/rules/reading/intents.h"

namespace alfred::rules {
namespace {

RuleIntent intent(std::string does, std::vector<std::string> phrases, JsonObject with = {}) {
  return {.phrases = std::move(phrases),
          .does = std::move(does),
          .table = {},
          .with = std::move(with),
          .place = "built in"};
}

std::vector<RuleIntent> talk() {
  return {
      intent(
          "greet",
          {"(hello|hi|hey|hiya|greetings|good morning|good evening|good afternoon) [alfred|everybody]"}),
      intent(
          "thank",
          {"(thanks|thank you|cheers|many thanks) [a lot|lot|so much|very much|for that|alfred]",
           "(great|perfect|nice|cool|awesome|lovely|good|excellent|wonderful) [thanks|thank you|job|work|one]",
           "[thanks|thank you] you are (great|the best|awesome|brilliant|wonderful|amazing)"}),
      intent("help", {"help [me]", "what can you do [for me]", "what can i (say|ask) [you]",
                      "how do you work", "how does (this|it) work", "who are you", "what are you",
                      "who (made|built|wrote|created) you", "what do you (do|understand)"}),
      intent(
          "leave",
          {"(bye|goodbye|bye bye|good night|see you|quit|exit|logout|so long) [alfred|then|now|later|tomorrow]"}),
      intent(
          "idle",
          {"(hmm|hm|ok|okay|lol|haha|well|i see|fine|wow|aha|alright|right|cool) [well|then|okay]"}),
      intent(
          "accept",
          {"(yes|sure|absolutely|definitely|correct|exactly|ok|okay|fine|of course) [thing] [please|thanks|thank you] [do] [it|that|them|so]",
           "[yes|sure|ok] (go ahead|go on|go for it|do it|do that|please do|that is right|make it so|continue|why not)",
           "[yes|sure|ok] [that|it] sound (good|great|fine|right|perfect)",
           "yes (replace|delete|remove|add|change|do|plan|save) (it|them|that|all|all of them|everything)",
           "i am sure", "all of them please",
           "(y|confirm|confirmed|confirm it|agreed|affirmative|\xF0\x9F\x91\x8D)"}),
      intent(
          "reject",
          {"(no|neither|none|stop|cancel|abort) [of them|of those|that|it|thanks|thank you|please|way]",
           "[no] (never mind|forget it|forget about it|let it be|leave it|do not|do not do it|keep it|keep them|not that)",
           "no (leave|keep|do not) {rest:text}", "do not do (it|that)", "\xF0\x9F\x91\x8E",
           "[no] (better|rather|please|i would rather|maybe) not", "[no] not (now|yet|today)",
           "[no] (no need|do not bother|let us not)", "[no] (wait|hold on|hang on) [no]"}),
      intent(
          "forget",
          {"(forget|drop|discard|scrap|dismiss) (those|that|them|it|these|both|both of them|all of it|all that|all those|all of (them|that|those)|everything) [i do not (need|want) (it|them)]",
           "[actually] forget (those|that|them|these|it|about it)",
           "(scrap|forget) (that|it|them) do not (need|want) (it|them|that)"}),
      intent("forget",
             {"[never mind] [let us] start (over|again|afresh|fresh|from scratch)",
              "[let us] start all over [again]", "reset [everything|the goal]", "new start"},
             {{"reset", true}}),
      intent(
          "undo",
          {"[oops|oh no|no|sorry|wait|damn] (undo|revert|reverse) [that|it|this|the] [last|previous] [change|thing|step]",
           "[oops|oh no|sorry|wait] (put|take|bring) (it|that|them) back", "(take|roll) that back",
           "[oops] that (was|is) (wrong|a mistake) [undo|revert] [it|that]"}),
      intent("added", {"what did (i|we|you) [just] (add|change|delete|remove|do|update)",
                       "what (was|did) [just] (added|changed|deleted|happen)",
                       "what have (i|you) [just] (added|changed|done)"}),
      intent("saved", {"(what|which) [one] (did|have) (i|we|you) [just] (save|saved)",
                       "(what|which) [one] (is|are|was|were|have been|has been) [just] saved",
                       "(show|tell|list|give) [me] (what|which|all) [one] [that] (i|we|you) [have] "
                       "[just] saved"}),
      intent("unsaved",
             {"(which|what) [one] [of (them|those|these)] (is|are|have) not [been] saved [yet]",
              "what (is|are) not saved [yet]", "(which|what) [one] (did|have) you (make|made)",
              "(is|are) (there|any|anything) [thing] (unsaved|not saved) [yet]"}),
  };
}

std::vector<RuleIntent> rows() {
  return {
      intent(
          "save",
          {"[yes] [that|it|they] [sound|look|is|are] [good|great|nice] (save|keep|store) {what:things}",
           "(save|keep|store) {what:things}", "[yes] save",
           "(save|keep|store) {what:thing} as {name:text}"}),
      intent(
          "remove",
          {"(delete|remove|drop|erase|bin|chuck|get rid of|throw away|throw out|toss|ditch|trash|kill|cancel) {what:things}",
           "(delete|remove|drop|erase|take|cross|strike|scratch|get) {what:things} (from|off|out of|of) {where:rows}",
           "(take|cross|strike|scratch) {what:things} (off|out)",
           "(take|cross|strike|scratch) off {what:things}",
           "(take|cross|strike|scratch|remove|delete) {what:things} (off|from) (it|that|there|them)"}),
      intent(
          "remove",
          {"(clear|empty|wipe|delete|remove|erase) [out] [all|everything] [of] [in|on|from] [the] [whole|entire] {where:rows}",
           "(delete|remove|throw away|throw out|clear|bin|chuck|toss) (everything|all) [that is|of it|thing] (in|on|from|off) {where:rows}",
           "(delete|remove|erase|clear) (everything|all) [of it]"},
          {{"all", true}}),
      intent(
          "remove",
          {"(delete|remove|drop|erase) (what|everything|all|those|them|the one) [that] (i|we|you) "
           "[have] [just] saved"},
          {{"saved", true}}),
      intent("show", {"(show|open|read|display|give) [me] {what:thing}"},
             {{"search", "{what}"}, {"one", true}, {"parts", true}, {"pointing", true}}),
      intent("set",
             {"(set|change|update|put|bring) {what:thing} to {value:text}",
              "(set|change|update) {field} to {value:text}",
              "(set|change|update|make) {field} (of|for|on) {what:thing} to {value:text}",
              "(set|change|update) {what:thing} 's {field} to {value:text}",
              "{what:thing} ['s] {field} (is|are|should be) {value:text}",
              "{what:thing} (has|have) {value:number} {field}", "make {what:thing} {value:amount}",
              "(make|set) (it|that) {value:amount} {what:thing}", "make {what:thing} {value:value}",
              "{what:thing} (is|are) {value:value} [now] [not {other:value}]",
              "change {what:thing} {field} to {value:text}"}),
      intent("set",
             {"{what:thing} (is|are) not {value:value} [any more|anymore|any longer|now]",
              "{what:thing} (is|are) no longer {value:value}"},
             {{"not", true}}),
      intent("set",
             {"rename {what:thing} (to|as|into) {name:text}", "call {what:thing} {name:text}",
              "(call|name) {what:place} {name:text}",
              "(change|set) the name of {what:thing} to {name:text}"},
             {{"name", true}}),
      intent(
          "set",
          {"(move|push|shift|bring|put|transfer|postpone|delay) {what:thing} (to|into|in|on|until|onto) {to:rows}",
           "(move|push|shift|bring|put|transfer) {what:thing} (to|into|in|on|onto) {to:value}",
           "(move|push|shift|postpone|delay|put|bring) {what:thing} (to|until|off to|on) {day}",
           "(move|push|shift|postpone|delay) {what:thing} {day}",
           "{what:thing} (goes|go|is|are) (in|into|on|to) {to:rows} [now]",
           "{what:thing} (goes|go|is|are) (in|into|on|to) {to:value} [now]",
           "(move|put) {what:thing} to {field} {value:text}"},
          {{"move", true}}),
      intent(
          "add",
          {"(add|put|stick|place|include|write|get|note) {items} (to|on|in|into|onto|at) {where:rows} [down]",
           "{items} (to|on|onto|into|in) {where:rows}", "(add|put|include) {items}",
           "{where:rows} : [add|put|buy|get|include] {items}",
           "there (is|are) {items} (in|on) {where:rows} [now]", "(add|put) to {where:rows} {items}",
           "{items} {where:rows}"},
          {{"takes", JsonArray{Json("day"), Json("time")}}}),
  };
}

}  // namespace

const std::vector<RuleIntent>& english_intents() {
  static const std::vector<RuleIntent> all = [] {
    std::vector<RuleIntent> out = talk();
    for (RuleIntent& one : rows()) out.push_back(std::move(one));
    return out;
  }();
  return all;
}

}  // namespace alfred::rules
