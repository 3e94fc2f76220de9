// The configuration's [model] table, member by member.
#include <algorithm>

#include "interpreter/chat_http/chat_settings.h"

namespace alfred {
namespace {

constexpr double kMostSeconds = 24.0 * 60 * 60;
constexpr std::int64_t kMostTokens = 1'000'000;

// Reads one table; the first thing that is wrong stays.
class SettingsTable {
 public:
  SettingsTable(const JsonObject& object, std::string path)
      : object_(object), path_(std::move(path)) {}

  void text(std::string_view name, std::string& out) {
    if (const Json* value = take(name)) {
      if (value->is_string())
        out = value->get_string();
      else
        wrong(name, "A text is wanted here.");
    }
  }
  template <class Number>
  void number(std::string_view name, Number& out, std::int64_t least, std::int64_t most) {
    const Json* value = take(name);
    if (value == nullptr) return;
    if (value->is_int64() && value->get_int64() >= least && value->get_int64() <= most)
      out = value->get_int64();
    else
      wrong(name, "A whole number from " + std::to_string(least) + " to " + std::to_string(most) +
                      " is wanted here.");
  }
  template <class Ms>
  void seconds(std::string_view name, Ms& out) {
    const Json* value = take(name);
    if (value == nullptr) return;
    const double said = real(*value);
    if (said > 0 && said <= kMostSeconds)
      out = std::max<std::int64_t>(1, static_cast<std::int64_t>(said * 1'000));
    else
      wrong(name, "Seconds are wanted here, of one day at most.");
  }
  void price(std::string_view name, std::optional<double>& out) {
    const Json* value = take(name);
    if (value == nullptr) return;
    const double price = real(*value);
    if (price >= 0 && price <= static_cast<double>(kMostTokens))
      out = price;
    else
      wrong(name, "A price of a million tokens is wanted here: a number that is not negative.");
  }
  template <class E>
  void choice(std::string_view name, E& out) {
    std::string said;
    text(name, said);
    if (said.empty()) return;
    for (std::size_t i = 0; i < Named<E>::names.size(); ++i)
      if (Named<E>::names[i] == said) {
        out = static_cast<E>(i);
        return;
      }
    wrong(name, "There is no such choice.", {Named<E>::names.begin(), Named<E>::names.end()});
  }
  const JsonObject* table(std::string_view name) {
    const Json* value = take(name);
    if (value != nullptr && !value->is_object()) wrong(name, "A table is wanted here.");
    return value == nullptr ? nullptr : value->if_object();
  }
  void ignore(std::string_view name) { take(name); }
  std::string path(std::string_view name) const { return path_ + "." + std::string(name); }
  void fails(const Error& error) {
    if (!error_) error_ = error;
  }

  Result<void> end() {
    constexpr std::size_t kMostNamed = 10;
    std::vector<std::string> some(
        known_.begin(),
        known_.begin() + static_cast<std::ptrdiff_t>(std::min(known_.size(), kMostNamed)));
    for (const auto& member : object_) {
      const std::string_view name = member.key();
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        wrong(name, "There is no such setting; docs/models.md has them all.", some);
    }
    if (error_) return Unexpected(*error_);
    return {};
  }

 private:
  static double real(const Json& value) {
    if (value.is_double()) return value.get_double();
    return value.is_int64() ? static_cast<double>(value.get_int64()) : -1;
  }
  const Json* take(std::string_view name) {
    known_.emplace_back(name);
    return object_.if_contains(name);
  }
  void wrong(std::string_view name, std::string message, std::vector<std::string> allowed = {}) {
    fails({ErrorCode::schema, std::move(message), path(name), std::move(allowed), ""});
  }

  const JsonObject& object_;
  std::string path_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

void read_prices(SettingsTable& table, std::optional<ModelPrices>& out) {
  const JsonObject* object = table.table("price");
  if (object == nullptr) return;
  SettingsTable prices(*object, table.path("price"));
  std::optional<double> input;
  std::optional<double> cached;
  std::optional<double> output;
  prices.price("input", input);
  prices.price("cached", cached);
  prices.price("output", output);
  if (Result<void> done = prices.end(); !done) return table.fails(done.error());
  if (!input || !output)
    return table.fails({ErrorCode::schema,
                        "A price needs input and output.",
                        table.path("price"),
                        {"input", "cached", "output"},
                        ""});
  out = ModelPrices{*input, cached, *output};
}

void read_node(SettingsTable& model, Node node, NodeModel& out) {
  const JsonObject* object = model.table(name_of(node));
  if (object == nullptr) return;
  SettingsTable table(*object, model.path(name_of(node)));
  table.text("model", out.model);
  table.text("effort", out.effort);
  table.number("max_tokens", out.max_tokens, 1, kMostTokens);
  table.seconds("first_byte_timeout_s", out.first_byte_ms);
  table.seconds("timeout_s", out.total_ms);
  read_prices(table, out.prices);
  if (Result<void> done = table.end(); !done) model.fails(done.error());
}

}  // namespace

Result<void> read_chat_table(const JsonObject& object, ChatSettings& settings) {
  SettingsTable table(object, "model");
  for (const std::string_view elsewhere : {"url", "model", "key", "wire"}) table.ignore(elsewhere);
  table.text("anthropic_version", settings.anthropic_version);
  table.text("ca_file", settings.ca_file);
  table.text("effort", settings.effort);
  table.choice("structure", settings.structure);
  table.number("max_tokens", settings.max_tokens, 1, kMostTokens);
  table.number("retries", settings.retries, 0, 10);
  table.number("most_at_once", settings.most_at_once, 1, 32);
  table.seconds("connect_timeout_s", settings.timeouts.connect_ms);
  table.seconds("first_byte_timeout_s", settings.timeouts.first_byte_ms);
  table.seconds("idle_timeout_s", settings.timeouts.idle_ms);
  table.seconds("timeout_s", settings.timeouts.total_ms);
  read_prices(table, settings.prices);
  for (std::size_t i = 0; i < settings.nodes.size(); ++i)
    read_node(table, static_cast<Node>(i), settings.nodes[i]);
  return table.end();
}

}  // namespace alfred
