#include "state/resolve_mention.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "alfred/refs.h"
#include "state/listed_place.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 12> kIdle{"the",  "a",     "an",    "my",  "your", "that",
                                                 "this", "those", "these", "one", "ones", "of"};
constexpr std::array<std::string_view, 4> kSingular{"it", "that", "this", "that one"};
constexpr std::array<std::string_view, 6> kPlural{"them", "those", "these",
                                                  "all",  "both",  "all of them"};
constexpr std::array<std::string_view, 10> kOrdinals{
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};
constexpr std::array<std::string_view, 9> kNumbers{"two",   "three", "four", "five", "six",
                                                   "seven", "eight", "nine", "ten"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words in lower case, punctuation as space; letters beyond ASCII stay as they are.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter =
        byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && c != '\'') {
      if (!out.back().empty()) out.emplace_back();
      continue;
    }
    if (c != '\'') out.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

std::string joined(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::vector<std::string> singular(std::vector<std::string> words) {
  for (std::string& word : words) word = Categories::plain_word(word);
  return words;
}

// One letter more, less, other, or two exchanged.
bool is_near(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() < 5 || b.size() < 5) return false;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  std::size_t from = 0;
  while (from < a.size() && a[from] == b[from]) ++from;
  if (b.size() == a.size()) {
    const bool is_other = a.substr(from + 1) == b.substr(from + 1);
    const bool is_exchanged = from + 1 < a.size() && a[from] == b[from + 1] &&
                              a[from + 1] == b[from] && a.substr(from + 2) == b.substr(from + 2);
    return is_other || is_exchanged;
  }
  return a.substr(from) == b.substr(from + 1);
}

struct Wanted {
  std::vector<std::string> said;       // all words, in lower case
  std::vector<std::string> words;      // those that tell one from another
  bool is_bare = false;                // none does: "that book" is "that"
  bool is_plural = false;              // "those", "both", or the type's own plural
  std::optional<std::size_t> count{};  // "both", "the two", "all three", and nothing else
};

std::optional<std::size_t> number_said(std::string_view word) {
  if (word == "both") return 2;
  for (std::size_t i = 0; i < kNumbers.size(); ++i)
    if (word == kNumbers[i] || (word.size() == 1 && word[0] == static_cast<char>('2' + i)))
      return i + 2;
  return std::nullopt;
}

// How many are meant, where nothing but their number tells who.
std::optional<std::size_t> count_said(std::span<const std::string> telling) {
  std::optional<std::size_t> count;
  for (const std::string& word : telling) {
    if (const std::optional<std::size_t> number = number_said(word))
      count = number;
    else if (!is_among(kPlural, word))
      return std::nullopt;
  }
  return count;
}

Wanted read_mention(const EntityMention& mention, const MentionWorld& world) {
  Wanted out;
  out.said = words_of(mention.raw_text);
  std::set<std::string, std::less<>> idle;
  bool has_type = false;
  bool is_pointing = false;
  for (const std::string& word : world.type_words)
    for (const std::string& part : words_of(word)) idle.insert(Categories::plain_word(part));
  for (const std::string& word : out.said) {
    const std::string plain = Categories::plain_word(word);
    const bool is_type = idle.contains(plain);
    if (!is_among(kIdle, word) && !is_type) out.words.push_back(plain);
    out.is_plural = out.is_plural || is_among(kPlural, word) || (is_type && word != plain);
    has_type = has_type || is_type;
    is_pointing = is_pointing || is_among(kIdle, word) || is_among(kPlural, word);
  }
  out.is_bare = has_type && is_pointing &&
                std::all_of(out.words.begin(), out.words.end(),
                            [](const auto& word) { return is_among(kPlural, word); });
  out.count = count_said(out.words);
  return out;
}

using Found = std::vector<const EntitySnapshot*>;

class Tierwise {
 public:
  Tierwise(const Wanted& wanted, const MentionWorld& world, Found pool)
      : wanted_(wanted), world_(world), pool_(std::move(pool)) {}

  Found by_label() const {
    const std::string all = joined(wanted_.said);
    const std::string telling = joined(wanted_.words);
    return pick([&](const EntitySnapshot& one) {
      const std::vector<std::string> words = words_of(one.label);
      return joined(words) == all || (!telling.empty() && joined(singular(words)) == telling);
    });
  }

  // Those of the most recent turn in which any of them was spoken of.
  Found latest(bool is_one = false) const {
    const LookedAt& looked_at = world_.looked_at;
    const auto is_spoken_of = [&](const EntitySnapshot& one) {
      return !looked_at.candidates.contains(one.ref) &&
             !(is_one && looked_at.unnamed.contains(one.ref));
    };
    std::uint32_t turn = 0;
    for (const EntitySnapshot* one : pool_)
      if (is_spoken_of(*one)) turn = std::max(turn, one->turn_last_ref);
    return pick(
        [&](const EntitySnapshot& one) { return one.turn_last_ref == turn && is_spoken_of(one); });
  }

  Found by_words() const {
    return by_each([](const EntitySnapshot&, const std::set<std::string>& label,
                      const std::string& word) { return label.contains(word); });
  }
  Found by_categories() const {
    return by_each(
        [&](const EntitySnapshot& one, const std::set<std::string>& label,
            const std::string& word) { return label.contains(word) || is_of_category(one, word); });
  }
  Found by_near_words() const {
    return by_each(
        [](const EntitySnapshot&, const std::set<std::string>& label, const std::string& word) {
          return std::any_of(label.begin(), label.end(),
                             [&](const std::string& known) { return is_near(word, known); });
        });
  }

 private:
  template <class Is>
  Found pick(Is is) const {
    Found out;
    for (const EntitySnapshot* one : pool_)
      if (is(*one)) out.push_back(one);
    return out;
  }
  template <class Is>
  Found by_each(Is is) const {
    if (wanted_.words.empty()) return {};
    return pick([&](const EntitySnapshot& one) {
      const std::vector<std::string> words = singular(words_of(one.label));
      const std::set<std::string> label(words.begin(), words.end());
      return std::all_of(wanted_.words.begin(), wanted_.words.end(),
                         [&](const std::string& word) { return is(one, label, word); });
    });
  }
  bool is_of_category(const EntitySnapshot& one, std::string_view word) const {
    if (!world_.categories.is_category(word)) return false;
    const auto holds = [&](std::string_view text) {
      for (const std::string& category : world_.categories.categories_in(text))
        if (Categories::plain_word(category) == word) return true;
      const std::vector<std::string> members = world_.categories.members_of(word);
      const std::vector<std::string> words = singular(words_of(text));
      return std::any_of(words.begin(), words.end(), [&](const std::string& part) {
        return std::find(members.begin(), members.end(), part) != members.end();
      });
    };
    if (holds(one.label)) return true;
    if (world_.parts == nullptr) return false;
    const auto parts = world_.parts->find(one.ref);
    return parts != world_.parts->end() && holds(parts->second);
  }

  const Wanted& wanted_;
  const MentionWorld& world_;
  Found pool_;
};

std::optional<std::size_t> ordinal(const Wanted& wanted, std::size_t count) {
  if (wanted.words.size() != 1 || count == 0) return std::nullopt;
  if (wanted.words[0] == "last") return count - 1;
  for (std::size_t i = 0; i < kOrdinals.size(); ++i)
    if (wanted.words[0] == kOrdinals[i] && i < count) return i;
  return std::nullopt;
}

struct Match {
  Found found;
  bool is_exact = false;
  bool is_plural = false;
};

// In the order in which they were listed: those that are new came together, by number.
void sort_as_listed(Found& found) {
  std::stable_sort(
      found.begin(), found.end(),
      [](const EntitySnapshot* a, const EntitySnapshot* b) { return a->entity < b->entity; });
}

// R2: as many as were said, or all when that many cannot be told from the rest.
Match match_count(Found latest, std::size_t count) {
  if (latest.size() == count) return {std::move(latest), true, true};
  for (const bool is_generated : {true, false}) {
    Found some;
    for (const EntitySnapshot* one : latest)
      if ((one->status == RefStatus::generated) == is_generated) some.push_back(one);
    if (some.size() == count) return {std::move(some), true, true};
  }
  return {std::move(latest), false, false};
}

Match match_active(const Wanted& wanted, const MentionWorld& world, const Found& pool) {
  const Tierwise tier(wanted, world, pool);
  if (Found found = tier.by_label(); !found.empty()) return {std::move(found), true, false};
  const std::string said = joined(wanted.said);
  if (wanted.count) {
    Found latest = tier.latest();
    sort_as_listed(latest);
    return match_count(std::move(latest), *wanted.count);
  }
  const bool is_plural = is_among(kPlural, said) || (wanted.is_bare && wanted.is_plural);
  if (is_plural || is_among(kSingular, said) || wanted.is_bare) {
    Found found = tier.latest(!is_plural);
    sort_as_listed(found);
    return {std::move(found), true, is_plural};
  }
  Found listed = tier.latest();
  sort_as_listed(listed);
  if (const std::optional<std::size_t> place = ordinal(wanted, listed.size()))
    return {{listed[*place]}, true, false};
  if (Found found = tier.by_words(); !found.empty()) return {std::move(found), false, false};
  if (Found found = tier.by_categories(); !found.empty()) return {std::move(found), false, false};
  return {tier.by_near_words(), false, false};
}

Found match_background(const Wanted& wanted, const MentionWorld& world, const Found& pool) {
  const Tierwise tier(wanted, world, pool);
  for (Found found : {tier.by_label(), tier.by_words(), tier.by_categories(), tier.by_near_words()})
    if (!found.empty()) return found;
  return {};
}

Found of_type(std::span<const EntitySnapshot> tier, std::string_view type, Found found = {}) {
  for (const EntitySnapshot& one : tier)
    if (type.empty() || one.type == type) found.push_back(&one);
  return found;
}

Found in_play(const EntityTiers& tiers, std::string_view type) {
  return of_type(tiers.retained, type, of_type(tiers.generated, type, of_type(tiers.active, type)));
}

void settle(const Match& match, bool is_background, ResolvedMention& out) {
  std::vector<std::string> refs;
  for (const EntitySnapshot* one : match.found) refs.push_back(one->ref);
  if (refs.size() == 1 || (match.is_plural && !refs.empty())) {
    out.resolved = std::move(refs);
    out.confidence = is_background ? MentionConfidence::medium : MentionConfidence::high;
    out.resolution = match.is_exact && !is_background ? Resolution::exact : Resolution::fuzzy;
    return;
  }
  out.candidates = std::move(refs);
}

}  // namespace

ResolvedMention resolve_entity_reference(const EntityMention& mention, const MentionWorld& world) {
  ResolvedMention out{.raw_text = mention.raw_text, .entity_type = mention.entity_type};
  const Wanted wanted = read_mention(mention, world);
  const Found active = in_play(world.tiers, mention.entity_type);
  const Found background = of_type(world.tiers.background, mention.entity_type);
  for (const Found& pool : {active, background})
    for (const EntitySnapshot* one : pool)
      if (one->ref == mention.raw_text) {
        settle({{one}, true, false}, false, out);
        return out;
      }
  // A ref of somebody who is not there means nobody, unless somebody is called so.
  const auto is_called = [&](const EntitySnapshot* one) { return one->label == mention.raw_text; };
  if (Ref::parse(mention.raw_text) && std::none_of(active.begin(), active.end(), is_called) &&
      std::none_of(background.begin(), background.end(), is_called))
    return out;
  const Match match = match_active(wanted, world, active);
  if (!match.found.empty()) {
    settle(match, false, out);
    return out;
  }
  settle({match_background(wanted, world, background), false, false}, true, out);
  return out;
}

std::optional<ResolvedMention> resolve_listed_place(const EntityMention& mention,
                                                    const MentionWorld& world,
                                                    std::span<const std::string> listed,
                                                    ListedCount count) {
  const Wanted wanted = read_mention(mention, world);
  const std::optional<std::size_t> place = ordinal(wanted, listed.size());
  if (!place) return std::nullopt;
  const Found pool = in_play(world.tiers, mention.entity_type);
  const Tierwise tier(wanted, world, pool);
  const Found latest = tier.latest(count == ListedCount::told);
  const bool are_picked =
      latest.size() < listed.size() + (count == ListedCount::picked ? 0 : 1) &&
      tier.by_label().empty() && std::all_of(latest.begin(), latest.end(), [&](const auto* one) {
        return std::find(listed.begin(), listed.end(), one->ref) != listed.end();
      });
  if (!are_picked) return std::nullopt;
  ResolvedMention out{.raw_text = mention.raw_text, .entity_type = mention.entity_type};
  const auto is_there = [&](const std::string& ref) {
    return std::any_of(pool.begin(), pool.end(), [&](const auto* one) { return one->ref == ref; });
  };
  std::size_t at = *place;
  while (wanted.words[0] == "last" && at > 0 && !is_there(listed[at])) --at;
  Match match{.found = {}, .is_exact = true};
  for (const EntitySnapshot* one : pool)
    if (one->ref == listed[at]) match.found.push_back(one);
  settle(match, false, out);
  return out;
}

}  // namespace alfred
