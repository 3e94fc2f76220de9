// Translator: the translation layer for who embeds Alfred. Rows of a database go to a model in
// refs, a model's parameters come back in keys; the mapping lives in one registry, which is state
// of yours.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "alfred/api.h"
#include "alfred/error.h"

namespace alfred {

class ALFRED_API Translator {
 public:
  // types_toml declares tables ([[entity]], see docs/refs.md); empty: names alone decide.
  // saved is what save() gave; empty: a new registry.
  static Result<Translator> open(std::string_view types_toml = {}, std::string_view saved = {});

  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;
  ~Translator();

  // JSON rows of a table (an array, an object, or newline-delimited) with every key replaced.
  Result<std::string> rows_to_refs(std::string_view table, std::string_view rows_json);
  // The filters and data of a call, in refs, with every ref replaced by its key.
  Result<std::string> params_to_keys(std::string_view table, std::string_view params_json) const;

  void begin_turn(std::uint32_t turn);
  // The live entities as a table of refs and labels, without keys: what a prompt may hold.
  std::string format_for_prompt() const;
  // The registry as canonical JSON. It holds keys: keep it where you keep your state.
  std::string save() const;

 private:
  struct Parts;
  explicit Translator(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace alfred
