#include "interpreter/rules/reading/shares.h"

#include <algorithm>

namespace alfred::rules {

void join_generates(Program& program, std::string_view message) {
  std::vector<Doing>& all = program.doings;
  const bool are_alike =
      all.size() > 1 && std::all_of(all.begin(), all.end(), [&](const Doing& one) {
        return one.verb == Verb::generate && one.table == all.front().table &&
               !one.with.contains("fill") && one.overrides.empty() && !one.is_reset;
      });
  if (!are_alike) return;
  Doing joined = all.front();
  joined.count = 0;
  joined.said = std::string(message);
  joined.unread.clear();
  std::erase_if(joined.wishes, [&](const Constraint& wish) {
    return !std::all_of(all.begin(), all.end(), [&](const Doing& one) {
      return std::find(one.wishes.begin(), one.wishes.end(), wish) != one.wishes.end();
    });
  });
  for (const Doing& one : all) {
    joined.count += one.count;
    joined.shares.push_back({one.count, one.wishes});
    joined.unread.insert(joined.unread.end(), one.unread.begin(), one.unread.end());
  }
  all = {std::move(joined)};
}

void join_undos(Program& program) {
  const auto are_undos = [](const Doing& one, const Doing& next) {
    return one.verb == Verb::undo && next.verb == Verb::undo;
  };
  program.doings.erase(std::unique(program.doings.begin(), program.doings.end(), are_undos),
                       program.doings.end());
}

}  // namespace alfred::rules
