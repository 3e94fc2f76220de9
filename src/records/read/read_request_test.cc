// What a read refuses, and what it repairs.
#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

std::string books(std::string_view rest) { return fmt::format(R"({{"table":"books",{}}})", rest); }
std::string filtered(std::string_view filter) {
  return fmt::format(R"({{"table":"books","filters":[{}]}})", filter);
}
bool has(const std::vector<std::string>& list, std::string_view wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

TEST(ReadRequest, R1_unknown_parameters_are_refused_with_the_known_ones) {
  ReadLibrary library;
  const Error error = library.error(books(R"("user_id":"bob")"));
  EXPECT_EQ(error.code, ErrorCode::schema);
  EXPECT_TRUE(has(error.allowed, "filters"));
  EXPECT_EQ(library.error("[]").code, ErrorCode::schema);
  EXPECT_EQ(library.error("{}").path, "table");
}

TEST(ReadRequest, C1_tables_that_cannot_be_used_look_the_same) {
  ReadLibrary library;
  const Error unknown = library.error(R"({"table":"boooks"})");
  EXPECT_EQ(unknown.code, ErrorCode::table);
  EXPECT_EQ(unknown.path, "table");
  EXPECT_EQ(unknown.allowed.front(), "books");
  for (const char* name :
       {"sqlite_master", "pg_catalog.pg_class", "books; drop", "Books", "", "books\\u0000"}) {
    const Error error = library.error(fmt::format(R"({{"table":"{}"}})", name));
    EXPECT_EQ(error.code, unknown.code) << name;
    EXPECT_EQ(error.message, unknown.message) << name;
    EXPECT_EQ(error.path, unknown.path) << name;
  }
}

TEST(ReadRequest, what_is_wrong_is_said_as_it_is) {
  ReadLibrary library;
  const Error order = library.error(books(R"("order":["tags"])"));
  EXPECT_EQ(order.message, "tags holds list, which has no order; order by another column");
  EXPECT_TRUE(has(order.allowed, "title"));
  EXPECT_FALSE(has(order.allowed, "tags"));
  const Error filter = library.error(filtered(R"({"field":"title","value":["a"]})"));
  EXPECT_TRUE(filter.message.starts_with("the filter has no op; title (text) takes = "))
      << filter.message;
}

TEST(ReadRequest, C2_hidden_columns_look_unknown) {
  ReadLibrary library;
  const auto without_name = [](std::string text, std::string_view name) {
    const std::size_t at = text.find(name);
    return at == std::string::npos ? text : text.replace(at, name.size(), "?");
  };
  const auto same = [&](std::string_view shape, std::string_view path) {
    const Error unknown = library.error(fmt::format(fmt::runtime(shape), "nowhere"));
    EXPECT_EQ(unknown.code, ErrorCode::column);
    EXPECT_EQ(unknown.path, path);
    for (const char* name : {"secret", "user_id"}) {
      const Error hidden = library.error(fmt::format(fmt::runtime(shape), name));
      EXPECT_EQ(hidden.code, unknown.code);
      EXPECT_EQ(hidden.path, unknown.path);
      EXPECT_EQ(without_name(hidden.message, name), without_name(unknown.message, "nowhere"));
      EXPECT_FALSE(has(hidden.allowed, name));
      EXPECT_TRUE(has(hidden.allowed, "title"));
    }
  };
  same(R"({{"table":"books","filters":[{{"field":"{}","op":"=","value":1}}]}})",
       "filters[0].field");
  same(R"({{"table":"books","or_filters":[{{"any":[{{"field":"{}","op":"=","value":1}}]}}]}})",
       "or_filters[0].any[0].field");
  same(R"({{"table":"books","columns":["title","{}"]}})", "columns[1]");
  same(R"({{"table":"books","order":"{}"}})", "order");
}

TEST(ReadRequest, C3_operators_that_do_not_exist_or_fit) {
  ReadLibrary library;
  const Error unknown = library.error(filtered(R"({"field":"pages","op":"==","value":1})"));
  EXPECT_EQ(unknown.code, ErrorCode::op);
  EXPECT_EQ(unknown.path, "filters[0].op");
  EXPECT_TRUE(has(unknown.allowed, "="));
  // An error lists ten; its text names all.
  EXPECT_NE(unknown.message.find("takes = != > >= < <= in not_in is_null is_not_null between"),
            std::string::npos)
      << unknown.message;
  struct Case {
    const char* field;
    const char* op;
  };
  for (const Case& one : {Case{"pages", "contains"}, Case{"pages", "like"}, Case{"is_out", ">"},
                          Case{"tags", "="}, Case{"extra", "contains"}, Case{"cover", "="},
                          Case{"id", "like"}, Case{"author_id", ">"}, Case{"born", "similar"}}) {
    const Error error = library.error(
        filtered(fmt::format(R"({{"field":"{}","op":"{}","value":1}})", one.field, one.op)));
    EXPECT_EQ(error.code, ErrorCode::op) << one.field;
    EXPECT_FALSE(error.allowed.empty());
    EXPECT_FALSE(has(error.allowed, one.op));
  }
}

TEST(ReadRequest, C8_null_is_no_value) {
  ReadLibrary library;
  for (const char* filter : {R"({"field":"title","op":"=","value":null})",
                             R"({"field":"author_id","op":"=","value":null})",
                             R"({"field":"pages","op":"in","value":[1,null]})"}) {
    const Error error = library.error(filtered(filter));
    EXPECT_EQ(error.code, ErrorCode::value) << filter;
    EXPECT_TRUE(has(error.allowed, "is_null")) << filter;
  }
  EXPECT_EQ(library.error(filtered(R"({"field":"pages","op":"in","value":[1,null]})")).path,
            "filters[0].value[1]");
}

TEST(ReadRequest, C9_whole_numbers) {
  ReadLibrary library;
  EXPECT_EQ(library.titles(R"([{"field":"pages","op":"=","value":612.0}])"), "Dune");
  for (const char* value : {"2.5", "\"2\"", "9223372036854775808"}) {
    const Error error =
        library.error(filtered(fmt::format(R"({{"field":"pages","op":"=","value":{}}})", value)));
    EXPECT_EQ(error.code, ErrorCode::value) << value;
    EXPECT_EQ(error.path, "filters[0].value");
  }
}

TEST(ReadRequest, C12_C13_booleans_and_enums) {
  ReadLibrary library;
  for (const char* value : {"\"true\"", "1", "\"yes\""})
    EXPECT_EQ(
        library.error(filtered(fmt::format(R"({{"field":"is_out","op":"=","value":{}}})", value)))
            .code,
        ErrorCode::value);
  const Error other = library.error(filtered(R"({"field":"mood","op":"in","value":["Dark"]})"));
  EXPECT_EQ(other.code, ErrorCode::enum_value);
  EXPECT_EQ(other.path, "filters[0].value[0]");
  EXPECT_EQ(library.titles(R"([{"field":"mood","op":"=","value":"gloomy"}])"), "Dune");
}

TEST(ReadRequest, C16_text_is_only_text) {
  ReadLibrary library;
  for (const char* text : {"'; DROP TABLE books;--", "$1", "?1", "%s", "{{x}}", "${x}", "\\\""})
    for (const char* op : {"=", "!=", "contains", "ilike"})
      library.read(filtered(fmt::format(R"({{"field":"title","op":"{}","value":"{}"}})", op,
                                        text[0] == '\\' ? "\\\"" : text)));
}

TEST(ReadRequest, C17_patterns_have_a_limit) {
  ReadLibrary library;
  const auto pattern = [](const std::string& text) {
    return filtered(fmt::format(R"({{"field":"title","op":"like","value":"{}"}})", text));
  };
  library.read(pattern(std::string(50, 'a')));
  EXPECT_EQ(library.error(pattern(std::string(51, 'a'))).code, ErrorCode::limit);
  library.read(pattern("%a_b%c_d%"));
  EXPECT_EQ(library.error(pattern("%%%___")).code, ErrorCode::limit);
  library.read(pattern(R"(\\%\\%\\%\\%\\%\\%\\%)"));
  EXPECT_EQ(library.error(pattern(R"(abc\\)")).code, ErrorCode::value);
}

TEST(ReadRequest, limits_at_and_past) {
  ReadLibrary library;
  const auto list = [](std::size_t count, std::string_view one) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::string(one);
    return "[" + text + "]";
  };
  const std::string_view filter = R"({"field":"pages","op":">","value":0})";
  library.read(books("\"filters\":" + list(20, filter)));
  EXPECT_EQ(library.error(books("\"filters\":" + list(21, filter))).path, "filters");
  EXPECT_EQ(library.error(books("\"filters\":[{\"any\":" + list(21, filter) + "}]")).code,
            ErrorCode::limit);
  library.read(books("\"or_filters\":" + list(10, filter)));
  EXPECT_EQ(library.error(books("\"or_filters\":" + list(11, filter))).path, "or_filters");
  const auto in = [&](std::size_t count) {
    return filtered(fmt::format(R"({{"field":"pages","op":"in","value":{}}})", list(count, "1")));
  };
  library.read(in(200));
  EXPECT_EQ(library.error(in(201)).path, "filters[0].value");
  library.read(books("\"columns\":" + list(64, "\"title\"")));
  EXPECT_EQ(library.error(books("\"columns\":" + list(65, "\"title\""))).path, "columns");
  library.read(books("\"limit\":200"));
  EXPECT_EQ(library.error(books("\"limit\":201")).code, ErrorCode::limit);
  const auto nested = [&](std::size_t depth) {
    std::string text(filter);
    for (std::size_t i = 0; i < depth; ++i) text = "{\"all\":[" + text + "]}";
    return filtered(text);
  };
  library.read(nested(7));
  EXPECT_EQ(library.error(nested(8)).code, ErrorCode::limit);
}

TEST(ReadRequest, wrong_types_are_refused_where_they_stand) {
  ReadLibrary library;
  struct Case {
    const char* rest;
    const char* path;
  };
  for (const Case& one : {
           Case{R"("limit":"10")", "limit"},
           Case{R"("limit":0)", "limit"},
           Case{R"("limit":-1)", "limit"},
           Case{R"("limit":1.5)", "limit"},
           Case{R"("count":1)", "count"},
           Case{R"("cursor":7)", "cursor"},
           Case{R"("filters":"title")", "filters"},
           Case{R"("filters":[7])", "filters[0]"},
           Case{R"("filters":[{}])", "filters[0]"},
           Case{R"("filters":{"title":"Dune"})", "filters"},
           Case{R"("filters":[{"field":"title"}])", "filters[0].op"},
           Case{R"("filters":[{"field":"title","op":"="}])", "filters[0].value"},
           Case{R"("filters":[{"field":"title","op":"=","value":["a"]}])", "filters[0].value"},
           Case{R"("filters":[{"field":"title","op":"in","value":"a"}])", "filters[0].value"},
           Case{R"("filters":[{"field":"pages","op":"between","value":[1]}])", "filters[0].value"},
           Case{R"("filters":[{"field":7,"op":"=","value":1}])", "filters[0].field"},
           Case{R"("filters":[{"any":[],"field":"title"}])", "filters[0]"},
           Case{R"("filters":[{"any":{}}])", "filters[0].any"},
           Case{R"("filters":[{"field":"title","op":"=","value":"a","wild":1}])", "filters[0]"},
           Case{R"("filters":[{"field":"title","op":"=","value":"a","intent":"literal"}])",
                "filters[0].intent"},
           Case{R"("filters":[{"field":"title","op":"similar","value":"a","intent":"magic"}])",
                "filters[0].intent"},
           Case{R"("filters":[{"field":"title","op":"is_null","value":false}])",
                "filters[0].value"},
           Case{R"("columns":{"a":1})", "columns"},
           Case{R"("columns":[1])", "columns[0]"},
           Case{R"("include":["title"])", "include[0]"},
           Case{R"("order":[{"field":"title","direction":"up"}])", "order[0]"},
           Case{R"("order":["title sideways"])", "order[0]"},
           Case{R"("order":["tags"])", "order[0]"},
           Case{R"("order":7)", "order"},
       })
    EXPECT_EQ(library.error(books(one.rest)).path, one.path) << one.rest;
}

TEST(ReadRequest, scenario_16_what_can_only_mean_one_thing_is_repaired_and_said) {
  ReadLibrary library;
  const auto repaired = [&](std::string_view rest) {
    const JsonObject answer = library.read(books(rest));
    const Json* const notes = answer.if_contains("repaired");
    return fmt::format("{} {}", answer.at("rows").get_array().size(),
                       notes == nullptr ? "-" : write_json(*notes));
  };
  EXPECT_EQ(repaired(R"("filters":[])"), "4 -");
  EXPECT_EQ(repaired(R"("filters":null)"), "4 -");
  EXPECT_EQ(repaired(R"("filters":{})"), R"(4 ["filters: {} was read as []"])");
  EXPECT_EQ(repaired(R"("filters":{"limit":2})"),
            R"(2 ["filters: limit was taken out and put beside the filters"])");
  EXPECT_EQ(repaired(R"("filters":[{"field":"pages","op":">","value":0},{"limit":2}])"),
            R"(2 ["filters[1]: limit was taken out and put beside the filters"])");
  EXPECT_EQ(repaired(R"("filters":{"field":"title","op":"=","value":"Dune"})"),
            R"(1 ["filters: one filter was read as a list of one"])");
  EXPECT_EQ(repaired(R"("filters":[{"field":"title","value":"Dune"}])"),
            R"(1 ["filters[0]: a filter without op was read as ="])");
  EXPECT_EQ(repaired(R"("columns":["title","chapters"])"),
            R"(4 ["columns: chapters was read as include"])");
  EXPECT_EQ(repaired(R"("include":"chapters")"),
            R"(4 ["include: one name was read as a list of one"])");
  EXPECT_EQ(library.error(books(R"("limit":3,"filters":[{"limit":2}])")).code, ErrorCode::schema)
      << "two limits: nobody knows which is meant";
}

TEST(ReadRequest, R3_id_means_the_key_whatever_it_is_called) {
  ReadLibrary library;
  library.read(R"({"table":"authors"})");
  const JsonObject answer =
      library.read(R"({"table":"authors","filters":[{"field":"id","op":"=","value":"author_2"}]})");
  EXPECT_EQ(write_json(answer.at("rows")), R"([{"author_no":"author_2","name":"Jane Austen"}])");
  EXPECT_TRUE(answer.contains("repaired"));
}

}  // namespace
}  // namespace alfred
