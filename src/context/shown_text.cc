#include "context/shown_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "refs/hiding/model_text.h"

namespace alfred {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where the digits end that a text begins with.
std::size_t digits_end(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

constexpr std::array<bool, 128> kMarks = [] {
  std::array<bool, 128> marks{};
  for (const char c : std::string_view("#>-+*=_~|< \t"))
    marks[static_cast<unsigned char>(c)] = true;
  return marks;
}();

// What a line of Markdown may begin a block with.
bool begins_block(std::string_view text) {
  if (text.empty()) return false;
  const char first = text.front();
  if (!is_digit(first)) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < kMarks.size() && kMarks[byte];
  }
  const std::size_t digits = digits_end(text);
  return digits < text.size() && digits <= 9 && (text[digits] == '.' || text[digits] == ')');
}

// Where the backslash goes that takes a block's mark its meaning.
std::size_t mark_place(std::string_view text) {
  const std::size_t digits = digits_end(text);
  return digits < text.size() ? digits : 0;
}

// Letters, digits and marks that stand for themselves everywhere.
bool is_plain(char c, bool is_cell) {
  return c >= ' ' && c < '\x7f' && !(is_cell && (c == '|' || c == '`'));
}

constexpr std::uint64_t kEach = 0x0101010101010101ULL;
constexpr std::uint64_t kHigh = kEach * 0x80;

// Of eight bytes, those less than `limit`: their high bit is borrowed from, and was not set before.
constexpr std::uint64_t bytes_below(std::uint64_t word, std::uint64_t limit) {
  return (word - kEach * limit) & ~word & kHigh;
}

// Whether all of eight bytes stand for themselves in a line.
bool are_seen(std::uint64_t bytes) {
  return ((bytes & kHigh) | bytes_below(bytes, ' ') | bytes_below(bytes ^ (kEach * 0x7f), 1)) == 0;
}

// Whether all of eight bytes are plain and none is a backquote.
bool are_plain(std::uint64_t bytes) {
  return are_seen(bytes) && bytes_below(bytes ^ (kEach * '`'), 1) == 0;
}

// Many bytes at once, whatever the processor calls it.
using Bytes16 = unsigned char __attribute__((vector_size(16)));

// Whether all of sixteen bytes stand for themselves in a text of lines.
bool are_seen_lines(const char* at) {
  Bytes16 bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  const auto odd = ((bytes < ' ') & (bytes != '\n') & (bytes != '\t')) | (bytes >= 0x7f);
  std::uint64_t words[2];
  std::memcpy(words, &odd, sizeof words);
  return (words[0] | words[1]) == 0;
}

// Where the first byte from `at` on stands that may not be shown as it is.
std::size_t seen_end(std::string_view text, std::size_t at) {
  while (at + sizeof(Bytes16) <= text.size() && are_seen_lines(text.data() + at))
    at += sizeof(Bytes16);
  for (std::uint64_t bytes = 0; at < text.size();) {
    if (at + sizeof bytes <= text.size()) {
      std::memcpy(&bytes, text.data() + at, sizeof bytes);
      if (are_seen(bytes)) {
        at += sizeof bytes;
        continue;
      }
    }
    // These eight one by one: a line ends among them, most often.
    const std::size_t end = std::min(at + sizeof bytes, text.size());
    while (at < end && (is_plain(text[at], false) || text[at] == '\n' || text[at] == '\t')) ++at;
    if (at < end) return at;
  }
  return text.size();
}

// Plain and without a backquote, as most texts are. They are looked at eight bytes at a time.
bool is_ordinary(std::string_view text) {
  std::uint64_t bytes = 0;
  constexpr std::size_t kSize = sizeof bytes;
  if (text.size() < kSize)
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c >= ' ' && c < '\x7f' && c != '`'; });
  for (std::size_t at = 0; at + kSize <= text.size(); at += kSize) {
    std::memcpy(&bytes, text.data() + at, kSize);
    if (!are_plain(bytes)) return false;
  }
  std::memcpy(&bytes, text.data() + text.size() - kSize, kSize);  // its end, once more
  return are_plain(bytes);
}

// Whether all of it can be seen, beyond ASCII too, and no backquote is among it.
bool is_seen_whole(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t bytes = 0;
    if (at + sizeof bytes <= text.size()) {
      std::memcpy(&bytes, text.data() + at, sizeof bytes);
      if (are_plain(bytes)) {
        at += sizeof bytes;
        continue;
      }
    }
    const bool is_ascii = static_cast<unsigned char>(text[at]) < 0x80;
    if (is_ascii && (!is_plain(text[at], false) || text[at] == '`')) return false;
    const std::optional<CodePoint> point = next_code_point(text, at);
    if (!point || (!is_ascii && is_invisible(point->value))) return false;
    at += point->size;
  }
  return true;
}

// Where what stands for itself ends, from `at` on.
std::size_t plain_end(std::string_view text, std::size_t at, bool is_cell) {
  for (std::uint64_t bytes = 0; !is_cell && at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if (!are_seen(bytes)) break;
  }
  while (at < text.size() && is_plain(text[at], is_cell)) ++at;
  return at;
}

std::string visible(std::string_view text, bool is_cell) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = plain_end(text, at, is_cell);
    out += text.substr(at, end - at);
    at = end;
    if (at == text.size()) break;
    const std::optional<CodePoint> point = next_code_point(text, at);
    const std::string_view bytes = text.substr(at, point ? point->size : 1);
    at += bytes.size();
    if (!point || is_invisible(point->value))
      append_visible(out, bytes);
    else if (is_cell && (bytes == "|" || bytes == "`"))
      out.append("\\").append(bytes);
    else
      out += bytes;
  }
  return out;
}

constexpr std::string_view kJoinerHead = "\\u{200";
constexpr std::pair<std::string_view, std::string_view> kJoiners[] = {{"\\u{200c}", "\u200c"},
                                                                      {"\\u{200d}", "\u200d"}};

bool is_joiner(char32_t point) { return point == 0x200c || point == 0x200d; }

bool is_seen_and_not_ascii(std::string_view text, std::size_t at) {
  const std::optional<CodePoint> point = next_code_point(text, at);
  return point && point->value >= 0x80 && !is_invisible(point->value);
}

// Whether a joiner between these joins something (R5).
bool is_joined(std::string_view before, std::string_view after) {
  std::size_t last = before.size();
  while (last > 0 && before.size() - last < 4) {
    --last;
    if ((static_cast<unsigned char>(before[last]) & 0xC0U) != 0x80U) break;
  }
  return !before.empty() && !after.empty() && is_seen_and_not_ascii(before, last) &&
         is_seen_and_not_ascii(after, 0);
}

}  // namespace

std::string shown_line(std::string_view text) {
  std::string out;
  append_shown_line(out, text);
  return out;
}

bool is_shown_as_it_is(std::string_view text) {
  return !begins_block(text) && (is_ordinary(text) || is_seen_whole(text));
}

void append_shown_line(std::string& out, std::string_view text) {
  if (is_shown_as_it_is(text)) {
    out += text;
    return;
  }
  std::string line = visible(text, false);
  if (begins_block(line)) line.insert(mark_place(line), "\\");
  // Three backquotes are a fence wherever a line happens to begin.
  for (std::size_t at = line.find("```"); at != std::string::npos; at = line.find("```", at + 4))
    line.insert(at, "\\");
  out += line;
}

std::string visible_text(std::string_view text) { return visible(text, false); }

std::string shown_cell(std::string_view text) { return visible(text, true); }

std::string fenced(std::string_view text, std::string_view kind) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence;
  out.append(kind).append("\n").append(text);
  if (!text.ends_with('\n')) out += "\n";
  return out + fence + "\n";
}

std::string with_joiners(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find(kJoinerHead); at != std::string_view::npos;
       at = text.find(kJoinerHead, at + 1)) {
    for (const auto& [shown, joiner] : kJoiners) {
      if (!text.substr(at).starts_with(shown)) continue;
      if (!is_joined(text.substr(0, at), text.substr(at + shown.size()))) continue;
      out.append(text.substr(copied, at - copied)).append(joiner);
      copied = at + shown.size();
    }
  }
  return out.append(text.substr(copied));
}

std::string visible_prompt(std::string_view prompt) {
  std::string joined;
  std::string_view text = prompt;
  if (prompt.find(kJoinerHead) != std::string_view::npos) text = joined = with_joiners(prompt);
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = seen_end(text, 0); at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    const std::size_t end = at + (point ? point->size : 1);
    const bool is_seen =
        point && (!is_invisible(point->value) ||
                  (is_joiner(point->value) && is_joined(text.substr(0, at), text.substr(end))));
    if (!is_seen) {
      out += text.substr(copied, at - copied);
      append_visible(out, text.substr(at, end - at));
      copied = end;
    }
    at = seen_end(text, end);
  }
  return out.append(text.substr(copied));
}

std::string shortened(std::string_view text, std::size_t max_chars) {
  const std::string_view fitting = cut_code_points(text, max_chars);
  return fitting.size() == text.size() ? std::string(text) : std::string(fitting) + "…";
}

}  // namespace alfred
