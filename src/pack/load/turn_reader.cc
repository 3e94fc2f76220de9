// What a pack declares for turns: layouts, the profile, the dashboard.
#include <fmt/format.h>

#include "pack/load/pack_reader.h"

namespace alfred {
namespace {

constexpr std::size_t kMostTries = 6;

Result<void> read_pattern(const TomlValue& value, std::string& out) {
  if (value.text() == nullptr || value.text()->empty())
    return fail_toml(value.place, "A line is a text in quotes, not empty.");
  if (const auto names = names_in(*value.text()); !names)
    return fail_toml(value.place, names.error().message);
  out = *value.text();
  return {};
}

Result<LayoutList> read_list(const TomlValue& value) {
  LayoutList list;
  list.place = value.place;
  TomlTable table(value, "[[list]]");
  table.take("member", list.member);
  table.take("title", list.title);
  table.take("noun", list.noun);
  table.take_value("item", [&](const TomlValue& item) { return read_pattern(item, list.item); });
  table.take("numbered", list.is_numbered);
  table.require("member");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (list.title.empty()) list.title = list.member;
  return list;
}

Result<PermanentConstraint> read_permanent(const TomlValue& value) {
  PermanentConstraint permanent;
  permanent.place = value.place;
  TomlTable table(value, "[[profile.constraint]]");
  table.take("field", permanent.field);
  table.take("type", permanent.type);
  table.require("field");
  table.require("type");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return permanent;
}

Result<void> check_dashboard_text(const std::string& text, const TomlPlace& place) {
  const auto names = names_in(text);
  if (!names) return fail_toml(place, names.error().message);
  if (names->size() != 1 || names->front() != std::vector<std::string>{"count"})
    return fail_toml(place, "A line of the dashboard says {count}, once, and no other field.",
                     {"{count}"});
  return {};
}

}  // namespace

void take_layout(TomlTable& table, EntityLayout& layout) {
  table.take_value("lines", [&](const TomlValue& value) -> Result<void> {
    if (value.array() == nullptr)
      return fail_toml(value.place, "\"lines\" is a list of texts: lines = [\"…\"].");
    for (const TomlValue& element : *value.array()) {
      layout.places.push_back(element.place);
      if (Result<void> ok = read_pattern(element, layout.lines.emplace_back()); !ok) return ok;
    }
    return {};
  });
  table.take_tables("list", into(layout.lists, read_list));
}

Result<Profile> read_profile(const TomlValue& value) {
  Profile profile;
  profile.place = value.place;
  TomlTable table(value, "[profile]");
  table.take("table", profile.table);
  take_layout(table, profile.layout);
  table.take("guidance", profile.guidance);
  table.take_tables("constraint", into(profile.constraints, read_permanent));
  table.require("table");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return profile;
}

Result<DashboardLine> read_dashboard_line(const TomlValue& value) {
  DashboardLine line;
  line.place = value.place;
  TomlTable table(value, "[[dashboard]]");
  table.take("table", line.table);
  table.take("text", line.text);
  take_values(table, "where", line.where);
  table.take("empty", line.empty);
  table.take("before", line.before);
  table.take("within_days", line.within_days);
  table.take("from_today", line.is_from_today);
  table.require("table");
  table.require("text");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (Result<void> ok = check_dashboard_text(line.text, table.place_of("text")); !ok)
    return Unexpected(ok.error());
  for (const char* name : {"within_days", "from_today"})
    if (line.before.empty() && table.has(name))
      return fail_toml(table.place_of(name),
                       fmt::format("\"{}\" goes with \"before\", which names a date.", name));
  return line;
}

Result<ChatGreeting> read_chat_greeting(const TomlValue& value) {
  ChatGreeting chat;
  TomlTable table(value, "[chat]");
  table.take("greeting", chat.greeting);
  table.take("try", chat.tries);
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (chat.tries.size() > kMostTries)
    return fail_toml(table.place_of("try"),
                     fmt::format("\"try\" has at most {} messages.", kMostTries));
  for (const std::string& one : chat.tries)
    if (one.find('\n') != std::string::npos)
      return fail_toml(table.place_of("try"), "A message to try is one line.");
  return chat;
}

}  // namespace alfred
