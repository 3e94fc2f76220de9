// What holds for every read, on rows and filters drawn at random. A failure prints its seed.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/test_size.h"
#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t most) { return random_.next_u64() % most; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  void fill(ReadLibrary& library) {
    library.rows.tables["books"].clear();
    const std::size_t count = 1 + below(25);
    for (std::size_t i = 0; i < count; ++i) {
      ReadLibrary::Book book;
      book.author = of<std::int64_t>({0, 918273641, 918273642, 918273699});
      book.pages = of<std::int64_t>({0, 1, 2, 3});
      book.price = of<double>({0, 0.5, -1.25, 1e300});
      book.is_out = below(2) == 1;
      book.mood = of<std::string_view>({"", "dark", "light"});
      book.tags = of<std::string_view>({"", "[]", R"(["sea"])", R"(["love","sea"])"});
      book.sequel_of = static_cast<int>(below(4));
      book.owner = below(6) == 0 ? "bob" : "ann";
      library.add_book(static_cast<int>(i) * 7 % 100 + 1, title(), book);
    }
  }

  std::string title() {
    return of<std::string>({"Dune", "dune", "Dune Messiah", "Émile", "émile zola", "%", "a_b",
                            "a\\\\b", "Борщ", "борщ", "sea", "", "Z"});
  }

  std::string value(std::string_view field) {
    if (field == "pages") return of<std::string>({"0", "1", "2", "3", "2.0"});
    if (field == "price") return of<std::string>({"0.5", "-1.25", "1e300", "7"});
    if (field == "is_out") return of<std::string>({"true", "false"});
    if (field == "mood") return of<std::string>({"\"dark\"", "\"light\""});
    if (field == "author_id") return of<std::string>({"\"author_1\"", "\"author_2\""});
    if (field == "tags") return of<std::string>({"\"sea\"", "\"love\"", "\"peace\""});
    return fmt::format("\"{}\"", title());
  }

  std::string test() {
    const std::string field =
        of<std::string>({"title", "pages", "price", "is_out", "mood", "author_id", "tags"});
    std::vector<std::string> ops{"=", "!=", "in", "not_in"};
    if (field == "pages" || field == "price" || field == "title")
      for (const char* op : {"<", "<=", ">", ">=", "between"}) ops.emplace_back(op);
    if (field == "title")
      for (const char* op : {"like", "ilike", "similar", "contains"}) ops.emplace_back(op);
    if (field == "tags") ops = {"contains", "contains_any", "similar"};
    ops.insert(ops.end(), {"is_null", "is_not_null"});
    const std::string op = of(ops);
    std::string given = value(field);
    if (op == "similar" && (given == "\"\"" || given == "\"%\"")) given = "\"dune\"";
    if (op == "in" || op == "not_in" || op == "contains_any" || op == "between") {
      std::size_t more = op == "between" ? 1 : below(3);
      if (more == 0 && below(3) == 0) given.clear();
      for (; more > 0; --more) given += "," + value(field);
      given = "[" + given + "]";
    }
    if (op.starts_with("is_")) given = "null";
    return fmt::format(R"({{"field":"{}","op":"{}","value":{}}})", field, op, given);
  }

  std::string filter(std::size_t depth = 0) {
    if (depth >= 2 || below(4) != 0) return test();
    std::string parts;
    for (std::size_t i = below(3); i > 0; --i) parts += filter(depth + 1) + (i == 1 ? "" : ",");
    return fmt::format(R"({{"{}":[{}]}})", below(2) == 0 ? "any" : "all", parts);
  }

 private:
  SeededRandom random_;
};

std::set<std::string> ids(ReadLibrary& library, const std::string& filters) {
  std::set<std::string> found;
  const JsonObject answer = library.read(
      fmt::format(R"({{"table":"books","limit":200,"order":"id","filters":[{}]}})", filters));
  if (!answer.contains("rows")) return found;
  for (const Json& row : answer.at("rows").get_array())
    found.emplace(row.get_object().at("id").get_string());
  return found;
}

// Refs of all rows are given first, so that the same row has the same ref in every answer.
void meet_all(ReadLibrary& library) {
  library.read(R"({"table":"authors"})");
  ids(library, "");
}

TEST(ReadProperties, I9_adding_a_filter_never_enlarges_the_result) {
  const std::size_t rounds = test_size({1, 6, 100});
  for (std::size_t seed = 1; seed <= rounds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Draw draw(seed);
    ReadLibrary library;
    draw.fill(library);
    meet_all(library);
    for (int i = 0; i < 8; ++i) {
      const std::string first = draw.filter();
      const std::string second = draw.filter();
      const std::set<std::string> one = ids(library, first);
      const std::set<std::string> both = ids(library, first + "," + second);
      const std::set<std::string> other = ids(library, second);
      std::set<std::string> common;
      std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                            std::inserter(common, common.begin()));
      ASSERT_EQ(both, common) << first << "\n" << second;
      std::set<std::string> either = one;
      either.insert(other.begin(), other.end());
      ASSERT_EQ(ids(library, fmt::format(R"({{"any":[{},{}]}})", first, second)), either)
          << first << "\n"
          << second;
    }
  }
}

TEST(ReadProperties, I9_in_and_not_in_complement_each_other_on_rows_with_a_value) {
  const std::size_t rounds = test_size({1, 6, 100});
  for (std::size_t seed = 1; seed <= rounds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Draw draw(seed);
    ReadLibrary library;
    draw.fill(library);
    meet_all(library);
    for (const char* field : {"title", "pages", "price", "is_out", "mood", "author_id"}) {
      std::string values = draw.below(4) == 0 ? "" : draw.value(field);
      if (!values.empty() && draw.below(2) == 0) values += "," + draw.value(field);
      const auto with = [&](std::string_view op) {
        return ids(library,
                   fmt::format(R"({{"field":"{}","op":"{}","value":[{}]}})", field, op, values));
      };
      const std::set<std::string> in = with("in");
      std::set<std::string> all = with("not_in");
      for (const std::string& id : in) ASSERT_TRUE(all.insert(id).second) << field << values;
      ASSERT_EQ(all, ids(library, fmt::format(R"({{"field":"{}","op":"is_not_null"}})", field)));
    }
  }
}

TEST(ReadProperties, R5_pages_together_are_one_big_read) {
  const std::size_t rounds = test_size({1, 10, 100});
  for (std::size_t seed = 1; seed <= rounds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Draw draw(seed);
    ReadLibrary library;
    draw.fill(library);
    meet_all(library);
    const std::string call = fmt::format(
        R"("table":"books","columns":["title"],"order":{},"filters":[{}])",
        draw.of<std::string>({"null", "[]", "\"title\"", "[\"pages desc\",\"mood\"]",
                              "\"author_id desc\"", "[\"price\",\"sequel_of\"]", "\"is_out\""}),
        draw.below(2) == 0 ? draw.filter() : "");
    const JsonObject whole = library.read("{" + call + R"(,"limit":200,"count":true})");
    JsonArray rows;
    std::string cursor;
    bool has_more = true;
    while (has_more) {
      const JsonObject page =
          library.read(fmt::format("{{{},\"limit\":{}{}}}", call, 1 + draw.below(4), cursor));
      for (const Json& row : page.at("rows").get_array()) rows.push_back(row);
      has_more = page.at("has_more").get_bool();
      if (has_more) cursor = ",\"cursor\":" + write_json(page.at("cursor"));
    }
    ASSERT_EQ(write_json(rows), write_json(whole.at("rows"))) << call;
    ASSERT_EQ(whole.at("count"), rows.size());
  }
}

}  // namespace
}  // namespace alfred
