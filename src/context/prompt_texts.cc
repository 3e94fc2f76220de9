#include "context/prompt_texts.h"

#include <filesystem>

#include "base/check.h"
#include "base/files/embedded_file.h"
#include "base/files/file.h"
#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::string_view kEnding = ".md";

}  // namespace

std::span<const EmbeddedFile> embedded_prompts();

CoreTexts embedded_core_texts() {
  CoreTexts texts;
  for (const EmbeddedFile& file : embedded_prompts()) {
    const std::string_view name = file.name.substr(0, file.name.size() - kEnding.size());
    texts.emplace(name, file.text());
  }
  return texts;
}

Result<CoreTexts> load_core_texts(const std::string& folder) {
  namespace fs = std::filesystem;
  CoreTexts texts = embedded_core_texts();
  if (folder.empty()) return texts;
  std::error_code error;
  fs::recursive_directory_iterator files(folder, error);
  if (error) return fail(ErrorCode::file, "The folder of prompts cannot be read: " + folder + ".");
  for (const fs::directory_entry& entry : files) {
    if (!entry.is_regular_file(error) || entry.path().extension() != kEnding) continue;
    std::string name = fs::relative(entry.path(), folder, error).generic_string();
    name.resize(name.size() - kEnding.size());
    const auto known = texts.find(name);
    if (known == texts.end()) {
      std::vector<std::string> names;
      for (const auto& [one, text] : texts) names.push_back(one);
      return fail(ErrorCode::file, "No prompt is called " + quoted_text(name) + ".", "",
                  std::move(names));
    }
    Result<std::string> text = read_file(entry.path().string());
    if (!text) return Unexpected(std::move(text).error());
    known->second = std::move(*text);
  }
  return texts;
}

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
