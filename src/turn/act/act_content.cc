// Content to save, as it will be written (act_data.h, R4).
#include "context/shown_text.h"
#include "turn/act/act_data.h"

namespace alfred {

std::string ActData::content_to_save() const {
  std::string out;
  for (const StoredArtifact* artifact : scene_.artifacts())
    if (!artifact->saved_as) out += (out.empty() ? "" : "\n") + artifact_lines(*artifact);
  return out;
}

// R4: as it will be written, and what of it has no place.
std::string ActData::artifact_lines(const StoredArtifact& artifact) const {
  std::string out = "### `" + artifact.ref + "`: " + shown_line(artifact.label) + "\n";
  const Result<CompiledArtifact> compiled = scene_.world().compile(artifact);
  if (!compiled)
    return out + fenced(write_json(artifact.content), "json") +
           "- cannot be saved as it is: " + shown_line(compiled.error().message) + "\n";
  out += "Save it with `{\"table\": \"" + compiled->table + "\", \"refs\": [\"" + artifact.ref +
         "\"]}`.\n" + fenced(write_json(compiled->row), "json");
  for (const std::string& one : compiled->discrepancies)
    out += "- left out: " + shown_line(one) + "\n";
  return out;
}

}  // namespace alfred
