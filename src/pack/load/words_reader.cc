// What a pack declares for the interpreter without a model: [rules], [[word]], [[intent]],
// [[template]] and [[choices]].
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pack/load/pack_reader.h"

namespace alfred {
namespace {

void take_object(TomlTable& table, std::string_view name, JsonObject& out) {
  table.take_members(name, [&out](const TomlMember& member) -> Result<void> {
    out[member.name] = toml_to_json(member.value);
    return {};
  });
}

// The same where the keys are known.
template <std::size_t N>
void take_known(TomlTable& table, std::string_view name, JsonObject& out,
                const std::array<std::string_view, N>& keys) {
  table.take_members(name, [&out, &keys, name](const TomlMember& member) -> Result<void> {
    if (std::find(keys.begin(), keys.end(), member.name) == keys.end())
      return fail_toml(member.value.place,
                       fmt::format("\"{}\" has no \"{}\". Leave it out.", name, member.name),
                       {keys.begin(), keys.end()});
    out[member.name] = toml_to_json(member.value);
    return {};
  });
}

Result<std::vector<std::string>> read_texts(const TomlValue& value) {
  std::vector<std::string> out;
  const TomlValue::Array* elements = value.array();
  if (elements == nullptr) return fail_toml(value.place, "This is a list of texts: [\"…\"].");
  for (const TomlValue& element : *elements) {
    if (element.text() == nullptr)
      return fail_toml(element.place, "A text in quotes is expected here.");
    out.push_back(*element.text());
  }
  return out;
}

template <class Map>
void take_lists(TomlTable& table, std::string_view name, Map& out) {
  table.take_members(name, [&out](const TomlMember& member) -> Result<void> {
    Result<std::vector<std::string>> texts = read_texts(member.value);
    if (!texts) return Unexpected(texts.error());
    out[member.name] = std::move(*texts);
    return {};
  });
}

Result<TemplateChoice> read_choice(const TomlValue& value) {
  TemplateChoice choice;
  TomlTable table(value, "a choice");
  table.take("name", choice.name);
  table.take("amount", choice.amount);
  table.take("unit", choice.unit);
  table.take("notes", choice.notes);
  table.take("tags", choice.tags);
  table.require("name");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return choice;
}

// What an intent's `with` may say (docs/rules.md).
constexpr std::array<std::string_view, 42> kWith{
    "all",     "ask",     "at",    "before", "coming", "count", "day",     "default", "each",
    "evening", "field",   "fill",  "first",  "from",   "how",   "instant", "keeps",   "known",
    "make",    "morning", "move",  "name",   "noon",   "not",   "note",    "on",      "one",
    "open",    "order",   "parts", "reset",  "search", "set",   "slot",    "span",    "taken",
    "takes",   "ticks",   "what",  "where",  "within", "word"};

constexpr std::array<std::string_view, 23> kWishes{
    "added", "asked_for",  "beside",     "diet",  "disliked", "excluded", "exclusive", "fields",
    "main",  "main_field", "making",     "other", "parts",    "side",     "required",  "steps",
    "tags",  "type",       "tag_fields", "shape", "unkept",   "partly",   "eaters"};
constexpr std::array<std::string_view, 12> kParts{"amount", "by",     "have",     "kind",
                                                  "list",   "of",     "optional", "parts",
                                                  "skip",   "source", "staples",  "unit"};
constexpr std::array<std::string_view, 2> kPortions{"default", "field"};

}  // namespace

Result<RuleWord> read_rule_word(const TomlValue& value) {
  RuleWord word;
  word.place = value.place;
  TomlTable table(value, "[[word]]");
  table.take("says", word.says);
  table.take("table", word.table);
  take_values(table, "where", word.where);
  table.take("field", word.field);
  table.take("value", word.value);
  table.take("order", word.order);
  table.take("means", word.means);
  table.require("says");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (word.means.empty() == word.table.empty())
    return fail_toml(value.place,
                     "A word stands for rows of a \"table\", or it \"means\" other words.");
  return word;
}

Result<RuleIntent> read_rule_intent(const TomlValue& value) {
  RuleIntent intent;
  intent.place = value.place;
  TomlTable table(value, "[[intent]]");
  table.take("phrases", intent.phrases);
  table.take("does", intent.does);
  table.take("table", intent.table);
  take_known(table, "with", intent.with, kWith);
  table.require("phrases");
  table.require("does");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return intent;
}

Result<RuleTemplate> read_rule_template(const TomlValue& value) {
  RuleTemplate out;
  out.place = value.place;
  TomlTable table(value, "[[template]]");
  table.take("type", out.type);
  table.take("title", out.title);
  table.take("called", out.called);
  take_lists(table, "slots", out.slots);
  take_object(table, "content", out.content);
  table.require("type");
  table.require("title");
  table.require("content");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return out;
}

Result<TemplateList> read_template_list(const TomlValue& value) {
  TemplateList out;
  out.place = value.place;
  TomlTable table(value, "[[choices]]");
  table.take("name", out.name);
  table.take_tables("of", into(out.choices, read_choice));
  table.require("name");
  table.require("of");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return out;
}

Result<void> read_rules(const TomlValue& value, PackRules& rules) {
  TomlTable table(value, "[rules]");
  table.take("things", rules.things);
  table.take_members("usual", [&](const TomlMember& member) -> Result<void> {
    if (member.value.table() == nullptr)
      return fail_toml(member.value.place,
                       fmt::format("\"{}\" takes fields and values: {{ … }}.", member.name));
    for (const TomlMember& field : *member.value.table())
      rules.usual[member.name][field.name] = toml_to_json(field.value);
    return {};
  });
  table.take_texts("dates", [&](const std::string& name, const std::string& field) {
    rules.dates[name] = field;
  });
  take_lists(table, "extras", rules.extras);
  table.take("merged", rules.merged);
  table.take("examples", rules.examples);
  table.take("speaks", rules.speaks);
  take_known(table, "wishes", rules.wishes, kWishes);
  take_known(table, "parts", rules.parts, kParts);
  take_known(table, "portions", rules.portions, kPortions);
  return table.done();
}

}  // namespace alfred
