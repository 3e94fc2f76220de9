// English plurals, as far as table names need them: words that follow no rule first, then endings.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "pack/ref_names.h"

namespace alfred {
namespace {

using std::string_view;
using Pair = std::pair<string_view, string_view>;

constexpr std::array kIrregular{
    Pair{"aches", "ache"},
    Pair{"aliases", "alias"},
    Pair{"alumni", "alumnus"},
    Pair{"apis", "api"},
    Pair{"appendices", "appendix"},
    Pair{"atlases", "atlas"},
    Pair{"avalanches", "avalanche"},
    Pair{"axes", "axis"},
    Pair{"bacteria", "bacterium"},
    Pair{"biases", "bias"},
    Pair{"cacti", "cactus"},
    Pair{"calves", "calf"},
    Pair{"canvases", "canvas"},
    Pair{"cpus", "cpu"},
    Pair{"crises", "crisis"},
    Pair{"criteria", "criterion"},
    Pair{"curricula", "curriculum"},
    Pair{"diagnoses", "diagnosis"},
    Pair{"dice", "die"},
    Pair{"elves", "elf"},
    Pair{"emojis", "emoji"},
    Pair{"feet", "foot"},
    Pair{"firemen", "fireman"},
    Pair{"fungi", "fungus"},
    Pair{"gases", "gas"},
    Pair{"geese", "goose"},
    Pair{"gpus", "gpu"},
    Pair{"gurus", "guru"},
    Pair{"halves", "half"},
    Pair{"headaches", "headache"},
    Pair{"hooves", "hoof"},
    Pair{"indices", "index"},
    Pair{"irises", "iris"},
    Pair{"kiwis", "kiwi"},
    Pair{"kpis", "kpi"},
    Pair{"leaves", "leaf"},
    Pair{"lenses", "lens"},
    Pair{"lives", "life"},
    Pair{"loaves", "loaf"},
    Pair{"matrices", "matrix"},
    Pair{"men", "man"},
    Pair{"menus", "menu"},
    Pair{"mice", "mouse"},
    Pair{"niches", "niche"},
    Pair{"nuclei", "nucleus"},
    Pair{"oases", "oasis"},
    Pair{"oxen", "ox"},
    Pair{"phenomena", "phenomenon"},
    Pair{"policemen", "policeman"},
    Pair{"quiches", "quiche"},
    Pair{"quizzes", "quiz"},
    Pair{"radii", "radius"},
    Pair{"salesmen", "salesman"},
    Pair{"scarves", "scarf"},
    Pair{"selves", "self"},
    Pair{"skis", "ski"},
    Pair{"skus", "sku"},
    Pair{"stimuli", "stimulus"},
    Pair{"submenus", "submenu"},
    Pair{"syllabi", "syllabus"},
    Pair{"synopses", "synopsis"},
    Pair{"taxis", "taxi"},
    Pair{"teeth", "tooth"},
    Pair{"thieves", "thief"},
    Pair{"vertices", "vertex"},
    Pair{"wikis", "wiki"},
    Pair{"wolves", "wolf"},
    Pair{"workmen", "workman"},
};

// Plurals that only look as if they followed one of the endings below; they lose their s alone.
constexpr std::array<string_view, 39> kPlainS{
    "abuses",   "aunties", "birdies", "brioches",   "brownies", "caches",  "calories",  "canoes",
    "collies",  "cookies", "excuses", "foes",       "fuses",    "genies",  "hoes",      "hoodies",
    "lies",     "movies",  "muses",   "mustaches",  "newbies",  "oboes",   "pies",      "pixies",
    "prairies", "psyches", "reuses",  "rookies",    "ruses",    "selfies", "smoothies", "sorties",
    "ties",     "tiptoes", "toes",    "toothaches", "uses",     "veggies", "zombies"};

// Words that end in s and are no plurals, or are their own singular.
constexpr std::array<string_view, 39> kUnchanged{
    "alias",       "analytics", "atlas",    "aws",       "bias",        "canvas",       "chaos",
    "clothes",     "cms",       "cosmos",   "customs",   "dns",         "does",         "economics",
    "electronics", "ethos",     "gas",      "goods",     "gps",         "headquarters", "https",
    "ios",         "kudos",     "lens",     "logistics", "mathematics", "means",        "news",
    "pancreas",    "physics",   "politics", "pos",       "scissors",    "series",       "sms",
    "species",     "thanks",    "tls",      "yes"};

// Ending, and what stands in its place; the first that fits decides. An ending that gives itself
// says that the word is singular already.
constexpr std::array kEndings{
    Pair{"people", "person"}, Pair{"children", "child"}, Pair{"women", "woman"},
    Pair{"shelves", "shelf"}, Pair{"knives", "knife"},   Pair{"wives", "wife"},
    Pair{"theses", "thesis"}, Pair{"lyses", "lysis"},    Pair{"sses", "ss"},
    Pair{"auses", "ause"},    Pair{"ouses", "ouse"},     Pair{"uses", "us"},
    Pair{"zzes", "zz"},       Pair{"tzes", "tz"},        Pair{"xes", "x"},
    Pair{"shes", "sh"},       Pair{"ches", "ch"},        Pair{"shoes", "shoe"},
    Pair{"oes", "o"},         Pair{"ies", "y"},          Pair{"ss", "ss"},
    Pair{"us", "us"},         Pair{"is", "is"},          Pair{"s", ""},
};

// Searches look at every word of every row: the lists are sorted and halved, not walked.
static_assert(std::is_sorted(kIrregular.begin(), kIrregular.end()));
static_assert(std::is_sorted(kPlainS.begin(), kPlainS.end()));
static_assert(std::is_sorted(kUnchanged.begin(), kUnchanged.end()));

// Words that end in s, and those that end in one of these letters, may be plurals; no others.
constexpr string_view kOtherEnds = "aeihnt";
constexpr bool may_be_plural(string_view word) {
  return word.ends_with('s') || kOtherEnds.find(word.back()) != string_view::npos;
}
static_assert(std::all_of(kIrregular.begin(), kIrregular.end(),
                          [](const Pair& pair) { return may_be_plural(pair.first); }));
static_assert(std::all_of(kEndings.begin(), kEndings.end(),
                          [](const Pair& pair) { return may_be_plural(pair.first); }));
static_assert(std::all_of(kPlainS.begin(), kPlainS.end(),
                          [](string_view word) { return word.ends_with('s'); }));

// Most words are in none of the lists: their first letters and their size say so.
constexpr std::size_t kMarks = 1024;
constexpr std::size_t mark_of(string_view word) {
  return (static_cast<unsigned char>(word[0]) * 37U + static_cast<unsigned char>(word[1]) * 5U +
          static_cast<unsigned char>(word[2]) * 131U + word.size()) %
         kMarks;
}
constexpr std::array<bool, kMarks> kIsListed = [] {
  std::array<bool, kMarks> listed{};
  for (const Pair& pair : kIrregular) listed[mark_of(pair.first)] = true;
  for (const string_view word : kPlainS) listed[mark_of(word)] = true;
  for (const string_view word : kUnchanged) listed[mark_of(word)] = true;
  return listed;
}();

template <std::size_t N>
bool contains(const std::array<string_view, N>& words, string_view word) {
  return std::binary_search(words.begin(), words.end(), word);
}

std::optional<std::string> listed_singular(string_view word) {
  const auto irregular =
      std::lower_bound(kIrregular.begin(), kIrregular.end(), word,
                       [](const Pair& pair, string_view wanted) { return pair.first < wanted; });
  if (irregular != kIrregular.end() && irregular->first == word)
    return std::string(irregular->second);
  const bool has_s = word.back() == 's';
  if (has_s && contains(kUnchanged, word)) return std::string(word);
  if (has_s && contains(kPlainS, word)) return std::string(word.substr(0, word.size() - 1));
  return std::nullopt;
}

}  // namespace

std::string singular_of(std::string_view word) {
  // One or two letters are an abbreviation: `os` is no plural of `o`.
  if (word.size() <= 2 || !may_be_plural(word)) return std::string(word);
  if (kIsListed[mark_of(word)])
    if (const std::optional<std::string> listed = listed_singular(word)) return *listed;
  for (const auto& [plural, singular] : kEndings) {
    if (!word.ends_with(plural)) continue;
    return std::string(word.substr(0, word.size() - plural.size())).append(singular);
  }
  return std::string(word);
}

}  // namespace alfred
