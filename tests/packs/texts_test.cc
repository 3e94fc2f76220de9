// The texts of the packs that ship: who is who, and examples that name what there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/json/json.h"
#include "catalogue_for_tests.h"
#include "pack/overlay.h"
#include "pack/pack.h"

namespace alfred {
namespace {

struct Loaded {
  Pack pack;
  Schema schema;
};

const Loaded& loaded(const std::string& name) {
  static std::map<std::string, Loaded> all;
  if (const auto known = all.find(name); known != all.end()) return known->second;
  Pack pack = load_pack(std::string(ALFRED_SOURCE_DIR) + "/packs/" + name).value();
  Schema schema = overlay(pack, catalogue_of(pack.schema_sql)).value();
  return all[name] = {std::move(pack), std::move(schema)};
}

// What stands between ```json and ```, with what is wrong with it.
class ExampleCheck {
 public:
  ExampleCheck(const Loaded& world, std::string where) : world_(world), where_(std::move(where)) {}

  void check(std::string_view text) {
    const Result<Json> json = parse_json(text, JsonLimits::none());
    ASSERT_TRUE(json.has_value()) << where_ << ": " << json.error().message << "\n" << text;
    const JsonObject& action = json->as_object();
    const std::string_view kind = action.at("action").as_string();
    if (kind == "tool_call") return tool_call(action);
    ASSERT_EQ(kind, "step_complete") << where_;
    EXPECT_TRUE(action.contains("result_summary")) << where_;
    EXPECT_TRUE(action.contains("data") || action.contains("artifacts")) << where_;
    const Json* artifacts = action.if_contains("artifacts");
    if (artifacts == nullptr) return;
    for (const Json& artifact : artifacts->as_array()) check_artifact(artifact.as_object());
  }

 private:
  void tool_call(const JsonObject& action) {
    static const std::set<std::string, std::less<>> kTools{"db_read", "db_create", "db_update",
                                                           "db_delete"};
    const std::string tool(action.at("tool").as_string());
    EXPECT_TRUE(kTools.contains(tool)) << where_ << ": " << tool;
    const JsonObject& params = action.at("params").as_object();
    const Table* table = world_.schema.find(params.at("table").as_string());
    ASSERT_NE(table, nullptr) << where_ << ": " << params.at("table");
    for (const auto& [name, value] : params) check_param(*table, tool, name, value);
    if (tool == "db_update" || tool == "db_delete") {
      EXPECT_TRUE(params.contains("filters")) << where_;
      EXPECT_EQ(params.at("filters").as_array().at(0).at("field"), Json("id")) << where_;
    }
  }

  void check_param(const Table& table, const std::string& tool, std::string_view name,
                   const Json& value) {
    if (name == "table" || name == "count" || name == "limit") return;
    if (name == "filters" || name == "or_filters") {
      for (const Json& filter : value.as_array()) check_filter(table, filter.as_object());
    } else if (name == "columns") {
      for (const Json& one : value.as_array()) has_column(table, one.as_string());
    } else if (name == "order") {
      for (const Json& one : value.as_array()) has_column(table, one.at("field").as_string());
    } else if (name == "include") {
      for (const Json& one : value.as_array())
        EXPECT_NE(relation(table, one.as_string()), nullptr) << where_ << ": " << one;
    } else if (name == "data") {
      EXPECT_TRUE(tool == "db_create" || tool == "db_update") << where_;
      if (value.is_object()) return check_row(table, value.as_object());
      for (const Json& row : value.as_array()) check_row(table, row.as_object());
    } else if (name == "refs") {
      EXPECT_EQ(tool, "db_create") << where_;
      for (const Json& ref : value.as_array())
        EXPECT_TRUE(ref.as_string().starts_with("gen_" + table.ref + "_")) << where_ << ": " << ref;
    } else {
      ADD_FAILURE() << where_ << ": no parameter " << name;
    }
  }

  void check_filter(const Table& table, const JsonObject& filter) {
    static const std::set<std::string, std::less<>> kOps{
        "=",        "!=",           ">",       ">=",     "<",       "<=",
        "in",       "not_in",       "like",    "ilike",  "is_null", "is_not_null",
        "contains", "contains_any", "between", "similar"};
    has_column(table, filter.at("field").as_string());
    EXPECT_TRUE(kOps.contains(std::string(filter.at("op").as_string()))) << where_;
    if (const Json* value = filter.if_contains("value"))
      if (const Field* field = table.find(filter.at("field").as_string()))
        if (filter.at("op") != Json("similar")) has_value(table, *field, *value);
  }

  // Rows are written by column; generated content also by what compile rules know.
  void check_row(const Table& table, const JsonObject& row) {
    for (const auto& [name, value] : row) {
      if (name == "ref") continue;
      if (const Relation* nested = relation(table, name)) {
        for (const Json& child : value.as_array())
          check_row(*world_.schema.find(nested->table), child.as_object());
        continue;
      }
      has_column(table, name);
      if (const Field* field = table.find(name)) has_value(table, *field, value);
    }
  }

  void check_artifact(const JsonObject& artifact) {
    const std::string type(artifact.at("type").as_string());
    const Table* table = world_.schema.find_ref(type);
    ASSERT_NE(table, nullptr) << where_ << ": " << type;
    EXPECT_FALSE(artifact.at("label").as_string().empty()) << where_;
    if (const Json* ref = artifact.if_contains("ref")) {
      EXPECT_TRUE(ref->as_string().starts_with("gen_" + type + "_")) << where_;
    }
    check_row(*table, artifact.at("content").as_object());
    const JsonObject& content = artifact.at("content").as_object();
    for (const Field& field : table->fields)
      if (!field.is_nullable && !field.has_default && !field.default_value && !field.is_hidden &&
          !field.is_read_only) {
        EXPECT_TRUE(content.contains(field.name)) << where_ << " needs " << field.name;
      }
  }

  void has_column(const Table& table, std::string_view name) {
    const Field* field = table.find(name);
    EXPECT_TRUE(field != nullptr && !field->is_hidden)
        << where_ << ": " << table.name << " has no column " << name;
  }

  // Of an enum one of its values, of a link a ref of its table.
  void has_value(const Table& table, const Field& field, const Json& value) {
    if (value.is_array()) {
      for (const Json& one : value.as_array()) has_value(table, field, one);
      return;
    }
    if (!value.is_string()) return;
    const std::string text(value.as_string());
    if (!field.enum_values.empty())
      EXPECT_NE(std::find(field.enum_values.begin(), field.enum_values.end(), text),
                field.enum_values.end())
          << where_ << ": " << field.name << " cannot be " << text;
    const Table* target = field.link                 ? world_.schema.find(field.link->table)
                          : table.is_key(field.name) ? &table
                                                     : nullptr;
    if (target != nullptr)
      EXPECT_TRUE(text.starts_with(target->ref + "_") || text.starts_with("gen_" + target->ref))
          << where_ << ": " << field.name << " is no ref of " << target->name << ": " << text;
  }

  static const Relation* relation(const Table& table, std::string_view member) {
    for (const Relation& one : table.relations)
      if (one.member == member) return &one;
    return nullptr;
  }

  const Loaded& world_;
  std::string where_;
};

std::size_t check_examples(const Loaded& world, const PackFile& file) {
  constexpr std::string_view kOpen = "```json\n";
  std::size_t count = 0;
  std::string_view rest(file.text);
  for (std::size_t at = rest.find(kOpen); at != std::string_view::npos; at = rest.find(kOpen)) {
    rest.remove_prefix(at + kOpen.size());
    const std::size_t end = rest.find("```");
    EXPECT_NE(end, std::string_view::npos) << file.name;
    ExampleCheck(world, file.name).check(rest.substr(0, end));
    rest.remove_prefix(std::min(end, rest.size()));
    ++count;
  }
  return count;
}

TEST(PackTexts, every_subdomain_has_a_header_and_who_reads_and_writes) {
  for (const char* name : {"kitchen", "bookshelf"}) {
    const Pack& pack = loaded(name).pack;
    EXPECT_TRUE(pack.texts.contains("about")) << name;
    for (const Subdomain& subdomain : pack.subdomains) {
      EXPECT_TRUE(pack.texts.contains("subdomains/" + subdomain.name)) << subdomain.name;
      for (const char* step : {".read", ".write"})
        for (const char* kind : {"personas/", "examples/"})
          EXPECT_TRUE(pack.texts.contains(kind + subdomain.name + step))
              << name << " has no " << kind << subdomain.name << step;
    }
  }
}

TEST(PackTexts, who_makes_or_weighs_things_has_an_example_too) {
  for (const auto& [name, file] : loaded("kitchen").pack.texts)
    if (name.starts_with("personas/"))
      EXPECT_TRUE(loaded("kitchen").pack.texts.contains("examples/" + name.substr(9))) << name;
  for (const char* name : {"recipes.generate", "recipes.analyze", "meal_plans.generate",
                           "meal_plans.analyze", "shopping.analyze", "inventory.analyze"})
    EXPECT_TRUE(loaded("kitchen").pack.texts.contains(std::string("personas/") + name)) << name;
}

TEST(PackTexts, every_example_parses_and_names_what_there_is) {
  for (const char* name : {"kitchen", "bookshelf"})
    for (const auto& [text, file] : loaded(name).pack.texts) {
      const std::size_t count = check_examples(loaded(name), file);
      if (text.starts_with("examples/")) EXPECT_GT(count, 0U) << file.name;
    }
}

TEST(PackTexts, a_header_names_the_tables_of_its_subdomain) {
  for (const char* name : {"kitchen", "bookshelf"})
    for (const Subdomain& subdomain : loaded(name).pack.subdomains) {
      const std::string& text = loaded(name).pack.texts.at("subdomains/" + subdomain.name).text;
      for (const std::string& table : subdomain.tables)
        EXPECT_NE(text.find("`" + table + "`"), std::string::npos)
            << subdomain.name << " " << table;
    }
}

}  // namespace
}  // namespace alfred
