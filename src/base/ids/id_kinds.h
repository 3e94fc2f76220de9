// The one table of id kinds: the sixteen prefixes of the identifier strategy, then Alfred's own. A
// constant in a header, so that making an id reads its prefix without a call.
#pragma once

#include "alfred/ids.h"

namespace alfred {

inline constexpr std::array kIdKinds{
    IdKindRow{IdKind::agent, "agt", "agent", "an agent that has inboxes"},
    IdKindRow{IdKind::inbox, "inb", "inbox", "an agent's inbox"},
    IdKindRow{IdKind::source_host, "hst", "source_host", "a host that sources come from"},
    IdKindRow{IdKind::source, "src", "source", "one stream of events at a host"},
    IdKindRow{IdKind::subscription, "sub", "subscription", "an inbox's interest in a source"},
    IdKindRow{IdKind::activation_target, "tgt", "activation_target", "where an agent is woken"},
    IdKindRow{IdKind::timer_schedule, "sch", "timer_schedule", "when a timer fires"},
    IdKindRow{IdKind::stream, "str", "stream", "a stream of the event bus"},
    IdKindRow{IdKind::inbox_item, "itm", "inbox_item", "an event as it came into an inbox"},
    IdKindRow{IdKind::activation, "act", "activation", "one waking of an agent"},
    IdKindRow{IdKind::delivery, "dlv", "delivery", "something sent out on an agent's behalf"},
    IdKindRow{IdKind::stream_event, "evt", "stream_event", "an event in a stream"},
    IdKindRow{IdKind::consumer, "con", "consumer", "a reader of a stream"},
    IdKindRow{IdKind::consumer_commit, "cmt", "consumer_commit", "how far a consumer has read"},
    IdKindRow{IdKind::inbox_entry, "ent", "inbox_entry", "what an agent reads in its inbox"},
    IdKindRow{IdKind::digest_thread, "thr", "digest_thread", "entries that belong together"},
    IdKindRow{IdKind::session, "ses", "session", "a conversation with its state"},
    IdKindRow{IdKind::turn, "trn", "turn", "one message and its answer"},
    IdKindRow{IdKind::step, "stp", "step", "one step of a turn's plan"},
    IdKindRow{IdKind::artifact, "art", "artifact", "content that a step made"},
    IdKindRow{IdKind::user, "usr", "user", "a person"},
    IdKindRow{IdKind::workspace, "wsp", "workspace", "what a registry of refs belongs to"},
    IdKindRow{IdKind::batch, "bat", "batch", "the manifest of a batch"},
    IdKindRow{IdKind::operation, "opn", "operation", "a change that happens once"},
    IdKindRow{IdKind::prompt, "prm", "prompt", "a recorded prompt"},
    IdKindRow{IdKind::notification, "ntf", "notification", "something a person is told"},
    IdKindRow{IdKind::dead_letter, "ded", "dead_letter", "what could not be delivered"},
};

constexpr bool id_kinds_are_in_order() {
  for (std::size_t i = 0; i < kIdKinds.size(); ++i)
    if (static_cast<std::size_t>(kIdKinds[i].kind) != i || kIdKinds[i].prefix.size() != 3)
      return false;
  return kIdKinds.back().kind == IdKind::dead_letter;
}
static_assert(id_kinds_are_in_order(),
              "one row per IdKind, in its order, prefixes of three letters");

}  // namespace alfred
