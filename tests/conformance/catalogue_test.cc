// The same schema.sql says the same of itself on both databases.
#include "store_under_test.h"

namespace alfred {
namespace {

// What SQLite keeps as written, PostgreSQL as its own types: 64 bits and doubles both.
std::string portable_type(const std::string& type) {
  if (type == "bigint") return "integer";
  return type == "double precision" ? "real" : type;
}

Catalogue catalogue_of(StoreKind kind) {
  const PlaceForTests place(kind);
  Catalogue catalogue = open_library(place.url())->catalogue().value();
  for (CatalogueTable& table : catalogue.tables) {
    for (CatalogueColumn& column : table.columns)
      column.declared_type = portable_type(column.declared_type);
    std::sort(table.uniques.begin(), table.uniques.end());
    std::sort(table.links.begin(), table.links.end(),
              [](const CatalogueLink& a, const CatalogueLink& b) { return a.columns < b.columns; });
  }
  return catalogue;
}

std::string text_of(const CatalogueTable& table) {
  std::string out = table.name + (table.is_view ? " view" : "");
  for (const CatalogueColumn& one : table.columns)
    out += fmt::format("\n  {} {}{}{}{} [{}]", one.name, one.declared_type,
                       one.is_nullable ? "" : " not null", one.has_default ? " default" : "",
                       one.is_computed ? " computed" : "", fmt::join(one.enum_values, "|"));
  out += fmt::format("\n  key {}", fmt::join(table.primary_key, ","));
  for (const auto& unique : table.uniques)
    out += fmt::format("\n  unique {}", fmt::join(unique, ","));
  for (const CatalogueLink& link : table.links)
    out += fmt::format("\n  link {} -> {} {} {}", fmt::join(link.columns, ","), link.table,
                       fmt::join(link.target_columns, ","), static_cast<int>(link.on_delete));
  return out;
}

TEST(CatalogueOfBoth, the_same_schema_is_the_same_catalogue) {
  const Catalogue sqlite = catalogue_of(StoreKind::sqlite);
  const Catalogue postgres = catalogue_of(StoreKind::postgres);
  ASSERT_EQ(sqlite.tables.size(), 3U);
  ASSERT_EQ(postgres.tables.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(text_of(sqlite.tables[i]), text_of(postgres.tables[i]));
}

}  // namespace
}  // namespace alfred
