// What is sent to a model's endpoint for one ask.
//
// R1 the system prompt first and unchanged, so that a provider's cache can keep it; then the user prompt. What differs
//    from ask to ask stands last.
// R2 a structured ask carries its JSON Schema under the node's name. Where the endpoint does not take schemas the
//    answer is wanted as any JSON, or as a tool's parameters, or the schema stands at the end of
//    the system prompt.
// R3 no temperature and no seed: newer models refuse them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contracts/ask.h"
#include "interpreter/chat_http/chat_settings.h"

namespace alfred {

// What an endpoint takes; less of it every time it refuses something.
struct ChatForm {
  Structure structure = Structure::schema;
  bool is_streamed = true;
  bool counts_stream = true;     // stream_options
  bool has_effort = true;        // says how much to think
  bool is_legacy_limit = false;  // max_tokens for endpoints that do not know max_completion_tokens
  std::int64_t shorter = 1;      // the answer's most, divided by this
};

std::string chat_body(const Ask& ask, const ChatSettings& settings, const ChatForm& form);
std::vector<std::pair<std::string, std::string>> chat_headers(const ChatSettings& settings);

// What is tried after an endpoint refused a form with these words; nothing: it is no matter of
// form.
std::optional<ChatForm> simpler_form(const Ask& ask, const ChatSettings& settings,
                                     const ChatForm& form, std::string_view refusal);

}  // namespace alfred
