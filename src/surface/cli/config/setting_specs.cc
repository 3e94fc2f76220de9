#include "surface/cli/config/config.h"
#include "surface/cli/config/session_tuning.h"

namespace alfred::cli {
namespace {

using Kind = SettingKind;

// What a table of the file has beyond url, model and key: docs/models.md says more.
void add_prices(std::vector<SettingSpec>& specs, const std::string& table) {
  for (const char* name : {"input", "cached", "output"})
    specs.push_back(
        {table + ".price." + name, Kind::amount, "", "", "", {}, "For a million tokens"});
}

void add_nodes(std::vector<SettingSpec>& specs) {
  for (const char* node : {"understand", "think", "act", "act_quick", "reply", "summarize"}) {
    const std::string table = std::string("model.") + node;
    specs.push_back({table + ".model", Kind::text, "", "", "", {}, "A model for this node"});
    specs.push_back({table + ".effort", Kind::text, "", "", "", {}, "How much it may think"});
    for (const char* name : {"max_tokens", "first_byte_timeout_s", "timeout_s"})
      specs.push_back({table + "." + name, Kind::number, "", "", "", {}, "As for all"});
    add_prices(specs, table);
  }
}

std::vector<SettingSpec> model_specs() {
  std::vector<SettingSpec> specs{
      {"model.url", Kind::text, "ALFRED_MODEL_URL", "", "", {}, "Where the model is: http(s)://…"},
      {"model.model", Kind::text, "ALFRED_MODEL", "", "", {}, "Its name there"},
      {"model.key_file", Kind::text, "", "", "", {}, "A file with its key, for your eyes only"},
      {"model.key_env", Kind::text, "", "", "", {}, "The variable that holds its key"},
      {"model.wire",
       Kind::word,
       "",
       "",
       "",
       {"openai", "anthropic"},
       "By its address when not set"},
      {"model.effort", Kind::text, "", "", "", {}, "How much it may think"},
      {"model.structure",
       Kind::word,
       "",
       "",
       "",
       {"schema", "json", "tool", "prose"},
       "How it is told the form of an answer"},
      {"model.ca_file", Kind::text, "", "", "", {}, "Certificates to trust"},
      {"model.anthropic_version", Kind::text, "", "", "", {}, "The header of that name"}};
  for (const char* name : {"max_tokens", "retries", "most_at_once", "connect_timeout_s",
                           "first_byte_timeout_s", "idle_timeout_s", "timeout_s"})
    specs.push_back({std::string("model.") + name, Kind::number, "", "", "", {}, "docs/models.md"});
  add_prices(specs, "model");
  add_nodes(specs);
  return specs;
}

}  // namespace

std::span<const SettingSpec> setting_specs() {
  static const std::vector<SettingSpec> table = [] {
    std::vector<SettingSpec> specs{
        {"pack", Kind::text, "ALFRED_PACK", "--pack", "", {}, "The folder of a pack"},
        {"db", Kind::text, "ALFRED_DB", "--db", "", {}, "The database; else the embedded one"},
        {"user", Kind::text, "ALFRED_USER", "--user", "", {}, "Whose rows; me when not set"},
        {"prompts", Kind::text, "ALFRED_PROMPTS", "--prompts", "", {}, "A folder with prompts"},
        {"interpreter",
         Kind::word,
         "ALFRED_INTERPRETER",
         "--interpreter",
         "",
         {"rules", "chat_http"},
         "Who answers; the model where one is set, else the rules"}};
    const std::vector<SettingSpec> model = model_specs();
    specs.insert(specs.end(), model.begin(), model.end());
    for (const TunedSetting& one : tuned_settings())
      specs.push_back({"session." + std::string(one.name),
                       Kind::number,
                       "",
                       "",
                       "",
                       {},
                       std::string(one.help)});
    specs.push_back({"chat.colour",
                     Kind::word,
                     "",
                     "",
                     "auto",
                     {"auto", "always", "never"},
                     "NO_COLOR in the environment means never"});
    specs.push_back(
        {"chat.progress", Kind::truth, "", "", "true", {}, "Show what a turn is doing"});
    return specs;
  }();
  return table;
}

}  // namespace alfred::cli
