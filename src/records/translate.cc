#include "alfred/translate.h"

#include "records/to_keys/params_to_keys.h"
#include "records/to_refs/rows_to_refs.h"
#include "refs/hiding/model_text.h"
#include "refs/registry/registry_json.h"

namespace alfred {

struct Translator::Parts {
  EntityTypes types;
  RefRegistry registry;
};

Translator::Translator(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;
Translator::~Translator() = default;

Result<Translator> Translator::open(std::string_view types_toml, std::string_view saved) {
  auto parts = std::make_unique<Parts>();
  if (!types_toml.empty()) {
    Result<EntityTypes> types = read_entity_types(types_toml, "types");
    if (!types) return Unexpected(types.error());
    parts->types = std::move(*types);
  }
  if (!saved.empty()) {
    Result<RefRegistry> registry = RegistryJson::read(saved);
    if (!registry) return Unexpected(registry.error());
    parts->registry = std::move(*registry);
  }
  return Translator(std::move(parts));
}

Result<std::string> Translator::rows_to_refs(std::string_view table, std::string_view rows_json) {
  ByteBuffer out;
  const Result<void> done =
      translate_read_output(parts_->registry, parts_->types, table, rows_json, out);
  if (!done) return Unexpected(done.error());
  return std::string(out.view());
}

Result<std::string> Translator::params_to_keys(std::string_view table,
                                               std::string_view params_json) const {
  ByteBuffer out;
  const Result<ParamsReport> done =
      translate_params(parts_->registry, parts_->types, table, params_json, out);
  if (!done) return Unexpected(done.error());
  return std::string(out.view());
}

void Translator::begin_turn(std::uint32_t turn) { parts_->registry.begin_turn(turn); }

std::string Translator::format_for_prompt() const {
  return std::string(alfred::format_for_prompt(parts_->registry).view());
}

std::string Translator::save() const { return RegistryJson::write(parts_->registry); }

}  // namespace alfred
