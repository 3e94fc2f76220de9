// What an answer of a model cost: tokens, and money where prices are known.
//
// R1 input counts everything the model read, also what the provider had in its cache.
// R2 what an endpoint does not tell, or tells nonsense of, is estimated from the bytes, and marked (D11).
// R3 a cost is there only where prices are; a sum says how many answers it knows no price of.
#pragma once

#include <cstdint>
#include <optional>

namespace alfred {

// For a million tokens each, in whatever currency the settings mean.
struct ModelPrices {
  double input = 0;
  std::optional<double> cached{};  // none: as input
  double output = 0;
  friend bool operator==(const ModelPrices&, const ModelPrices&) = default;
};

struct ModelUsage {
  std::int64_t answers = 0;
  std::int64_t input_tokens = 0;   // R1
  std::int64_t cached_tokens = 0;  // of these
  std::int64_t output_tokens = 0;
  std::int64_t retries = 0;
  std::int64_t estimated = 0;  // answers that R2 holds for
  std::int64_t unpriced = 0;   // answers without a price
  double cost = 0;
  friend bool operator==(const ModelUsage&, const ModelUsage&) = default;

  void price(const std::optional<ModelPrices>& prices) {
    constexpr double kMillion = 1e6;
    unpriced = prices ? 0 : answers;
    if (!prices) return;
    const auto fresh = static_cast<double>(input_tokens - cached_tokens);
    cost = (fresh * prices->input +
            static_cast<double>(cached_tokens) * prices->cached.value_or(prices->input) +
            static_cast<double>(output_tokens) * prices->output) /
           kMillion;
  }

  ModelUsage& operator+=(const ModelUsage& more) {
    answers += more.answers;
    input_tokens += more.input_tokens;
    cached_tokens += more.cached_tokens;
    output_tokens += more.output_tokens;
    retries += more.retries;
    estimated += more.estimated;
    unpriced += more.unpriced;
    cost += more.cost;
    return *this;
  }
};

}  // namespace alfred
