#include "oracle/prose_oracle.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace alfred::oracle {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_hex(char c) { return is_ascii(c) && std::isxdigit(c) != 0; }
bool is_word(char c) { return is_ascii(c) && (std::isalnum(c) != 0 || c == '_'); }
bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c + 0x20);
  return out;
}

std::string strip_dashes(std::string_view text) {
  std::string out(text);
  std::erase(out, '-');
  return out;
}

class Search {
 public:
  Search(std::string_view text, const KnownPieces& pieces)
      : text_(text), pieces_(pieces), is_hidden_(text.size(), false) {}

  std::vector<HiddenSpan> run() {
    find_hex();
    find_texts();
    find_literals();
    std::vector<HiddenSpan> spans;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (!is_hidden_[i]) continue;
      if (i > 0 && is_hidden_[i - 1])
        spans.back().upto = i + 1;
      else
        spans.push_back({i, i + 1});
    }
    return spans;
  }

 private:
  // Hides whole words and whole characters.
  void hide(std::size_t from, std::size_t upto) {
    while (from > 0 && is_inside_character(text_[from])) --from;
    while (upto < text_.size() && is_inside_character(text_[upto])) ++upto;
    while (from > 0 && is_word(text_[from - 1])) --from;
    while (upto < text_.size() && is_word(text_[upto])) ++upto;
    for (std::size_t i = from; i < upto; ++i) is_hidden_[i] = true;
  }

  bool has_hex(std::size_t from, std::size_t count) const {
    if (from + count > text_.size()) return false;
    return std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(from),
                       text_.begin() + static_cast<std::ptrdiff_t>(from + count), is_hex);
  }
  std::size_t run_end(std::size_t from) const {
    while (from < text_.size() && is_hex(text_[from])) ++from;
    return from;
  }

  // Where a uuid ends that begins here, each of its dashes there or not; 0 without one.
  std::size_t uuid_end(std::size_t from) const {
    std::size_t at = from;
    for (const std::size_t group : {8u, 4u, 4u, 4u, 12u}) {
      if (at > from && at < text_.size() && text_[at] == '-') ++at;
      if (!has_hex(at, group)) return 0;
      at += group;
    }
    return at;
  }
  bool holds_known(std::size_t from, std::size_t upto) const {
    for (std::size_t i = from; i + 8 <= upto; ++i)
      if (pieces_.hex.contains(lower(text_.substr(i, 8)))) return true;
    return false;
  }

  // A uuid may begin at any byte; a piece of a known key hides the run it stands in.
  void find_hex() {
    for (std::size_t at = 0; at < text_.size(); ++at)
      if (const std::size_t end = uuid_end(at)) hide(at, end);
    for (std::size_t at = 0; at < text_.size(); at = run_end(at) + 1)
      if (holds_known(at, run_end(at))) hide(at, run_end(at));
  }
  void find_texts() {
    for (std::size_t at = 0; at + 8 <= text_.size(); ++at)
      if (pieces_.texts.contains(std::string(text_.substr(at, 8)))) hide(at, at + 8);
  }
  void find_literals() {
    for (std::size_t at = 0; at + 5 <= text_.size(); ++at) {
      if (text_.substr(at, 4) != "lit_" || (at > 0 && is_word(text_[at - 1]))) continue;
      std::size_t end = at + 4;
      while (end < text_.size() && is_word(text_[end])) ++end;
      const std::string_view number = text_.substr(at + 4, end - at - 4);
      const bool is_number =
          std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!number.empty() && is_number) hide(at, end);
    }
  }

  std::string_view text_;
  const KnownPieces& pieces_;
  std::vector<bool> is_hidden_;
};

// Letters only, and the case of more than a third of them is not that of the one before.
bool is_of_mixed_letters(const std::string& text) {
  static const std::regex kLetters("[a-zA-Z]+");
  if (!std::regex_match(text, kLetters)) return false;
  std::size_t changes = 0;
  for (auto at = text.begin() + 1; at != text.end(); ++at)
    if ((std::isupper(*at) != 0) != (std::isupper(at[-1]) != 0)) ++changes;
  return 3 * changes > text.size();
}

}  // namespace

bool is_ordinary(const std::string& text) {
  static const std::regex kHex("[0-9a-fA-F]+");
  static const std::regex kTime("[0-9]{4}-[0-9]{2}-[0-9]{2}[0-9:.+TZ -]*");
  if (std::regex_match(text, kHex) || is_of_mixed_letters(text)) return false;
  return std::regex_match(text, kTime) || std::all_of(text.begin(), text.end(), [](char c) {
           return !is_ascii(c) || std::isalpha(c) != 0 ||
                  std::string_view(" '\",.&!?").find(c) != std::string_view::npos;
         });
}

KnownPieces::KnownPieces(const RegistryModel& registry) {
  for (const ModelEntity& entity : registry.entities)
    if (entity.key) learn(*entity.key);
}

void KnownPieces::learn(const ModelKey& key) {
  for (const ModelKey& part : key.parts) learn(part);
  if (key.kind == KeyKind::composite) return;
  const std::string text = key.kind == KeyKind::text ? key.text : strip_dashes(key.text);
  if (text.size() < 8 || (key.kind == KeyKind::text && is_ordinary(text))) return;
  if (key.kind == KeyKind::text) words.insert(text);
  for (const std::string& piece : {text.substr(0, 8), text.substr(text.size() - 8)}) {
    if (std::all_of(piece.begin(), piece.end(), is_hex)) hex.insert(lower(piece));
    if (key.kind == KeyKind::text) texts.insert(piece);
  }
}

std::vector<HiddenSpan> hidden_spans(std::string_view text, const KnownPieces& pieces) {
  return Search(text, pieces).run();
}

bool names_key(const std::string& name, const KnownPieces& pieces) {
  const auto holds = [&](const std::string& piece) {
    return name.find(piece) != std::string::npos;
  };
  const bool is_plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  const std::set<std::string>& secrets = is_plain ? pieces.words : pieces.texts;
  return has_eight_hex(name) || std::any_of(secrets.begin(), secrets.end(), holds);
}

bool has_eight_hex(std::string_view text) {
  std::size_t run = 0;
  for (const char c : text)
    if ((run = is_hex(c) ? run + 1 : 0) == 8) return true;
  return false;
}

}  // namespace alfred::oracle
