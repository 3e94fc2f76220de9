#include "surface/http/api/open_session.h"

#include <array>

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

Result<OpId> op_of(const Api& api, const RouteCall& call) {
  const Result<std::string> key = call.key();
  if (!key) return Unexpected(key.error());
  if (key->empty()) return OpId::random(api.world().random);
  const std::string user = api.world().place.caller.user.value_or("");
  const std::string path(call.request.path());
  const std::array<std::string_view, 6> what{"http op", "\n", user, "\n", path, *key};
  const std::string digest = content_digest(what);
  // Sixty bits of it, as an id of ours: five for each character.
  std::uint64_t bits = std::stoull(digest.substr(0, 15), nullptr, 16);
  std::string text = "opn_";
  for (std::size_t at = 0; at < kIdTokenSize; ++at, bits >>= 5U) text += kIdAlphabet[bits & 31U];
  return OpId::parse(text);
}

}  // namespace alfred::http
