#include "turn/reply/checked_reply.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "context/shown_text.h"
#include "pack/categories.h"
#include "turn/prompt/labels.h"
#include "turn/reply/status_block.h"
#include "turn/reply/told_deeds.h"

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
constexpr std::size_t kMostLabels = 1'000;

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
enum class Text : std::uint8_t { reply, summary };

class Claims {
 public:
  Claims(const Scene& scene, std::string_view said, Text kind)
      : scene_(scene), words_(words_of(said)), kind_(kind) {}

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
  // Asked only where a number stands beside a deed, which is seldom.
  bool is_noun(std::string_view word) const {
    return nouns_of(scene_).contains(Categories::plain_word(word));
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
    return is_in(kSelf, before(at, back)) || (kind_ == Text::summary && before(at, back) == kStop);
  }

  const Scene& scene_;
  std::vector<std::string> words_;
  Text kind_;
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

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// What the reply may speak of: what the ledger names, and what else is in play.
std::vector<std::string> labels_in_play(const Scene& scene, const std::vector<StatusLine>& lines) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& label) {
    out.push_back(label);
    if (std::string shown = shown_line(label); shown != label) out.push_back(std::move(shown));
  };
  for (const StatusLine& line : lines)
    for (const std::string& label : line.labels) add(label);
  const EntityTiers tiers = scene.tiers();
  for (const auto* tier : {&tiers.active, &tiers.generated, &tiers.retained})
    for (const EntitySnapshot& one : *tier)
      if (one.label.size() > 2 && out.size() < kMostLabels) add(one.label);
  return out;
}

// With "it" for what things are called: "Deleted Scenes" tells of no deed. A name of one word may
// be meant as that word, so it stays.
std::string without_names(std::string_view said, std::vector<std::string> names) {
  std::stable_sort(names.begin(), names.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  std::string out = lower(said);
  for (const std::string& name : names) {
    if (name.find(' ') == std::string::npos) continue;
    const std::string wanted = lower(name);
    for (std::size_t at = out.find(wanted); at != std::string::npos;
         at = out.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      if ((at > 0 && is_word_byte(out[at - 1])) || (end < out.size() && is_word_byte(out[end])))
        continue;
      out.replace(at, wanted.size(), "it");
    }
  }
  return out;
}

// Claims of deeds that the ledger does not have.
std::vector<std::string> false_claims(const Scene& scene, const SummarizeOutput& ledger,
                                      std::string_view said, Text kind) {
  const std::vector<Verb> deeds = deeds_of(ledger);
  std::vector<std::string> out = Claims(scene, said, kind).against(deeds);
  if (out.empty() || !scene.has_edition(7)) return out;
  const std::vector<StatusLine> lines = status_lines(scene, ledger);
  return Claims(scene, without_names(said, labels_in_play(scene, lines)), kind).against(deeds);
}

std::vector<std::string> mismatches(const Scene& scene, const SummarizeOutput& ledger,
                                    std::string_view said) {
  std::vector<std::string> out = false_claims(scene, ledger, said, Text::reply);
  for (std::string& ref : unknown_refs_in(scene, said)) out.push_back(std::move(ref));
  return out;
}

// The line stands in the reply as it is, on a line of its own.
bool is_quoted(const StatusLine& line, std::string_view said) {
  const auto bare = [](std::string_view text) {
    if (text.starts_with("- ")) text.remove_prefix(2);
    while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
    return text;
  };
  const std::string wanted = lower(bare(line.text));
  for (std::size_t from = 0; from < said.size();) {
    const std::size_t end = std::min(said.find('\n', from), said.size());
    if (bare(said.substr(from, end - from)) == wanted) return true;
    from = end + 1;
  }
  return false;
}

// A reply of a turn that was to write, held against its lines (R3, R5).
class Told {
 public:
  Told(const Scene& scene, const std::vector<StatusLine>& lines, const std::string& said)
      : lines_(lines), said_(said), deeds_(said, labels_in_play(scene, lines)) {}

  bool is_told(const StatusLine& line) const {
    if (is_quoted(line, said_)) return true;
    switch (line.kind) {
      case StatusKind::trouble: return false;
      case StatusKind::unsaved:
        return deeds_.tells_unsaved() && all(line, [&](const std::string& label) {
                 return deeds_.names(label) && !deeds_.tells(Deed::saved, label);
               });
      case StatusKind::saved: return all_told(line, Deed::saved);
      case StatusKind::changed: return all_told(line, Deed::changed);
      case StatusKind::deleted: return all_told(line, Deed::deleted);
    }
    return false;
  }
  // It tells of a deed that the ledger does not have, of anything or of something in play.
  bool tells_more() const {
    std::uint8_t done = 0;
    for (const auto& [kind, deed] : kDeeds)
      if (line_of(kind) != nullptr) done |= static_cast<std::uint8_t>(deed);
    if ((deeds_.passive() & ~done) != 0 && (deeds_.passive() & done) == 0) return true;
    for (const auto& [kind, deed] : kDeeds)
      for (const std::string& label : deeds_.told_of(deed))
        if (!is_of_any_line(label)) return true;
    return false;
  }
  bool tells_nothing_done() const { return deeds_.denies() && deeds_.any() == 0; }

 private:
  static constexpr std::array<std::pair<StatusKind, Deed>, 3> kDeeds{
      {{StatusKind::saved, Deed::saved},
       {StatusKind::changed, Deed::changed},
       {StatusKind::deleted, Deed::deleted}}};

  template <class Is>
  static bool all(const StatusLine& line, const Is& is) {
    return std::all_of(line.labels.begin(), line.labels.end(), is);
  }
  bool all_told(const StatusLine& line, Deed deed) const {
    return all(line, [&](const std::string& label) {
      return deeds_.tells(deed, label) || deeds_.tells(deed, shown_line(label));
    });
  }
  const StatusLine* line_of(StatusKind kind) const {
    for (const StatusLine& line : lines_)
      if (line.kind == kind) return &line;
    return nullptr;
  }
  bool is_of_any_line(const std::string& label) const {
    for (const StatusLine& line : lines_)
      for (const std::string& one : line.labels)
        if (lower(one) == label || lower(shown_line(one)) == label) return true;
    return false;
  }

  const std::vector<StatusLine>& lines_;
  const std::string& said_;
  ToldDeeds deeds_;
};

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

// A step that writes came to its end, whatever it did: then something, or that nothing, was done.
bool is_to_write(const Scene& scene) {
  const std::optional<Plan>& plan = scene.turn().plan;
  return plan && std::any_of(plan->steps.begin(), plan->steps.end(), [](const Step& step) {
           return step.step_type == StepType::write && is_ended(step.status);
         });
}

}  // namespace

bool is_true_summary(const Scene& scene, const SummarizeOutput& ledger, std::string_view told) {
  return false_claims(scene, ledger, told, Text::summary).empty();
}

CheckedReply checked_reply(const Scene& scene, const SummarizeOutput& ledger,
                           std::string_view said) {
  CheckedReply out{without_unknown_refs(scene, in_labels(scene, said)),
                   mismatches(scene, ledger, said)};
  const std::string said_plainly = lower(out.text);
  const std::vector<StatusLine> lines = status_lines(scene, ledger);
  const Told told(scene, lines, said_plainly);
  const bool is_write = is_to_write(scene);
  const bool is_all = !out.mismatches.empty() || (is_write && told.tells_more());
  std::string record;
  bool is_done = false;
  for (const StatusLine& line : lines) {
    is_done = is_done || is_deed(line.kind);
    if (!told.is_told(line) || (is_all && !is_quoted(line, said_plainly))) record += line.text;
  }
  const bool has_nothing =
      !is_done && (is_write ? is_all || !told.tells_nothing_done() : is_all && record.empty());
  if (has_nothing) record += "- Nothing was changed.\n";
  record += untold_assumptions(scene, said_plainly);
  if (record.empty()) return out;
  record.pop_back();
  out.text +=
      out.mismatches.empty() ? "\n\nFor the record:\n" : "\n\nCorrection, from the record:\n";
  out.text += record;
  return out;
}

}  // namespace alfred
