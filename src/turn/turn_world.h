// What a turn works with beside the session: the domain, its texts, and ports. All of it values or
// functions of values; a turn touches neither network nor database.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "context/prompt_texts.h"
#include "pack/pack.h"
#include "pack/schema.h"
#include "state/session_state.h"

namespace alfred {

// Generated content made into a row for db_create, and what did not fit (001 §5.4).
struct CompiledArtifact {
  std::string table{};
  JsonObject row{};  // nested rows under their members
  std::vector<std::string> discrepancies{};
};
using CompileArtifact = std::function<Result<CompiledArtifact>(const StoredArtifact&)>;

struct TurnWorld {
  const Pack& pack;
  const Schema& schema;
  const PromptTexts& texts;
  CompileArtifact compile;
  std::vector<std::string> secrets{};  // that the guard looks for
};

}  // namespace alfred
