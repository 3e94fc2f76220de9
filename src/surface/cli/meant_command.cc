#include "surface/cli/meant_command.h"

#include <algorithm>
#include <vector>

#include "base/near_name.h"
#include "surface/cli/command.h"

namespace alfred::cli {
namespace {

using Names = std::vector<std::string>;

Names top_names() {
  Names out;
  for (const Group& group : groups()) out.emplace_back(group.name);
  for (const Command& command : commands())
    if (command.group.empty()) out.emplace_back(command.name);
  return out;
}

Names verbs_of(std::string_view group) {
  Names out;
  for (const Command& command : commands())
    if (command.group == group) out.emplace_back(command.name);
  return out;
}

const Command* find(std::string_view group, std::string_view name) {
  for (const Command& command : commands())
    if (command.group == group && command.name == name) return &command;
  return nullptr;
}

std::string joined(const Names& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// An option that the command does not have.
std::string meant_option(const Command& command, std::span<const std::string> words) {
  Names options{"--help"};
  for (const Parameter& one : command.parameters)
    if (one.name.starts_with("--")) options.emplace_back(one.name);
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || has(options, name)) continue;
    return "There is no option " + name + " here." + did_you_mean(name, options) +
           " It has: " + joined(options) + ".";
  }
  return "";
}

}  // namespace

std::string meant_command(std::span<const std::string> words) {
  if (words.empty() || words[0].starts_with('-')) return "";
  const Names top = top_names();
  if (!has(top, words[0]))
    return "There is no command " + words[0] + "." + did_you_mean(words[0], top) +
           " There are: " + joined(top) + ".";
  if (const Command* own = find("", words[0])) return meant_option(*own, words.subspan(1));
  const Names verbs = verbs_of(words[0]);
  if (words.size() < 2 || words[1].starts_with('-')) return "";
  if (const Command* command = find(words[0], words[1]))
    return meant_option(*command, words.subspan(2));
  Names whole;
  for (const std::string& verb : verbs) whole.push_back(words[0] + " " + verb);
  return "There is no command " + words[0] + " " + words[1] + "." +
         did_you_mean(words[0] + " " + words[1], whole) + " There are: " + joined(verbs) + ".";
}

}  // namespace alfred::cli
