// What holds for every call: the way back undoes the way out (I-6), only live refs of the right
// type are ever executed (I-5), and no error holds a key (I-3).
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/test_size.h"
#include "records/to_keys/params_for_tests.h"

namespace alfred {
namespace {

template <class T>
T pick(const std::vector<T>& from) {
  return *rc::gen::elementOf(from);
}

// A key as JSON. Few of each kind, so that rows share them.
std::string random_key() {
  const int n = *rc::gen::inRange(0, 12);
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return fmt::format("\"a1b2c3d4-e5f6-4789-8abc-0123456789{:02}\"", n);
    case 1: return std::to_string(918'273'600 + n);
    case 2: return fmt::format("\"zanzibar-{}-quux\"", n);
    default: return fmt::format("\"{}\"", std::string(1, static_cast<char>('a' + n)));
  }
}

std::string random_prose() {
  return pick<std::string>({R"("plain")", R"("see a1b2c3d4-e5f6-4789-8abc-012345678903!")",
                            R"("caf\u00e9 lit_1 \/")", R"("book_1 or route_66")", "null", "1.50",
                            R"([ 1 , {"x":"lit_7"} ])", R"("..2345678905")", "true",
                            R"("id zanzibar-4-quux\n")", R"("918273605")"});
}

std::string random_space() { return pick<std::string>({"", "", " ", "\n\t"}); }

using Columns = std::vector<std::pair<std::string, std::string>>;

std::string as_object(const Columns& columns) {
  std::string out = "{";
  for (const auto& [name, value] : columns)
    out += fmt::format("{}{}\"{}\"{}:{}{}", out.size() == 1 ? "" : ",", random_space(), name,
                       random_space(), random_space(), value);
  return out + random_space() + "}";
}

std::string random_row(const std::string& table) {
  Columns columns;
  const auto maybe = [&](const char* name, const auto& make) {
    if (*rc::gen::inRange(0, 3) != 0) columns.emplace_back(name, make());
  };
  const auto key_or_null = [] { return *rc::gen::inRange(0, 6) == 0 ? "null" : random_key(); };
  if (table == "loans") {
    columns.emplace_back("book_id", random_key());
    columns.emplace_back("reader_no", std::to_string(*rc::gen::inRange(0, 9)));
  } else {
    maybe("id", key_or_null);
  }
  if (table != "loans") maybe("author_id", key_or_null);
  maybe("title", random_prose);
  maybe("note", random_prose);
  if (table == "books")
    maybe("chapters", [&] { return "[" + as_object({{"book_id", random_key()}}) + " ]"; });
  if (table == "posts") maybe("tags", [&] { return as_object({{"id", random_key()}}); });
  return as_object(columns);
}

std::string random_rows(const std::string& table) {
  std::string out = "[";
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i)
    out += fmt::format("{}{}{}", i == 0 ? "" : ",", random_space(), random_row(table));
  return out + random_space() + "]";
}

RC_GTEST_PROP(Params, I6_the_way_back_undoes_the_way_out, ()) {
  Library library;
  for (int i = 0; i < 3; ++i) {
    // posts are declared nowhere, loans have a key of two columns.
    const std::string table = pick<std::string>({"books", "chapters", "posts", "loans"});
    const std::string rows = random_rows(table);
    const std::string shown = library.read(table, rows);
    const Outcome back = library.call(table, "{\"data\":" + shown + "}");
    RC_LOG() << table << "\n" << rows << "\n" << shown << "\n" << back.error.message << "\n";
    RC_ASSERT(back.json.has_value());
    RC_ASSERT(*back.json == "{\"data\":" + rows + "}");
  }
}

// A library in which refs of every status exist.
Library lived_in() {
  Library library = Library::with_books();
  library.read("books", R"([{"id":918273645},{"id":"zanzibar-quux","title":"T"},{"id":"gone"}])");
  library.read("loans", R"({"book_id":"zanzibar-quux","reader_no":918273646})");
  library.registry.mark_deleted(library.registry.find("book_5"));
  library.registry.mark_deleted(library.registry.find("author_2"));
  const TypeNo book = *library.registry.find_type("book");
  EXPECT_TRUE(library.registry.register_generated(book, "G", {1, 0}));
  EXPECT_TRUE(library.registry.register_generated(book, "H", {1, 1}));
  EXPECT_TRUE(library.registry.register_created(book, KeyView::integer(5), "gen_book_2"));
  return library;
}

std::string random_candidate() {
  const std::string text = pick<std::string>({"book_1",
                                              "book_2",
                                              "book_3",
                                              "book_4",
                                              "book_5",
                                              "book_6",
                                              "book_7",
                                              "gen_book_1",
                                              "gen_book_2",
                                              "ref_book_1",
                                              "author_1",
                                              "author_2",
                                              "loan_1",
                                              "Book_1",
                                              "book_01",
                                              "route_66",
                                              std::string(kDune),
                                              "zanzibar-quux",
                                              "918273645",
                                              "gone",
                                              "lit_1",
                                              ""});
  if (*rc::gen::inRange(0, 8) == 0)
    return pick<std::string>({"918273645", "null", "{}", "true", "1"});
  return "\"" + text + "\"";
}

struct Asked {  // what a call asks for in key columns
  std::string type;
  std::string value;
};

std::string random_filter(std::vector<Asked>& asked, const std::string& table, int depth) {
  if (depth > 0 && *rc::gen::inRange(0, 4) == 0)
    return fmt::format("{{\"{}\":[{}]}}", pick<std::string>({"any", "all"}),
                       random_filter(asked, table, depth - 1));
  const std::map<std::string, std::string> own = {
      {"books", "book"}, {"loans", "loan"}, {"authors", "author"}};
  const std::string column = pick<std::string>({"id", "author_id", "book_id", "title"});
  std::string type;
  if (column == "id") type = own.at(table);
  if (column == "author_id" && table == "books") type = "author";
  if (column == "book_id" && table == "loans") type = "book";
  std::string value = random_candidate();
  if (!type.empty()) asked.push_back({type, value});
  if (*rc::gen::inRange(0, 2) == 0 && value != "null") {
    const std::string more = random_candidate();
    if (!type.empty()) asked.push_back({type, more == "null" ? "[null]" : more});
    value = fmt::format("[{},{}]", value, more);
  } else if (value == "null" && !type.empty()) {
    asked.pop_back();
  }
  if (type.empty()) value = "\"plain\"";
  return fmt::format(R"({{"field":"{}","op":"=","value":{}}})", column, value);
}

bool is_right(const Library& library, const Asked& one) {
  if (one.value.size() < 3 || one.value.front() != '"') return false;
  const std::string_view text = std::string_view(one.value).substr(1, one.value.size() - 2);
  const EntityNo entity = library.registry.find(text);
  return entity != kNoEntity && library.registry.type_of(entity) == one.type &&
         library.registry.status(entity) != RefStatus::deleted && library.registry.has_key(entity);
}

RC_GTEST_PROP(Params, I5_closed_resolution, ()) {
  Library library = lived_in();
  const std::string table = pick<std::string>({"books", "loans", "authors"});
  std::vector<Asked> asked;
  std::string filters;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) filters += (i == 0 ? "" : ",") + random_filter(asked, table, 2);
  const Outcome outcome = library.call(table, "{\"filters\":[" + filters + "]}");
  bool all_right = true;
  for (const Asked& one : asked) all_right = all_right && is_right(library, one);
  RC_LOG() << table << " " << filters << "\n" << outcome.error.message << "\n";
  RC_ASSERT(outcome.json.has_value() == all_right);
  RC_CLASSIFY(all_right, "executed");
}

// Every place of a call that a model can fill gets every key (and pieces of them): what is refused
// is refused without repeating it.
TEST(Params, R6_I3_no_error_holds_a_key) {
  Library library = lived_in();
  const std::vector<std::string> keys = library.long_keys();
  ASSERT_GE(keys.size(), 8u);
  const std::vector<std::string> calls = {
      R"({{"filters":[{{"field":"id","value":"{0}"}}]}})",
      R"({{"filters":[{{"field":"id","value":["{0}","book_1","x {0}"]}}]}})",
      R"({{"filters":[{{"field":"{0}","value":"lit_99"}}]}})",
      R"({{"filters":[{{"field":"title","{0}":"lit_99"}}]}})",
      R"({{"filters":[{{"any":[{{"{0}":1}}]}}]}})",
      R"({{"data":{{"{0}":"lit_99"}}}})",
      R"({{"data":{{"{0}":{{"{0}_id":"{0}"}}}}}})",
      R"({{"data":{{"author_id":"{0}"}}}})",
      R"({{"data":{{"author_id":"author_1","chapters":[{{"book_id":"BOOK {0}"}}]}}}})",
      R"({{"table":"{0}","data":{{}}}})",
      R"({{"{0}":1}})",
      R"({{"data":{{"{0}":1,"{0}":2}}}})",
      R"({{"data":{{"title": {0}x}}}})",
      R"({{"data":"{0}"}})",
      R"({0})",
  };
  std::size_t refused = 0;
  for (const std::string& key : keys)
    for (const std::string& call : calls)
      for (const char* table : {"books", "loans", "notes"})
        if (!library.call(table, fmt::format(fmt::runtime(call), key)).json) ++refused;
  EXPECT_GT(refused, keys.size() * calls.size());
}

TEST(Params, R6_a_path_is_bounded) {
  Library library;
  const std::string name(5000, 'n');
  const Error error =
      library.error("notes", fmt::format(R"({{"data":{{"{0}":{{"{0}":"lit_9"}}}}}})", name));
  EXPECT_EQ(error.code, ErrorCode::literal_unknown);
}

}  // namespace
}  // namespace alfred
