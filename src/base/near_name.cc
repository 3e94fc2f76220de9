#include "base/near_name.h"

#include <algorithm>
#include <vector>

namespace alfred {
namespace {

constexpr std::size_t kLongest = 64;

// Letters to be changed, by bytes: names of ours are ASCII.
std::size_t letters_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                              table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.size()][b.size()];
}

}  // namespace

std::string near_name(std::string_view typed, std::span<const std::string> names) {
  constexpr std::size_t kLeastBeginning = 3;
  if (typed.empty() || typed.size() > kLongest) return "";
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const bool begins = typed.size() >= kLeastBeginning && name.starts_with(typed);
    const std::size_t letters = begins ? 0 : letters_between(typed, name);
    if (letters >= least) continue;
    least = letters;
    best = &name;
  }
  return best == nullptr ? "" : *best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  const std::string meant = near_name(typed, names);
  return meant.empty() ? "" : " Did you mean " + meant + "?";
}

}  // namespace alfred
