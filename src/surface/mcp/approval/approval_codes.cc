#include "surface/mcp/approval/approval_codes.h"

#include <algorithm>

#include "base/digest.h"
#include "base/keyed_random.h"

namespace alfred::mcp {
namespace {

constexpr std::size_t kLetters = 12;

// In letters only: a code that looks like no key.
std::string new_code(Random& random) {
  std::string code;
  const std::string drawn = content_digest(KeyedRandom::key_text(KeyedRandom::new_key(random)));
  for (const char digit : drawn.substr(0, kLetters))
    code += static_cast<char>('g' + (digit <= '9' ? digit - '0' : digit - 'a' + 10));
  return code;
}

}  // namespace

ApprovalCodes::Code* ApprovalCodes::find(std::string_view code) {
  const auto found =
      std::find_if(codes_.begin(), codes_.end(), [&](const Code& one) { return one.text == code; });
  return found == codes_.end() ? nullptr : &*found;
}

std::string ApprovalCodes::code_for(std::string_view call_and_outcome) {
  const std::lock_guard lock(mutex_);
  for (const Code& one : codes_)
    if (one.used_for.empty() && one.stands_for == call_and_outcome) return one.text;
  if (codes_.size() >= kMost) codes_.pop_front();
  codes_.push_back({new_code(random_), std::string(call_and_outcome)});
  return codes_.back().text;
}

bool ApprovalCodes::use(std::string_view code, std::string_view call_and_outcome,
                        std::string_view op) {
  const std::lock_guard lock(mutex_);
  Code* const found = find(code);
  const bool is_good =
      found != nullptr && found->used_for.empty() && found->stands_for == call_and_outcome;
  if (!is_good) return false;
  found->used_for = op;
  return true;
}

void ApprovalCodes::give_back(std::string_view code) {
  const std::lock_guard lock(mutex_);
  if (Code* const found = find(code)) found->used_for.clear();
}

std::string ApprovalCodes::used_for(std::string_view code) {
  const std::lock_guard lock(mutex_);
  const Code* const found = find(code);
  return found == nullptr ? std::string() : found->used_for;
}

}  // namespace alfred::mcp
