#include "interpreter/rules/doing/ledger_text.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/doing/steps.h"

namespace alfred::rules {
namespace {

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text = text.substr(std::min(text.size(), end + 1));
  }
  return out;
}

// What the ledger said was done, in the reply to the message before.
std::string told_before(const Facts& facts) {
  constexpr std::array<std::string_view, 3> kDone{"Saved (", "Changed (", "Deleted ("};
  std::string out;
  for (const std::string& line : lines_in(facts.previous_reply))
    if (std::any_of(kDone.begin(), kDone.end(),
                    [&](std::string_view done) { return line.starts_with(done); }))
      out += (out.empty() ? "" : "; ") + line;
  return out;
}

}  // namespace

std::string ledger_text(const Facts& facts) {
  std::string out;
  for (std::string& line : lines_in(facts.status)) {
    if (line.starts_with("- ")) line.erase(0, 2);
    out += (out.empty() ? "" : "\n") + line;
  }
  return out;
}

std::string last_change_text(const Book& book, const Facts& facts) {
  const std::string done = told_before(facts);
  if (done.empty()) return "Your last message changed nothing.";
  ReadingWorld world = world_of(book, facts);
  const std::string before = world.previous;
  world.previous.clear();
  std::string out;
  for (const Doing& one : read_message(world, before).doings) {
    if (!writes(one)) continue;
    const bool says_what = one.verb == Verb::set ? !one.values.empty() || edits_parts(one)
                                                 : !one.items.empty() || !one.targets.empty();
    if (!says_what) return "Your last change was: " + done + ".";
    out += (out.empty() ? "" : "; ") + sentence_of(book, one, {});
  }
  return "Your last change was: " + (out.empty() ? done : out) + ".";
}

}  // namespace alfred::rules
