#include "surface/http/api/open_session.h"

#include <array>
#include <span>

#include <fmt/format.h>

#include "base/digest.h"

namespace alfred::http {
Result<std::unique_ptr<Session>> open_session(const Api& api, const std::string& id,
                                              const Interpreter* interpreter) {
  // An empty one would be a new session (session.h), which only its own route makes.
  if (id.empty()) return fail(ErrorCode::session, "There is no session without an id.", "session");
  SessionOptions options;
  options.id = id;
  options.secrets = api.world().secrets;
  options.tuning = api.world().tuning;
  if (interpreter != nullptr) {
    options.zone = api.world().zone;
    options.whole_facts = interpreter->needs_whole_facts();
    options.caller_answers = interpreter->is_caller();
  }
  RecordPlace place = api.world().place;
  follow_tables(place);
  return Session::open(std::move(place), std::move(options), api.world().clock, api.world().random);
}

Json session_json(const SessionRecord& record) {
  return JsonObject{{"id", record.id.view()},
                    {"title", record.title},
                    {"pack", record.pack},
                    {"created_ms", record.created_ms},
                    {"updated_ms", record.updated_ms}};
}

namespace {

// Sixty bits of a digest, as an id of ours: five for each character.
Result<OpId> op_from(std::span<const std::string_view> what) {
  std::uint64_t bits = std::stoull(content_digest(what).substr(0, 15), nullptr, 16);
  std::string text = "opn_";
  for (std::size_t at = 0; at < kIdTokenSize; ++at, bits >>= 5U) text += kIdAlphabet[bits & 31U];
  return OpId::parse(text);
}

// Rows and turns remember a key with its path alone, as they always did; that it is of one request
// only is kept beside them, so that what was stored before keeps its meaning.
Result<void> claim(const Api& api, const RouteCall& call, std::string_view key) {
  RecordPlace place = api.world().place;
  const std::string user = place.caller.user.value_or("");
  const std::array<std::string_view, 5> whose{"http key", "\n", user, "\n", key};
  const Result<OpId> op = op_from(whose);
  if (!op) return Unexpected(op.error());
  const std::string request =
      fmt::format("{} {}\n{}", call.request.method, call.request.target, write_json(call.body));
  const auto nothing = [](Tx&) -> Result<std::string> { return std::string(); };
  Result<std::string> claimed = place.state().write({*op, request, place.caller}, nothing);
  if (claimed) return {};
  if (claimed.error().code == ErrorCode::op_reused)
    return fail(ErrorCode::op_reused,
                "This Idempotency-Key was used for another request. Use a new one.",
                "Idempotency-Key");
  return Unexpected(std::move(claimed).error());
}

}  // namespace

Result<std::string> own_key(const Api& api, const RouteCall& call) {
  Result<std::string> key = call.key();
  if (!key || key->empty()) return key;
  if (Result<void> claimed = claim(api, call, *key); !claimed)
    return Unexpected(std::move(claimed).error());
  return key;
}

Result<OpId> op_of(const Api& api, const RouteCall& call) {
  const Result<std::string> key = own_key(api, call);
  if (!key) return Unexpected(key.error());
  if (key->empty()) return OpId::random(api.world().random);
  const std::string user = api.world().place.caller.user.value_or("");
  const std::string path(call.request.path());
  const std::array<std::string_view, 6> what{"http op", "\n", user, "\n", path, *key};
  return op_from(what);
}

}  // namespace alfred::http
