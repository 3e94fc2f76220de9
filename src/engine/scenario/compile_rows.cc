#include "engine/scenario/compile_rows.h"

#include "records/compile/payload_compiler.h"

namespace alfred {

Result<JsonObject> compile_rows(const Schema& schema, const PackEntity& entity,
                                const std::vector<NamedContent>& artifacts) {
  std::vector<ArtifactContent> named;
  named.reserve(artifacts.size());
  for (const auto& [ref, content] : artifacts) named.push_back({ref, content});
  Result<CompiledPayload> payload = compile_payload(schema, entity.compile, entity.table, named);
  if (!payload) return Unexpected(payload.error());
  JsonArray rows;
  for (CompiledRecord& record : payload->records) {
    record.values["ref"] = record.ref;
    rows.push_back(std::move(record.values));
  }
  JsonArray discrepancies;
  for (const Discrepancy& one : payload->discrepancies)
    discrepancies.push_back(
        JsonObject{{"ref", one.ref}, {"path", one.path}, {"reason", one.reason}});
  return JsonObject{{"rows", std::move(rows)}, {"discrepancies", std::move(discrepancies)}};
}

}  // namespace alfred
