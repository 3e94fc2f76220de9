// Artifact → compiled payload: rich generated content becomes rows that fit the tables, by the
// pack's rules and nothing else (001 §5.4).
//
// R1 pure: the same artifact and rules give the same bytes.
// R2 nothing vanishes (I-16): every field of the artifact ends in a column, in a linked row or in
//    discrepancies, which say what was dropped or simplified, and why.
// R3 the parent's ref travels with the record; linked rows name it in their link column.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "pack/compile_rules.h"
#include "pack/schema.h"

namespace alfred {

struct CompiledRecord {
  std::string ref;    // the artifact's
  JsonObject values;  // a row for db_create, nested rows under their members
};
struct Discrepancy {
  std::string ref;
  std::string path;    // in the artifact: "chapters[2].mood"
  std::string reason;  // "no column takes it"
  friend bool operator==(const Discrepancy&, const Discrepancy&) = default;
};
struct CompiledPayload {
  std::string target_table;
  std::vector<CompiledRecord> records;
  std::vector<Discrepancy> discrepancies;
};

struct ArtifactContent {
  std::string ref;
  const JsonObject* content = nullptr;
};

Result<CompiledPayload> compile_payload(const Schema& schema, const CompileRules& rules,
                                        std::string_view table,
                                        std::span<const ArtifactContent> artifacts);

}  // namespace alfred
