// The texts prompts are made of: the core's own (roles and contracts) and the pack's (personas and
// every example). Embedded in the program; a folder may hold others.
//
// R1 a core text that is asked for is there: one that is missing is a programmer's error.
// R2 a pack's text is looked up by name; one that it has not got is empty.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pack/pack.h"

namespace alfred {

class PromptTexts {
 public:
  PromptTexts(std::map<std::string, std::string, std::less<>> core, const Pack& pack);

  const std::string& core(std::string_view name) const;
  std::string_view pack_text(std::string_view name) const;
  // "act/base", "act/crud" for read and write, and the step type's own.
  std::string act_system(std::string_view step_type) const;

 private:
  std::map<std::string, std::string, std::less<>> core_;
  const Pack& pack_;
};

}  // namespace alfred
