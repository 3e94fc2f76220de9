#include "base/ids/id_kinds.h"

namespace alfred {

std::span<const IdKindRow> id_kinds() { return kIdKinds; }

const IdKindRow& id_kind_row(IdKind kind) { return kIdKinds[static_cast<std::size_t>(kind)]; }

std::optional<IdKind> find_id_kind(std::string_view name_or_prefix) {
  for (const IdKindRow& row : kIdKinds) {
    if (name_or_prefix == row.name || name_or_prefix == row.prefix) return row.kind;
    if (name_or_prefix.size() == 4 && name_or_prefix.starts_with(row.prefix) &&
        name_or_prefix.back() == '_')
      return row.kind;
  }
  return std::nullopt;
}

}  // namespace alfred
