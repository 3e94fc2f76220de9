#include "surface/mcp/request_state.h"

#include <array>

#include "alfred/ids.h"
#include "base/digest.h"
#include "base/keyed_random.h"

namespace alfred::mcp {
namespace {

// In four bits a letter: what is sealed has neither digits nor the look of a key.
std::string in_letters(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += static_cast<char>('g' + value / 16);
    out += static_cast<char>('g' + value % 16);
  }
  return out;
}

std::string from_letters(std::string_view letters) {
  std::string out;
  for (std::size_t i = 0; i + 1 < letters.size(); i += 2) {
    const int high = letters[i] - 'g';
    const int low = letters[i + 1] - 'g';
    if (high < 0 || high > 15 || low < 0 || low > 15) return {};
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

bool are_equal(std::string_view one, std::string_view other) {  // in constant time
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
  return difference == 0;
}

Unexpected refused() {
  return fail(ErrorCode::value,
              "This requestState was not made for this request, was used before, or is too old. "
              "Send the request again without requestState and inputResponses.",
              "requestState");
}

}  // namespace

RequestState::RequestState(const Clock& clock, Random& random)
    : clock_(clock), random_(random), key_(KeyedRandom::key_text(KeyedRandom::new_key(random))) {}

// BLAKE2b of key and text: nobody without the key makes or lengthens it.
std::string RequestState::mark_of(std::string_view text, std::string_view request) const {
  const std::string sizes = std::to_string(text.size());
  const std::array<std::string_view, 5> pieces{key_, sizes, ":", text, request};
  std::string letters;
  for (const char digit : content_digest(pieces))
    letters += static_cast<char>('g' + (digit <= '9' ? digit - '0' : digit - 'a' + 10));
  return letters;
}

std::string RequestState::seal(const Json& kept, std::string_view request) {
  const JsonObject content{{"until", clock_.wall_ms() + kGoodForMs},
                           {"nonce", new_short_id<IdKind::operation>(random_).view()},
                           {"kept", kept}};
  const std::string text = in_letters(write_json(content));
  return text + "." + mark_of(text, request);
}

Result<Json> RequestState::open(std::string_view sealed, std::string_view request) {
  const std::size_t dot = sealed.find('.');
  if (dot == std::string_view::npos) return refused();
  const std::string_view text = sealed.substr(0, dot);
  if (!are_equal(sealed.substr(dot + 1), mark_of(text, request))) return refused();
  const Result<Json> content = parse_json(from_letters(text), JsonLimits::none());
  if (!content) return refused();
  const std::int64_t until = content->at("until").as_int64();
  if (clock_.wall_ms() > until) return refused();
  forget_old();
  if (used_.size() >= kMostUsed)
    return fail(ErrorCode::busy, "Too many requests wait for input. Try again later.");
  if (!used_.emplace(content->at("nonce").as_string(), until).second) return refused();
  return content->at("kept");
}

void RequestState::forget_old() {
  if (used_.size() < kMostUsed / 2) return;
  std::erase_if(used_, [&](const auto& one) { return one.second < clock_.wall_ms(); });
}

}  // namespace alfred::mcp
