// What went wrong with a model's endpoint, in words that say what to do.
//
// R1 the message names the address without user, password and query, and what the endpoint said, shortened; it and
//    the detail never show the key.
// R2 the detail has the status, the endpoint's own id of the request and the first 200 bytes of the body, escaped.
// R3 the code is `model`, which keeps the turn; `limit` for an answer that is too large.
#pragma once

#include <string>

#include "contracts/ask.h"
#include "interpreter/chat_http/chat_settings.h"
#include "net/http_client.h"

namespace alfred {

// Of a request that brought no answer: below HTTP, or by its status.
Error chat_failure(const Ask& ask, const ChatSettings& settings, const HttpOutcome& outcome);
// Of an answer with status 200 that is none.
Error chat_nonsense(const ChatSettings& settings, const HttpOutcome& outcome, const Error& why);

// A 400 because prompt and answer together are more than the model takes.
bool is_too_long(const HttpOutcome& outcome);

}  // namespace alfred
