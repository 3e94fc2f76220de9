// NodePrompts: what each node of a turn is told, as prompts for an MCP client: the texts that turns
// use, what the pack in use says and the contract of the answer.
//
// R1 the texts are those of the asks of a turn, a folder of one's own (`--prompts`) included.
// R2 act takes a step type, and adds what the pack says for it in a subdomain.
// R3 a subdomain whose own table is not offered here is neither listed nor known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "context/prompt_texts.h"
#include "pack/schema.h"
#include "surface/mcp/message.h"

namespace alfred::mcp {

// One prompt, in two messages as an ask has them.
struct NodePrompt {
  std::string description{};
  std::string core{};  // the program's own words
  std::string pack{};  // those of the pack
  std::string asked{};
};

class NodePrompts {
 public:
  // Both live as long as this.
  NodePrompts(const PromptTexts& texts, const Schema& schema) : texts_(texts), schema_(schema) {}

  static JsonArray listed();
  static bool has(std::string_view name);
  // `name` is one that has() knows. Error: an argument that is missing or not among its values.
  RpcResult<NodePrompt> get(std::string_view name, const JsonObject& arguments) const;
  // Values of subdomain and step_type that begin so; none for other arguments.
  std::vector<std::string> complete(std::string_view argument, std::string_view begin) const;

 private:
  std::vector<std::string> subdomains() const;
  std::string types() const;
  std::string constraint_types() const;
  std::string act_texts(std::string_view subdomain, std::string_view step_type) const;

  const PromptTexts& texts_;
  const Schema& schema_;
};

}  // namespace alfred::mcp
