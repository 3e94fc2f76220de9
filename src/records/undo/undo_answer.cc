#include "records/undo/undo_answer.h"

#include <algorithm>
#include <set>
#include <vector>

#include "records/write/row_answer.h"

namespace alfred {
namespace {

using Kind = RowEffect::Kind;

class UndoneRows {
 public:
  UndoneRows(const RecordContext& context, std::span<const WrittenRow> rows)
      : context_(context), rows_(rows) {}

  JsonObject answer() {
    JsonArray created = named(Kind::created, also_created_);
    JsonArray deleted = named(Kind::deleted, also_deleted_);
    JsonArray updated = changed();
    JsonObject out;
    if (!created.empty()) out["created"] = std::move(created);
    if (!updated.empty()) out["updated"] = std::move(updated);
    if (!deleted.empty()) out["deleted"] = std::move(deleted);
    out["count"] = count_;
    if (!also_created_.empty()) out["also_created"] = side_answer(context_, also_created_);
    if (!also_deleted_.empty()) out["also_deleted"] = side_answer(context_, also_deleted_);
    if (!also_updated_.empty()) out["also_updated"] = side_answer(context_, also_updated_);
    return out;
  }

 private:
  // Whether rows of this kind are there whose parts the table holds.
  bool is_part(Kind kind, const Table& table) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const WrittenRow& one) {
      if (one.effect.kind != kind || one.effect.table == &table) return false;
      const auto& relations = one.effect.table->relations;
      return std::any_of(relations.begin(), relations.end(),
                         [&](const Relation& relation) { return relation.table == table.name; });
    });
  }

  JsonArray named(Kind kind, std::vector<const WrittenRow*>& also) {
    JsonArray out;
    for (const WrittenRow& row : rows_) {
      if (row.effect.kind != kind) continue;
      // What nobody was shown cannot be named.
      if (row.entity == kNoEntity || is_part(kind, *row.effect.table))
        also.push_back(&row);
      else if (told_.insert(row.entity).second)
        out.push_back(named_row(context_, row.entity));
    }
    count_ += out.size();
    return out;
  }

  JsonArray changed() {
    JsonArray out;
    for (const WrittenRow& row : rows_) {
      if (row.effect.kind != Kind::updated) continue;
      if (row.entity == kNoEntity)
        also_updated_.push_back(&row);
      else if (told_.insert(row.entity).second)
        out.emplace_back(ref_text(context_, row.entity));
    }
    count_ += out.size();
    return out;
  }

  const RecordContext& context_;
  std::span<const WrittenRow> rows_;
  std::set<EntityNo> told_;
  std::vector<const WrittenRow*> also_created_;
  std::vector<const WrittenRow*> also_deleted_;
  std::vector<const WrittenRow*> also_updated_;
  std::size_t count_ = 0;
};

}  // namespace

JsonObject undone_answer(const RecordContext& context, std::span<const WrittenRow> rows) {
  return UndoneRows(context, rows).answer();
}

}  // namespace alfred
