// What a turn works with beside the session: the domain, its texts, and chance. All of it values or
// ports; a turn touches neither network nor database.
#pragma once

#include <string>
#include <vector>

#include "alfred/random.h"
#include "context/prompt_texts.h"
#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

struct TurnWorld {
  const Pack& pack;
  const Schema& schema;
  const PromptTexts& texts;
  Random& random;
  std::vector<std::string> secrets{};  // that the guard looks for
};

}  // namespace alfred
