// Durable ids: what names every record of Alfred's own, stored exactly as shown.
//
// R1 a short id is three letters, `_` and 12 characters of lower-case Crockford base32: 60 bits,
//    each character equally likely, from a source the caller names. Sixteen characters, inline.
// R2 each kind of record has its own type; none converts into another, to or from text by itself.
// R3 agents have names: agt_<word>-<word>, or the text that their owner chose, kept verbatim.
// R4 parsing is strict; the error shows what came and the form that is expected.
// R5 normalize_typed_id forgives case, O for 0 and I or L for 1; use it only where a person types.
// R6 id_kinds() is the one table of kinds; prefixes and names are distinct.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "alfred/api.h"
#include "alfred/error.h"

namespace alfred {

class Random;  // alfred/random.h

enum class IdKind : std::uint8_t {
  agent,
  inbox,
  source_host,
  source,
  subscription,
  activation_target,
  timer_schedule,
  stream,
  inbox_item,
  activation,
  delivery,
  stream_event,
  consumer,
  consumer_commit,
  inbox_entry,
  digest_thread,
  session,
  turn,
  step,
  artifact,
  user,
  workspace,
  batch,
  operation,
  prompt,
  notification,
  dead_letter,
};

struct IdKindRow {
  IdKind kind;
  std::string_view prefix;  // three letters, without the `_`
  std::string_view name;    // the enum value's name
  std::string_view meaning;
};

inline constexpr std::string_view kIdAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
inline constexpr std::size_t kIdTokenSize = 12;
inline constexpr std::size_t kShortIdSize = 16;
inline constexpr std::size_t kMaxAgentIdBytes = 128;
using ShortIdText = std::array<char, kShortIdSize>;

ALFRED_API std::span<const IdKindRow> id_kinds();
ALFRED_API const IdKindRow& id_kind_row(IdKind kind);
// A kind by its name or its prefix ("session", "ses", "ses_").
ALFRED_API std::optional<IdKind> find_id_kind(std::string_view name_or_prefix);

// What ShortId is made of, for where the kind is known at run time only. Any kind but agent.
ALFRED_API Result<ShortIdText> parse_short_id_text(IdKind kind, std::string_view text);
ALFRED_API ShortIdText new_short_id_text(IdKind kind, Random& random);
ALFRED_API ShortIdText new_short_id_text(IdKind kind);  // from the operating system's generator

template <IdKind K>
  requires(K != IdKind::agent)
class ShortId {
 public:
  static constexpr IdKind kind = K;

  static Result<ShortId> parse(std::string_view text) {
    Result<ShortIdText> parsed = parse_short_id_text(K, text);
    if (!parsed) return Unexpected(std::move(parsed).error());
    return ShortId(*parsed);
  }
  static ShortId random(Random& random) { return ShortId(new_short_id_text(K, random)); }
  static ShortId random() { return ShortId(new_short_id_text(K)); }

  std::string_view view() const { return {text_.data(), text_.size()}; }
  auto operator<=>(const ShortId&) const = default;

 private:
  explicit ShortId(const ShortIdText& text) : text_(text) {}
  ShortIdText text_;
};

template <IdKind K>
Result<ShortId<K>> parse_short_id(std::string_view text) {
  return ShortId<K>::parse(text);
}

template <IdKind K>
ShortId<K> new_short_id(Random& random) {
  return ShortId<K>::random(random);
}

// From the operating system's generator.
template <IdKind K>
ShortId<K> new_short_id() {
  return ShortId<K>::random();
}

// An agent's id: a generated name, or its owner's own text.
class ALFRED_API AgentId {
 public:
  // Any text in UTF-8, not blank, of at most kMaxAgentIdBytes, without control characters.
  static Result<AgentId> parse(std::string_view text);
  static AgentId random(Random& random);              // agt_copper-fox
  static AgentId random_with_suffix(Random& random);  // agt_copper-fox-7k2f

  std::string_view view() const { return text_; }
  auto operator<=>(const AgentId&) const = default;

 private:
  explicit AgentId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

inline Result<AgentId> parse_agent_id(std::string_view text) { return AgentId::parse(text); }

// The kind of an id by its form. Agents are known by the generated forms only: agt_<word>-<word>
// and agt_<word>-<word>-<short>, words of 3 to 7 letters, <short> of 4 characters of the alphabet.
ALFRED_API Result<IdKind> identify_id(std::string_view text);

// What a person meant: white space around it dropped, lower case, o read as 0 and i or l as 1 in
// the token (never in an agent's words). Where that gives no id, the text comes back only trimmed.
ALFRED_API std::string normalize_typed_id(std::string_view text);

}  // namespace alfred

template <alfred::IdKind K>
struct std::hash<alfred::ShortId<K>> {
  std::size_t operator()(const alfred::ShortId<K>& id) const noexcept {
    return std::hash<std::string_view>{}(id.view());
  }
};

template <>
struct std::hash<alfred::AgentId> {
  std::size_t operator()(const alfred::AgentId& id) const noexcept {
    return std::hash<std::string_view>{}(id.view());
  }
};
