// Which model is asked, and how: from the environment and the configuration's [model] table.
//
// R1 first ALFRED_MODEL_URL, ALFRED_MODEL, ALFRED_MODEL_KEY, each before the table's url, model, key; without either,
//    OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API_KEY; then ANTHROPIC_BASE_URL, ANTHROPIC_MODEL,
//    ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN). Without a model's name there is none.
// R2 an address that ends in /messages, or that is Anthropic's, speaks Anthropic's form, everything else OpenAI's,
//    unless ALFRED_MODEL_WIRE or the table's wire says so. An address without a path gets /v1.
// R3 a node may have a model, an effort, a most of tokens, waits and prices of its own.
// R4 a provider's own key goes to that provider's own address and nowhere else.
// R5 unknown members, wrong types and numbers out of range are refused with their path; no message shows a key.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "contracts/node.h"
#include "interpreter/chat_http/model_usage.h"
#include "net/http_client.h"

namespace alfred {

enum class ChatWire : std::uint8_t { openai, anthropic };
template <>
struct Named<ChatWire> {
  static constexpr std::string_view name = "ChatWire";
  static constexpr std::array<std::string_view, 2> names{"openai", "anthropic"};
};

// How an endpoint is told the form of an answer: by its schema, as JSON of any form, as the
// parameters of a tool, or in words.
enum class Structure : std::uint8_t { schema, json, tool, prose };
template <>
struct Named<Structure> {
  static constexpr std::string_view name = "Structure";
  static constexpr std::array<std::string_view, 4> names{"schema", "json", "tool", "prose"};
};

struct NodeModel {
  std::string model{};                       // empty: the one for all
  std::string effort{};                      // "low", "medium", "high"; empty: as for all
  std::optional<std::int64_t> max_tokens{};  // of the answer
  std::optional<std::int64_t> first_byte_ms{};
  std::optional<std::int64_t> total_ms{};  // timeout_s in the table
  std::optional<ModelPrices> prices{};
};

struct ChatSettings {
  using Variables = std::map<std::string, std::string>;

  // R1. `table` is the configuration's [model], as JSON. Nothing when no model is named. Errors:
  // value, schema.
  static Result<std::optional<ChatSettings>> from(const Variables& variables,
                                                  const JsonObject& table = {});

  ChatWire wire = ChatWire::openai;
  std::string url{};  // of the endpoint itself: …/chat/completions or …/messages
  std::string model{};
  std::string key{};
  bool is_bearer = true;  // else x-api-key
  std::string anthropic_version = "2023-06-01";
  std::string ca_file{};
  std::string effort{};
  Structure structure = Structure::schema;  // what is tried first
  std::int64_t max_tokens = 8'192;
  std::int64_t retries = 3;
  std::int64_t most_at_once = 4;
  HttpTimeouts timeouts{};
  std::optional<ModelPrices> prices{};
  std::array<NodeModel, Named<Node>::names.size()> nodes{};

  const NodeModel& of(Node node) const { return nodes[static_cast<std::size_t>(node)]; }
  const std::string& model_of(Node node) const {
    return of(node).model.empty() ? model : of(node).model;
  }
  const std::string& effort_of(Node node) const {
    return of(node).effort.empty() ? effort : of(node).effort;
  }
  std::int64_t max_tokens_of(Node node) const { return of(node).max_tokens.value_or(max_tokens); }
  HttpTimeouts timeouts_of(Node node) const;
  // A node with a model of its own is not priced like the others.
  std::optional<ModelPrices> prices_of(Node node) const;
};

// Those of the process that settings are made from.
ChatSettings::Variables chat_variables();

struct ChatAddress {
  ChatWire wire = ChatWire::openai;
  std::string url{};
};
// R2. Error: value.
Result<ChatAddress> chat_address(std::string_view base, std::optional<ChatWire> wire = {});

// R3, R5: everything of the table but url, model, key and wire, which are read by from().
Result<void> read_chat_table(const JsonObject& table, ChatSettings& settings);

}  // namespace alfred
