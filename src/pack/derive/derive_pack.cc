#include <algorithm>

#include "pack/derive.h"

namespace alfred {
namespace {

// Rows of it belong to a row of another table that they cannot be without.
bool is_part(const Schema& schema, const Table& table) {
  for (const Table& parent : schema.tables())
    for (const Relation& relation : parent.relations) {
      if (&parent == &table || relation.table != table.name) continue;
      const Field* link = table.find(relation.column);
      if (link != nullptr && link->link && link->link->on_delete == OnDelete::cascade) return true;
    }
  return false;
}

}  // namespace

Pack derive_pack(const Schema& schema) {
  Pack pack;
  pack.name = "derived";
  for (const Table& table : schema.tables()) {
    if (is_part(schema, table)) continue;
    Subdomain subdomain;
    subdomain.name = table.name;
    subdomain.tables = {table.name};
    for (const Relation& relation : table.relations)
      if (relation.table != table.name) subdomain.tables.push_back(relation.table);
    for (const Field& field : table.fields)
      if (field.link && field.link->table != table.name &&
          std::find(subdomain.tables.begin(), subdomain.tables.end(), field.link->table) ==
              subdomain.tables.end())
        subdomain.tables.push_back(field.link->table);
    pack.subdomains.push_back(std::move(subdomain));
  }
  return pack;
}

}  // namespace alfred
