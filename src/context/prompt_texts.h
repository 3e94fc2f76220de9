// The texts prompts are made of: the core's own (roles and contracts) and the pack's (personas and
// every example). Embedded in the program; a folder may hold others.
//
// R1 a core text that is asked for is there: one that is missing is a programmer's error.
// R2 a pack's text is looked up by name; one that it has not got is empty.
// R3 a folder's texts replace those of the same name; a file there that replaces none is refused.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pack/pack.h"

namespace alfred {

using CoreTexts = std::map<std::string, std::string, std::less<>>;  // "act/base" → its text

CoreTexts embedded_core_texts();
// R3. An empty folder: the embedded ones. Error: file.
Result<CoreTexts> load_core_texts(const std::string& folder);

class PromptTexts {
 public:
  PromptTexts(CoreTexts core, const Pack& pack) : core_(std::move(core)), pack_(pack) {}

  const std::string& core(std::string_view name) const;
  const CoreTexts& all_core() const { return core_; }
  const Pack& pack() const { return pack_; }
  std::string_view pack_text(std::string_view name) const;
  // "act/base", "act/crud" for read and write, and the step type's own.
  std::string act_system(std::string_view step_type) const;

 private:
  CoreTexts core_;
  const Pack& pack_;
};

}  // namespace alfred
