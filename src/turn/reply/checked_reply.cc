#include "turn/reply/checked_reply.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "context/shown_text.h"
#include "pack/categories.h"
#include "turn/prompt/labels.h"
#include "turn/reply/status_block.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 13> kNumbers{"zero", "one",    "two",   "three", "four",
                                                    "five", "six",    "seven", "eight", "nine",
                                                    "ten",  "eleven", "twelve"};
constexpr std::array<std::string_view, 5> kThings{"item", "entry", "row", "record", "thing"};
constexpr std::array<std::string_view, 7> kBetween{"have",    "just",         "now", "also",
                                                   "already", "successfully", "then"};
constexpr std::array<std::string_view, 6> kPassive{"were", "was", "been", "have", "has", "all"};
constexpr std::array<std::string_view, 6> kSelf{"i", "i've", "we", "we've", "ive", "alfred"};
constexpr std::string_view kStop = ".";

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Words in lower case; the end of a sentence or line is a word of its own.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '\'' ||
                           (static_cast<unsigned char>(c) & 0x80) != 0;
    if (is_letter) {
      words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      continue;
    }
    if (!words.back().empty()) words.emplace_back();
    constexpr std::string_view kEnds = ".!?:;\n()";
    if (kEnds.find(c) != std::string_view::npos) {
      words.back() = kStop;
      words.emplace_back();
    }
  }
  words.back() = kStop;
  return words;
}

std::optional<std::size_t> number_of(std::string_view word) {
  for (std::size_t i = 0; i < kNumbers.size(); ++i)
    if (kNumbers[i] == word) return i;
  if (word.empty() || word.size() > 4 ||
      word.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return static_cast<std::size_t>(std::stoul(std::string(word)));
}

// Before a verb: that it was not done, may be, or was done by the user.
bool denies(std::string_view word) {
  return word == "not" || word == "never" || word == "be" || word == "you" || word == "you've" ||
         word.ends_with("n't");
}

// What rows are called: "12 eggs" are no rows where rows are books.
std::set<std::string, std::less<>> nouns_of(const Scene& scene) {
  std::set<std::string, std::less<>> out(kThings.begin(), kThings.end());
  for (const PackEntity& entity : scene.world().pack.entities)
    for (const std::string& word : entity.words) out.insert(Categories::plain_word(word));
  for (const Table& table : scene.world().schema.tables()) {
    out.insert(Categories::plain_word(table.ref));
    out.insert(Categories::plain_word(table.name));
  }
  return out;
}

struct Verb {
  std::string_view word;
  std::vector<std::size_t> happened;  // any of these counts is true
  bool is_done() const {
    return std::any_of(happened.begin(), happened.end(), [](std::size_t n) { return n > 0; });
  }
};

// In a reply "Saved dishes are …" claims nothing; in a summary "Saved both" does.
enum class Told : std::uint8_t { reply, summary };

class Claims {
 public:
  Claims(const Scene& scene, std::string_view said, Told told)
      : words_(words_of(said)), nouns_(nouns_of(scene)), told_(told) {}

  std::vector<std::string> against(const std::vector<Verb>& verbs) const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (const Verb& verb : verbs) {
        if (words_[i] != verb.word || denies(before(i, 1)) || denies(before(i, 2))) continue;
        const std::optional<std::size_t> count = counted(i);
        const bool is_wrong = count && std::find(verb.happened.begin(), verb.happened.end(),
                                                 *count) == verb.happened.end();
        if (is_wrong)
          out.push_back(std::string(verb.word) + " " + std::to_string(*count));
        else if (!count && is_own_deed(i) && !verb.is_done())
          out.emplace_back(verb.word);
      }
    return out;
  }

 private:
  std::string_view before(std::size_t at, std::size_t by) const {
    return at >= by ? std::string_view(words_[at - by]) : kStop;
  }
  std::string_view after(std::size_t at, std::size_t by) const {
    return at + by < words_.size() ? std::string_view(words_[at + by]) : kStop;
  }
  bool is_noun(std::string_view word) const {
    return nouns_.contains(Categories::plain_word(word));
  }
  // "saved 3", "saved 3 old books", "3 saved", "3 books were saved".
  std::optional<std::size_t> counted(std::size_t at) const {
    if (const auto number = number_of(after(at, 1))) {
      const std::string_view next = after(at, 2);
      if (next == kStop || next == "of" || is_noun(next) || is_noun(after(at, 3))) return number;
      return std::nullopt;
    }
    std::size_t back = 1;
    while (is_in(kPassive, before(at, back))) ++back;
    if (const auto number = number_of(before(at, back))) return number;
    if (back == 1 || !is_noun(before(at, back))) return std::nullopt;
    for (const std::size_t further : {back + 1, back + 2})
      if (const auto number = number_of(before(at, further))) return number;
    return std::nullopt;
  }
  // "I have just saved it", "it has been saved".
  bool is_own_deed(std::size_t at) const {
    std::size_t back = 1;
    while (is_in(kBetween, before(at, back))) ++back;
    return is_in(kSelf, before(at, back)) || (told_ == Told::summary && before(at, back) == kStop);
  }

  std::vector<std::string> words_;
  std::set<std::string, std::less<>> nouns_;
  Told told_;
};

std::vector<Verb> deeds_of(const SummarizeOutput& ledger) {
  std::size_t made = 0;
  for (const TypeCount& one : ledger.artifacts_generated) made += one.count;
  const std::size_t created = ledger.entities_created.size();
  const std::size_t updated = ledger.entities_updated.size();
  const std::size_t deleted = ledger.entities_deleted.size();
  return {{"saved", {created, created + updated}},
          {"created", {created, made}},
          {"added", {created, created + updated}},
          {"updated", {updated}},
          {"changed", {updated, created + updated + deleted}},
          {"deleted", {deleted}},
          {"removed", {deleted, updated}}};
}

std::vector<std::string> mismatches(const Scene& scene, const SummarizeOutput& ledger,
                                    std::string_view said) {
  std::vector<std::string> out = Claims(scene, said, Told::reply).against(deeds_of(ledger));
  for (std::string& ref : unknown_refs_in(scene, said)) out.push_back(std::move(ref));
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// R3.
bool is_told(const StatusLine& line, const std::string& said) {
  if (line.kind == StatusKind::trouble) {  // word for word, or it is told again
    std::string_view text = line.text;
    if (text.starts_with("- ")) text.remove_prefix(2);
    if (text.ends_with('\n')) text.remove_suffix(1);
    return said.find(lower(text)) != std::string::npos;
  }
  if (line.kind == StatusKind::unsaved && said.find("save") == std::string::npos) return false;
  return std::all_of(line.labels.begin(), line.labels.end(), [&](const std::string& label) {
    return said.find(lower(label)) != std::string::npos;
  });
}

// R3: most of the words that say something are in the reply.
bool is_assumption_told(std::string_view assumption, const std::string& said) {
  std::size_t words = 0;
  std::size_t found = 0;
  for (const std::string& word : words_of(assumption)) {
    if (word.size() < 4 && !number_of(word)) continue;
    ++words;
    if (said.find(word) != std::string::npos) ++found;
  }
  return 2 * found >= words;
}

std::string untold_assumptions(const Scene& scene, const std::string& said) {
  std::string out;
  if (!scene.turn().understood || !scene.turn().plan) return out;
  for (const std::string& one : scene.turn().understood->default_assumptions)
    if (!is_assumption_told(one, said))
      out += "- Assumed: " + shown_line(in_labels(scene, one)) + "\n";
  return out;
}

}  // namespace

bool is_true_summary(const Scene& scene, const SummarizeOutput& ledger, std::string_view told) {
  return Claims(scene, told, Told::summary).against(deeds_of(ledger)).empty();
}

CheckedReply checked_reply(const Scene& scene, const SummarizeOutput& ledger,
                           std::string_view said) {
  CheckedReply out{without_unknown_refs(scene, in_labels(scene, said)),
                   mismatches(scene, ledger, said)};
  const std::string told = lower(out.text);
  std::string record;
  for (const StatusLine& line : status_lines(scene, ledger))
    if (!out.mismatches.empty() || !is_told(line, told)) record += line.text;
  if (record.empty() && !out.mismatches.empty()) record = "- Nothing was changed.\n";
  record += untold_assumptions(scene, told);
  if (record.empty()) return out;
  record.pop_back();
  out.text +=
      out.mismatches.empty() ? "\n\nFor the record:\n" : "\n\nCorrection, from the record:\n";
  out.text += record;
  return out;
}

}  // namespace alfred
