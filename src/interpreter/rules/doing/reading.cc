// How a message was read, for who asks why.
#include "interpreter/rules/doing/answers.h"

namespace alfred::rules {
namespace {

std::string code(const std::string& text) {
  std::string out = "`";
  for (const char one : text)
    if (one != '`') out += one == '\n' ? ' ' : one;
  return out + "`";
}

}  // namespace

std::string reading(const Book& book, const Facts& facts) {
  std::string out;
  for (const Doing& doing : program_of(book, facts).program.doings) {
    out += "- " + code(doing.said.empty() ? facts.message : doing.said) + ": ";
    if (doing.verb == Verb::unknown) {
      out += "no phrase fits\n";
      continue;
    }
    out += std::string(verb_name(doing.verb)) + (doing.table.empty() ? "" : " " + doing.table);
    out += doing.intent.empty() ? "\n" : ", read as " + code(doing.intent) + "\n";
    for (const auto& [name, said] : doing.slots) out += "- slot " + name + ": " + code(said) + "\n";
    for (std::size_t i = 0; i < doing.unread.size(); ++i)
      out += (i == 0 ? "- not read: " : ", ") + code(doing.unread[i]);
    if (!doing.unread.empty()) out += "\n";
  }
  return out;
}

}  // namespace alfred::rules
