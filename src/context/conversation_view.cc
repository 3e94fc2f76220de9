#include "context/conversation_view.h"

#include <span>

#include "context/shown_text.h"

namespace alfred {
namespace {

// What is longer is cut, and says so.
constexpr std::size_t kMessageChars = 4'000;
constexpr std::size_t kReplyChars = 12'000;

std::span<const ConversationTurn> shown_turns(const Conversation& conversation,
                                              ConversationDepth depth) {
  const std::span<const ConversationTurn> all(conversation.recent);
  const std::size_t most = depth == ConversationDepth::two    ? 2
                           : depth == ConversationDepth::five ? 5
                                                              : all.size();
  return all.size() <= most ? all : all.last(most);
}

const std::string& said(const ConversationTurn& turn, bool is_last) {
  return is_last || turn.assistant_summary.empty() ? turn.reply : turn.assistant_summary;
}

}  // namespace

std::string format_pending(const Pending& pending) {
  std::string out = "**Waiting for the user** (" + std::string(name_of(pending.type)) +
                    "): " + shown_line(pending.context) + "\n";
  for (const std::string& question : pending.questions) out += "- " + shown_line(question) + "\n";
  return out;
}

std::string format_resumed(const Pending& pending) {
  std::string out = format_pending(pending);
  if (!pending.message.empty())
    out += "It was asked because the user had said: " +
           shown_line(shortened(pending.message, kMessageChars)) + "\n";
  return out;
}

std::string format_conversation(const Conversation& conversation, const Sight& sight,
                                ConversationDepth depth) {
  std::string out;
  if (sight.engagement && !conversation.engagement_summary.empty())
    out += "**About:** " + shown_line(conversation.engagement_summary) + "\n\n";
  if (sight.summary && depth != ConversationDepth::two && !conversation.history_summary.empty())
    out += "**Earlier:** " + shown_line(conversation.history_summary) + "\n\n";
  if (sight.recent) {
    const std::span<const ConversationTurn> turns = shown_turns(conversation, depth);
    for (const ConversationTurn& turn : turns)
      out += "**User:** " + shown_line(shortened(turn.user, kMessageChars)) + "\n**Alfred:** " +
             shown_line(shortened(said(turn, &turn == &turns.back()), kReplyChars)) + "\n\n";
  }
  if (sight.pending && conversation.pending) out += format_pending(*conversation.pending) + "\n";
  if (out.empty()) return "*Nothing was said before.*\n";
  out.pop_back();
  return out;
}

Json pending_facts(const Pending& pending) {
  JsonArray questions;
  for (const std::string& question : pending.questions) questions.push_back(Json(question));
  JsonArray before;
  for (const std::string& message : pending.before) before.push_back(Json(message));
  return JsonObject{{"type", name_of(pending.type)},
                    {"context", pending.context},
                    {"questions", std::move(questions)},
                    {"message", pending.message},
                    {"before", std::move(before)}};
}

Json conversation_facts(const Conversation& conversation, const Sight& sight,
                        ConversationDepth depth) {
  JsonObject out;
  if (sight.engagement && !conversation.engagement_summary.empty())
    out["engagement_summary"] = conversation.engagement_summary;
  if (sight.summary && depth != ConversationDepth::two && !conversation.history_summary.empty())
    out["history_summary"] = conversation.history_summary;
  if (sight.recent) {
    JsonArray turns;
    const std::span<const ConversationTurn> shown = shown_turns(conversation, depth);
    for (const ConversationTurn& turn : shown)
      turns.push_back(JsonObject{{"turn", turn.turn},
                                 {"user", turn.user},
                                 {"assistant", said(turn, &turn == &shown.back())}});
    out["recent_turns"] = std::move(turns);
  }
  if (sight.pending && conversation.pending) out["pending"] = pending_facts(*conversation.pending);
  return out;
}

}  // namespace alfred
