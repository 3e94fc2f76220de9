#include "records/write/row_answer.h"

#include <map>
#include <set>

#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

// Where a row lies below the one at `at`: "tracks", "tracks.takes"; empty when it does not.
std::string place_below(std::span<const WrittenRow> rows, std::size_t at, std::size_t row) {
  std::string place;
  for (; row != at; row = rows[row].parent) {
    if (rows[row].parent == kNoParent) return "";
    if (!place.empty()) place.insert(0, ".");
    place.insert(0, rows[row].relation->member);
  }
  return place;
}

// The rows nested in the one at `at`, however deep (I-10): their refs by member, or in a dry run
// how many.
JsonObject nested_rows(const RecordContext& context, std::span<const WrittenRow> rows,
                       std::size_t at, bool is_dry_run) {
  JsonObject nested;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string place = place_below(rows, at, i);
    if (place.empty()) continue;
    Json& member = nested[place];
    if (is_dry_run) {
      member = member.is_null() ? 1 : member.as_int64() + 1;
      continue;
    }
    if (member.is_null()) member = JsonArray();
    member.as_array().emplace_back(ref_text(context, rows[i].entity));
  }
  return nested;
}

}  // namespace

std::string ref_text(const RecordContext& context, EntityNo entity) {
  return std::string(context.registry.ref(entity).text());
}

JsonObject named_row(const RecordContext& context, EntityNo entity) {
  KeyPieces pieces(context.registry.keys());
  JsonObject out{{"ref", ref_text(context, entity)}};
  const std::string label = shown_label(context.registry, entity, pieces);
  if (!label.empty()) out["label"] = label;
  return out;
}

JsonObject created_answer(const RecordContext& context, std::span<const WrittenRow> rows,
                          bool is_dry_run) {
  JsonArray created;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const WrittenRow& row = rows[at];
    if (row.parent != kNoParent) continue;
    JsonObject one = named_row(context, row.entity);
    // What a dry run registered is forgotten: neither the ref nor a lit_ name would last.
    if (is_dry_run) one.stable_erase("ref");
    const Json* const label = one.if_contains("label");
    if (is_dry_run && label != nullptr && label->as_string().find("lit_") != JsonString::npos)
      one.stable_erase("label");
    if (!row.saved_from.empty()) one["item"] = row.saved_from;
    JsonObject nested = nested_rows(context, rows, at, is_dry_run);
    if (!nested.empty()) one["nested"] = std::move(nested);
    created.push_back(std::move(one));
  }
  const std::size_t count = created.size();
  return {{"created", std::move(created)}, {"count", count}};
}

JsonObject side_answer(const RecordContext& context, std::span<const WrittenRow* const> rows) {
  struct Side {
    std::size_t count = 0;
    std::set<EntityNo> shown{};
  };
  std::map<std::string, Side> by_table;
  for (const WrittenRow* const row : rows) {
    Side& side = by_table[row->effect.table->name];
    ++side.count;
    if (row->entity != kNoEntity) side.shown.insert(row->entity);
  }
  JsonObject out;
  for (const auto& [table, side] : by_table) {
    JsonObject one{{"count", side.count}};
    // In the order they were first shown: that of their keys is nobody's business.
    JsonArray refs;
    for (const EntityNo entity : side.shown) refs.emplace_back(ref_text(context, entity));
    if (!refs.empty()) one["refs"] = std::move(refs);
    out[table] = std::move(one);
  }
  return out;
}

}  // namespace alfred
