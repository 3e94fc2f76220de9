#include "pack/derive/derived_keys.h"

#include <tuple>

#include <gtest/gtest.h>

#include "pack/derive.h"

namespace alfred {
namespace {

CatalogueColumn column(std::string name, std::string type, const std::string& origin = "") {
  CatalogueColumn made;
  made.name = std::move(name);
  made.declared_type = std::move(type);
  const std::size_t dot = origin.find('.');
  if (dot != std::string::npos) {
    made.origin_table = origin.substr(0, dot);
    made.origin_column = origin.substr(dot + 1);
  }
  return made;
}

CatalogueTable table(std::string name, std::vector<CatalogueColumn> columns) {
  CatalogueTable made;
  made.name = std::move(name);
  made.columns = std::move(columns);
  made.primary_key = {"id"};
  return made;
}

CatalogueTable view(std::string name, std::string sql, std::vector<CatalogueColumn> columns) {
  CatalogueTable made = table(std::move(name), std::move(columns));
  made.primary_key.clear();
  made.is_view = true;
  made.view_sql = std::move(sql);
  return made;
}

Schema derived(std::vector<CatalogueTable> tables) {
  Result<Schema> made = derive_schema(Catalogue{std::move(tables)});
  EXPECT_TRUE(made) << made.error().message << " at " << made.error().path;
  return made ? std::move(*made) : Schema();
}

std::string use(const Schema& schema, std::string_view name, std::string_view field) {
  const Field& found = *schema.find(name)->find(field);
  return found.is_hidden ? "hidden" : found.link ? found.link->table : "plain";
}

const CatalogueTable kAuthors = table("authors", {column("id", "integer"), column("name", "text")});

TEST(DerivedKeys, R1_keys_that_no_ref_stands_for_are_hidden_with_what_leads_to_them) {
  CatalogueTable sales = table("sales", {column("id", "integer"), column("of", "numeric")});
  sales.links.push_back({{"of"}, "prices", {"id"}, OnDelete::refuse});
  for (const char* type : {"numeric(10,2)", "DECIMAL", "real", "boolean", "json"}) {
    const Schema schema =
        derived({table("prices", {column("id", type), column("amount", "real")}), sales});
    EXPECT_EQ(use(schema, "prices", "id"), "hidden") << type;
    EXPECT_EQ(use(schema, "prices", "amount"), "plain");
    EXPECT_EQ(use(schema, "sales", "of"), "hidden");
    EXPECT_TRUE(schema.find("prices")->is_read_only);
  }
}

TEST(DerivedKeys, R2_a_column_named_like_a_link_is_one) {
  const Schema schema = derived(
      {kAuthors, table("books", {column("id", "integer"), column("author_id", "integer"),
                                 column("authorId", "bigint"), column("author_ID", "text"),
                                 column("parent_id", "integer"), column("order_id", "integer"),
                                 column("madebyid", "integer"), column("_id", "integer")})});
  EXPECT_EQ(use(schema, "books", "author_id"), "authors");
  EXPECT_EQ(use(schema, "books", "authorId"), "authors");
  EXPECT_EQ(use(schema, "books", "author_ID"), "plain");  // another type
  EXPECT_EQ(use(schema, "books", "parent_id"), "books");
  for (const char* other : {"order_id", "madebyid", "_id"})
    EXPECT_EQ(use(schema, "books", other), "plain") << other;
  EXPECT_EQ(schema.find("authors")->relations.size(), 2U);
}

TEST(DerivedKeys, R2_two_tables_of_a_name_are_none) {
  CatalogueTable other = kAuthors;
  other.name = "shop.authors";
  const Schema schema = derived(
      {kAuthors, other, table("books", {column("id", "integer"), column("author_id", "integer")})});
  EXPECT_EQ(use(schema, "books", "author_id"), "plain");
}

TEST(DerivedKeys, R3_columns_of_views_are_what_they_come_from) {
  const Schema schema = derived(
      {view("a_view", "SELECT seen.book AS b, seen.n FROM seen",
            {column("b", "integer", "seen.book"), column("n", "bigint", "seen.n")}),
       kAuthors,
       table("books", {column("id", "integer"), column("author_id", "integer"),
                       column("api_key", "text"), column("title", "text")}),
       view("seen",
            "SELECT id AS book, author_id AS who, api_key AS k, title, count(*) AS n FROM books",
            {column("book", "integer", "books.id"), column("who", "integer", "books.author_id"),
             column("k", "text", "books.api_key"), column("title", "text", "books.title"),
             column("n", "")})});
  EXPECT_EQ(use(schema, "seen", "book"), "books");
  EXPECT_EQ(use(schema, "seen", "who"), "authors");
  EXPECT_EQ(use(schema, "seen", "k"), "hidden");
  EXPECT_EQ(use(schema, "seen", "title"), "plain");
  EXPECT_EQ(use(schema, "seen", "n"), "plain");
  EXPECT_EQ(use(schema, "a_view", "b"), "books");
  EXPECT_EQ(use(schema, "a_view", "n"), "plain");
  EXPECT_EQ(schema.find("books")->relations.size(), 0U);  // a view's rows are nobody's
}

TEST(DerivedKeys, R3_what_a_view_computes_of_keys_is_hidden) {
  const Schema schema = derived(
      {kAuthors,
       view("loud", "CREATE VIEW loud AS SELECT upper(id) AS u, name FROM authors",
            {column("u", ""), column("name", "text", "authors.name")}),
       view("mixed", "SELECT name FROM authors UNION SELECT id::text FROM authors",
            {column("name", "text", "authors.name")}),
       view("both", "SELECT id FROM authors UNION SELECT id FROM authors", {column("id", "")})});
  EXPECT_EQ(use(schema, "loud", "u"), "hidden");
  EXPECT_EQ(use(schema, "loud", "name"), "plain");
  EXPECT_EQ(use(schema, "mixed", "name"), "hidden");
  EXPECT_EQ(use(schema, "both", "id"), "authors");
}

TEST(DerivedKeys, R4_columns_of_a_foreign_key_of_several_are_links_where_those_they_lead_to_are) {
  CatalogueTable lines = table("lines", {column("oid", "integer"), column("sku", "text")});
  lines.primary_key = {"oid", "sku"};
  lines.links = {{{"oid"}, "orders", {"id"}, OnDelete::cascade},
                 {{"sku"}, "products", {"code"}, OnDelete::refuse}};
  CatalogueTable products = table("products", {column("code", "text")});
  products.primary_key = {"code"};
  CatalogueTable returns =
      table("returns", {column("id", "integer"), column("o", "integer"), column("p", "text")});
  returns.links = {{{"o", "p"}, "lines", {}, OnDelete::cascade}};
  CatalogueTable notes =
      table("notes", {column("id", "integer"), column("x", "integer"), column("y", "text")});
  notes.links = {{{"x", "y"}, "returns", {"o", "p"}, OnDelete::set_null}};
  // The tables stand so that each leads to one that comes later.
  const Schema schema =
      derived({notes, returns, lines, table("orders", {column("id", "integer")}), products});
  for (const auto& [name, order, product] :
       {std::tuple("returns", "o", "p"), {"notes", "x", "y"}}) {
    EXPECT_EQ(use(schema, name, order), "orders") << name;
    EXPECT_EQ(use(schema, name, product), "products") << name;
  }
  const auto on_delete = [&](const char* name, const char* field) {
    return schema.find(name)->find(field)->link->on_delete;
  };
  EXPECT_EQ(on_delete("returns", "o"), OnDelete::cascade);
  EXPECT_EQ(on_delete("returns", "p"), OnDelete::refuse);  // by way of a line that stays
  EXPECT_EQ(on_delete("notes", "x"), OnDelete::set_null);
}

TEST(DerivedKeys, R4_a_part_that_leads_to_a_whole_key_is_a_link) {
  CatalogueTable orders =
      table("orders", {column("id", "integer"), column("region", "text"), column("total", "real")});
  CatalogueTable bills =
      table("bills", {column("id", "integer"), column("region", "text"), column("of", "integer")});
  bills.links = {{{"region", "of"}, "orders", {"region", "id"}, OnDelete::refuse}};
  const Schema schema = derived({orders, bills});
  EXPECT_EQ(use(schema, "bills", "of"), "orders");
  EXPECT_EQ(use(schema, "bills", "region"), "plain");
}

std::vector<std::string> parts_of(const Schema& schema, std::string_view table) {
  std::vector<std::string> names;
  for (const Field& field : schema.find(table)->fields)
    if (field.is_key_part) names.push_back(field.name);
  return names;
}
using Names = std::vector<std::string>;

TEST(DerivedKeys, R6_parts_of_keys_are_known_wherever_foreign_keys_and_views_lead) {
  CatalogueTable shelves = table("shelves", {column("author_id", "integer"), column("hall", "text"),
                                             column("no", "integer"), column("name", "text")});
  shelves.primary_key = {"author_id", "hall", "no"};
  CatalogueTable boxes =
      table("boxes", {column("id", "integer"), column("a", "integer"), column("hall_name", "text"),
                      column("n", "integer"), column("what", "text")});
  boxes.links = {{{"a", "hall_name", "n"}, "shelves", {}, OnDelete::refuse}};
  CatalogueTable lids = table("lids", {column("id", "integer"), column("hall", "text")});
  lids.links = {{{"hall"}, "boxes", {"hall_name"}, OnDelete::refuse}};
  // No ref can stand for a key with a fraction in it; its parts are parts all the same.
  CatalogueTable odd = table("odd", {column("code", "text"), column("at", "real")});
  odd.primary_key = {"code", "at"};
  const Schema schema = derived(
      {lids, boxes, shelves, odd, kAuthors,
       view("seen",
            "SELECT hall_name AS h, what, upper(hall_name) AS loud, what || n AS joint FROM boxes",
            {column("h", "text", "boxes.hall_name"), column("what", "text", "boxes.what"),
             column("loud", ""), column("joint", "")}),
       view("all_of_them", "SELECT name FROM authors UNION SELECT hall FROM lids",
            {column("name", "text", "authors.name")}),
       view("others", "SELECT upper(name) AS n FROM authors", {column("n", "")})});
  EXPECT_EQ(parts_of(schema, "shelves"), (Names{"hall", "no"}));  // author_id is a link
  EXPECT_EQ(parts_of(schema, "boxes"), (Names{"hall_name", "n"}));
  EXPECT_EQ(parts_of(schema, "lids"), (Names{"hall"}));
  EXPECT_EQ(parts_of(schema, "odd"), (Names{"code", "at"}));
  EXPECT_EQ(parts_of(schema, "authors"), Names());
  EXPECT_EQ(parts_of(schema, "seen"), (Names{"h", "loud", "joint"}));
  EXPECT_EQ(parts_of(schema, "all_of_them"), (Names{"name"}));
  EXPECT_EQ(parts_of(schema, "others"), Names());
  EXPECT_EQ(schema.find("boxes")->label, "");  // hall_name is what a key is made of
}

TEST(DerivedKeys, R6_a_part_of_a_key_is_no_label) {
  CatalogueTable boxes = table("boxes", {column("id", "integer"), column("hall_name", "text")});
  std::vector<Table> tables = derive_tables(Catalogue{{boxes}}, {});
  tables[0].fields[1].is_key_part = true;
  tables[0].label = "hall_name";
  const Result<Schema> made = Schema::make(std::move(tables));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().path, "boxes.hall_name");
  EXPECT_NE(made.error().message.find("parts of keys"), std::string::npos);
}

}  // namespace
}  // namespace alfred
