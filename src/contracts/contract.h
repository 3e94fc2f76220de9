// The contract of each node that answers in JSON: what it gives, and what it must not, because
// another node or the system owns it. One declaration makes the decoder, the schema that providers
// get and docs/contracts.md.
//
// R1 a field that another node owns is refused by its name; a field nobody knows is ignored and noted (A13).
// R2 an answer is one JSON object, alone or in one code fence (A1–A4).
// R3 the schema uses only what all providers take: every property required, absence is null, no other
//    properties, no bounds. Refs become an enum where they fit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/node.h"

namespace alfred {

struct ForeignField {
  std::string_view name;
  std::string_view owner;  // "The plan is Think's."
};

struct Contract {
  Node node{};
  std::string_view says;  // what the node is for
  const Shape* shape = nullptr;
  std::span<const ForeignField> refused{};
  std::span<const std::string_view> does_not{};  // 001's lists, for the docs
};

// Null for reply, which is plain text.
const Contract* contract_of(Node node);

// The one JSON object of a model's answer. Errors: answer_empty, answer_ambiguous, json, limit,
// utf8.
Result<Json> answer_json(std::string_view text, const JsonLimits& limits);

// Refuses what others own (R1).
Result<void> check_owned(const Contract& contract, const Json& answer);

// Reads an answer against its node's contract.
template <class T>
Result<T> read_answer(const Contract& contract, std::string_view text, DecodeNotes& notes) {
  Result<Json> json = answer_json(text, JsonLimits::model_output());
  if (!json) return Unexpected(std::move(json).error());
  if (Result<void> owned = check_owned(contract, *json); !owned)
    return Unexpected(std::move(owned).error());
  return from_json<T>(*json, notes);
}

struct SchemaOptions {
  std::vector<std::string> refs{};              // of the working set; none: any text
  std::vector<std::string> actions{};           // of the step; none: all
  static constexpr std::size_t kMaxRefs = 900;  // providers allow a thousand enum values in all
};
std::string json_schema_text(const Shape& shape, const SchemaOptions& options = {});
Json json_schema(const Shape& shape, const SchemaOptions& options = {});  // the same, read

// docs/contracts.md.
std::string contracts_markdown();

}  // namespace alfred
