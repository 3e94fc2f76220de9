#include "refs/hiding/key_shapes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "base/byte_masks.h"
#include "base/time/iso_time.h"

namespace alfred {
namespace {

constexpr std::size_t kPiece = 8;

constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
bool is_hex(char c) { return hex_value(c) >= 0; }
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_plain_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

// The second or a later byte of a code point.
bool is_tail(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::uint32_t hex_word(std::string_view eight) {
  std::uint32_t word = 0;
  for (const char c : eight.substr(0, kPiece))
    word = word << 4 | static_cast<std::uint32_t>(hex_value(c));
  return word;
}

std::uint64_t byte_word(const char* eight) {
  std::uint64_t word;
  std::memcpy(&word, eight, sizeof word);
  return word;
}

bool is_hex_group(std::string_view text, std::size_t at, std::size_t digits) {
  if (text.size() < at + digits) return false;
  for (std::size_t i = at; i < at + digits; ++i)
    if (!is_hex(text[i])) return false;
  return true;
}

// The end of the uuid whose first dash follows the hex run [from, upto); 0 when none stands there.
// The run may hold several groups of the uuid: any of its dashes may be missing.
std::size_t dashed_uuid_end(std::string_view text, std::size_t from, std::size_t upto) {
  if (upto >= text.size() || text[upto] != '-') return 0;
  constexpr std::array<std::size_t, 5> kGroups{8, 4, 4, 4, 12};
  std::size_t in_run = 0;
  for (std::size_t first = 1; first < kGroups.size(); ++first) {
    in_run += kGroups[first - 1];
    if (in_run > upto - from) return 0;
    std::size_t at = upto;
    std::size_t group = first;
    for (; group < kGroups.size(); ++group) {
      if (at < text.size() && text[at] == '-') ++at;
      if (!is_hex_group(text, at, kGroups[group])) break;
      at += kGroups[group];
    }
    if (group == kGroups.size()) return at;
  }
  return 0;
}

void add_span(std::string_view text, std::size_t from, std::size_t upto,
              std::vector<TextSpan>& spans) {
  while (from > 0 && (is_word(text[from - 1]) || is_tail(text[from]))) --from;
  while (upto < text.size() && (is_word(text[upto]) || is_tail(text[upto]))) ++upto;
  if (!spans.empty() && from <= spans.back().upto && spans.back().from <= upto) {
    spans.back().from = std::min(spans.back().from, from);
    spans.back().upto = std::max(spans.back().upto, upto);
    return;
  }
  spans.push_back({from, upto});
}

bool holds_known_hex(std::string_view run, KeyPieces& pieces, std::vector<std::uint32_t>* unknown) {
  for (std::size_t i = 0; i + kPiece <= run.size(); ++i) {
    const std::uint32_t word = hex_word(run.substr(i));
    if (pieces.knows_hex(word)) return true;
    if (unknown != nullptr) unknown->push_back(word);
  }
  return false;
}

// The end of what must be hidden from the hex run [from, upto); 0 when it may be shown.
std::size_t hidden_run_end(std::string_view text, std::size_t from, std::size_t upto,
                           KeyPieces& pieces, std::vector<std::uint32_t>* unknown) {
  if (const std::size_t end = dashed_uuid_end(text, from, upto)) return end;
  if (upto - from >= 32) return upto;
  return holds_known_hex(text.substr(from, upto - from), pieces, unknown) ? upto : 0;
}

// Where the first eight hex digits in a row from `from` on end: at the place of the last; the
// text's size when there are none.
std::size_t next_eight(std::string_view text, std::size_t from) {
  constexpr std::size_t kBlock = 64;
  for (; from + kBlock <= text.size(); from += kBlock - (kPiece - 1))
    if (const std::uint64_t ends = runs_of_eight(hex_bits(text.data() + from)))
      return from + static_cast<std::size_t>(std::countr_zero(ends));
  for (std::size_t look = from + kPiece - 1; look < text.size();) {
    std::size_t digits = 0;
    while (digits < kPiece && is_hex(text[look - digits])) ++digits;
    if (digits == kPiece) return look;
    look += kPiece - digits;
  }
  return text.size();
}

// Every run is looked at by itself, also one inside a span: another uuid may begin in it.
void find_hex_spans(std::string_view text, KeyPieces& pieces, std::vector<TextSpan>& spans,
                    std::vector<std::uint32_t>* unknown) {
  for (std::size_t last = next_eight(text, 0); last < text.size();) {
    const std::size_t from = last + 1 - kPiece;
    std::size_t upto = last + 1;
    while (upto < text.size() && is_hex(text[upto])) ++upto;
    last = next_eight(text, std::min(upto + 1, text.size()));
    const bool is_hidden = !spans.empty() && upto <= spans.back().upto;
    const std::size_t end = is_hidden ? dashed_uuid_end(text, from, upto)
                                      : hidden_run_end(text, from, upto, pieces, unknown);
    if (end != 0) add_span(text, from, end, spans);
  }
}

void find_text_spans(std::string_view text, KeyPieces& pieces, std::vector<TextSpan>& spans) {
  for (std::size_t at = 0; at + kPiece <= text.size(); ++at)
    if (pieces.knows_text(byte_word(text.data() + at))) add_span(text, at, at + kPiece, spans);
}

void find_literal_spans(std::string_view text, std::vector<TextSpan>& spans) {
  constexpr std::string_view kName = "lit_";
  for (std::size_t at = text.find(kName); at != std::string_view::npos;
       at = text.find(kName, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    std::size_t upto = at + kName.size();
    while (upto < text.size() && text[upto] >= '0' && text[upto] <= '9') ++upto;
    const bool is_literal =
        upto > at + kName.size() && (upto == text.size() || !is_word(text[upto]));
    if (is_literal) add_span(text, at, upto, spans);
  }
}

void sort_and_join(std::vector<TextSpan>& spans) {
  std::sort(spans.begin(), spans.end(),
            [](const TextSpan& a, const TextSpan& b) { return a.from < b.from; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].from <= spans[kept].upto)
      spans[kept].upto = std::max(spans[kept].upto, spans[i].upto);
    else
      spans[++kept] = spans[i];
  }
  if (!spans.empty()) spans.resize(kept + 1);
}

// Letters whose case changes more often than every third time: QwErTyUi, not JavaScript.
bool is_mixed(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!std::all_of(text.begin(), text.end(), is_letter)) return false;
  std::size_t changes = 0;
  for (std::size_t i = 1; i < text.size(); ++i) changes += (text[i - 1] & 0x20) != (text[i] & 0x20);
  return changes * 3 > text.size();
}

}  // namespace

bool looks_like_key(std::string_view text) {
  if (text.size() < kPiece) return false;
  if (is_mixed(text)) return true;
  const auto is_of_prose = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view(" '\",.&!?").find(c) != std::string_view::npos;
  };
  if (std::all_of(text.begin(), text.end(), is_hex)) return true;
  if (std::all_of(text.begin(), text.end(), is_of_prose)) return false;
  constexpr std::size_t kDate = 10;
  const auto is_of_time = [](char c) {
    return (c >= '0' && c <= '9') || std::string_view(":.+-TZ ").find(c) != std::string_view::npos;
  };
  return !is_iso_date(text.substr(0, kDate)) ||
         !std::all_of(text.begin() + kDate, text.end(), is_of_time);
}

// Of eight in a row one stands at every eighth place.
bool has_key_shape(std::string_view text) {
  for (std::size_t at = kPiece - 1; at < text.size(); at += kPiece) {
    if (!is_hex(text[at])) continue;
    std::size_t from = at;
    while (from > at + 1 - kPiece && is_hex(text[from - 1])) --from;
    std::size_t upto = at + 1;
    while (upto < text.size() && upto < from + kPiece && is_hex(text[upto])) ++upto;
    if (upto - from == kPiece) return true;
  }
  return false;
}

void find_key_spans(std::string_view text, KeyPieces& pieces, std::vector<TextSpan>& spans,
                    std::vector<std::uint32_t>* unknown_hex) {
  find_hex_spans(text, pieces, spans, unknown_hex);
  const bool has_more = pieces.has_long_texts() || text.find("lit_") != std::string_view::npos;
  if (!has_more) return;
  std::vector<TextSpan> literals;
  find_literal_spans(text, literals);
  std::vector<TextSpan> texts;
  if (pieces.has_long_texts()) find_text_spans(text, pieces, texts);
  spans.insert(spans.end(), literals.begin(), literals.end());
  spans.insert(spans.end(), texts.begin(), texts.end());
  sort_and_join(spans);
}

bool KeyPieces::knows_hex(std::uint32_t eight_digits) {
  learn();
  return hex_.contains(eight_digits);
}
bool KeyPieces::knows_text(std::uint64_t eight_bytes) {
  learn();
  return texts_.contains(eight_bytes);
}

bool KeyPieces::knows_word(std::string_view word) {
  learn();
  return words_.contains(word);
}

bool is_key_name(std::string_view name, KeyPieces& pieces) {
  if (has_key_shape(name)) return true;
  if (!pieces.has_long_texts()) return false;
  const bool is_plain = is_plain_word(name);
  for (std::size_t at = 0; at + kPiece <= name.size(); ++at) {
    if (!pieces.knows_text(byte_word(name.data() + at))) continue;
    if (!is_plain) return true;
    for (std::size_t size = kPiece; at + size <= name.size(); ++size)
      if (pieces.knows_word(name.substr(at, size))) return true;
  }
  return false;
}

void KeyPieces::learn() {
  for (; learned_ < keys_.size(); ++learned_)
    if (!learn_key(learned_)) keyless_.push_back(learned_);
  if (late_keys_ == keys_.late_key_count()) return;
  late_keys_ = keys_.late_key_count();
  std::erase_if(keyless_, [this](EntityNo entity) { return learn_key(entity); });
}

bool KeyPieces::learn_key(EntityNo entity) {
  if (!keys_.has_key(entity)) return false;
  const KeyView key = keys_.key(entity);
  if (key.kind() == KeyKind::composite)
    for (const RecordKey& part : RecordKey(key).parts()) learn_part(part.view());
  else
    learn_part(key);
  return true;
}

void KeyPieces::learn_part(const KeyView& key) {
  const KeyDoor door;
  const UuidBits bits = key.bits(door);
  std::array<char, 20> digits;
  std::string_view text = key.bytes(door);
  if (key.kind() == KeyKind::uuid) {
    hex_.insert(static_cast<std::uint32_t>(bits.high >> 32));
    hex_.insert(static_cast<std::uint32_t>(bits.low));
    return;
  }
  if (key.kind() == KeyKind::integer) {
    const bool is_negative = static_cast<std::int64_t>(bits.high) < 0;
    const std::uint64_t magnitude = is_negative ? 0 - bits.high : bits.high;
    const char* end = std::to_chars(digits.begin(), digits.end(), magnitude).ptr;
    text = {digits.data(), static_cast<std::size_t>(end - digits.data())};
  }
  if (text.size() < kPiece || (key.kind() == KeyKind::text && !looks_like_key(text))) return;
  for (const std::string_view end : {text, text.substr(text.size() - kPiece)}) {
    if (is_hex_group(end, 0, kPiece)) hex_.insert(hex_word(end));
    if (key.kind() == KeyKind::text) texts_.insert(byte_word(end.data()));
  }
  if (key.kind() == KeyKind::text && is_plain_word(text)) words_.emplace(text);
}

}  // namespace alfred
