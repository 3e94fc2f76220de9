#include "context/prompt_texts.h"

#include "base/check.h"

namespace alfred {

PromptTexts::PromptTexts(std::map<std::string, std::string, std::less<>> core, const Pack& pack)
    : core_(std::move(core)), pack_(pack) {}

const std::string& PromptTexts::core(std::string_view name) const {
  const auto found = core_.find(name);
  ALFRED_CHECK(found != core_.end(), "a core text that is asked for is there");
  return found->second;
}

std::string_view PromptTexts::pack_text(std::string_view name) const {
  const auto found = pack_.texts.find(name);
  return found == pack_.texts.end() ? std::string_view() : std::string_view(found->second.text);
}

std::string PromptTexts::act_system(std::string_view step_type) const {
  std::string out = core("act/base");
  if (step_type == "read" || step_type == "write") out += "\n" + core("act/crud");
  return out + "\n" + core("act/" + std::string(step_type));
}

}  // namespace alfred
