#include "records/read/read_cursor.h"

#include <gtest/gtest.h>

#include "base/test_size.h"
#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

// All rows of a call, page by page; between two pages `meanwhile` happens.
std::vector<std::string> paged(ReadLibrary& library, const std::string& rest, std::size_t limit,
                               const std::function<void(std::size_t page)>& meanwhile = {}) {
  std::vector<std::string> ids;
  std::string cursor;
  for (std::size_t page = 0; page < 1000; ++page) {
    const JsonObject answer =
        library.read(fmt::format(R"({{"table":"books","limit":{}{}{}}})", limit, rest, cursor));
    if (!answer.contains("rows")) break;
    for (const Json& row : answer.at("rows").get_array())
      ids.emplace_back(row.get_object().at("id").get_string());
    if (!answer.at("has_more").get_bool()) break;
    cursor = fmt::format(R"(,"cursor":{})", write_json(answer.at("cursor")));
    if (meanwhile) meanwhile(page);
  }
  return ids;
}

TEST(Cursor, R5_pages_together_are_one_big_read) {
  for (const char* rest :
       {"", R"(,"order":"title")", R"(,"order":["pages desc","is_out"])", R"(,"order":"author_id")",
        R"(,"order":"sequel_of desc")", R"(,"order":"price")", R"(,"order":"id desc")",
        R"(,"filters":[{"field":"title","op":"contains","value":"e"}])",
        R"(,"filters":[{"field":"title","op":"similar","value":"dune emma"}])"}) {
    ReadLibrary library;
    const std::vector<std::string> all = paged(library, rest, 200);
    EXPECT_GE(all.size(), 3u);
    for (std::size_t limit = 1; limit < 5; ++limit)
      EXPECT_EQ(paged(library, rest, limit), all) << rest << " by " << limit;
  }
}

TEST(Cursor, R3_survives_inserts_and_deletes) {
  ReadLibrary library;
  library.rows.tables["books"].clear();
  for (int i = 100; i < 200; i += 10) library.add_book(i, fmt::format("Book {}", i), {});
  const std::vector<std::string> ids =
      paged(library, R"(,"order":"title")", 2, [&](std::size_t page) {
        // One before the place, one behind it; and the last one shown goes.
        const int last = 110 + static_cast<int>(page) * 20;
        std::erase_if(library.rows.tables["books"],
                      [&](const Row& row) { return row[0] == text_value(book_key(last)); });
        library.add_book(last - 5, fmt::format("Book {}", last - 5), {});
        if (page == 1) library.add_book(195, "Book 195", {});
      });
  EXPECT_EQ(ids.size(), 11u) << "every old one once, and the new one behind";
  EXPECT_EQ((std::set<std::string>(ids.begin(), ids.end())).size(), ids.size());
}

TEST(Cursor, R3_goes_on_behind_a_row_that_was_deleted_here) {
  ReadLibrary library;
  const JsonObject first = library.read(R"({"table":"books","limit":2})");
  library.registry.begin();
  library.registry.mark_deleted(library.registry.find("book_2"));
  std::erase_if(library.rows.tables["books"],
                [](const Row& row) { return row[0] == text_value(book_key(2)); });
  EXPECT_EQ(library.shown(
                fmt::format(R"({{"table":"books","cursor":{}}})", write_json(first.at("cursor"))),
                "title"),
            "Dune Messiah, Persuasion");
}

std::string decoded(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = (bits << 6 | static_cast<std::uint32_t>(kDigits.find(c))) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

std::string encoded(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = (bits << 8 | static_cast<unsigned char>(c)) & 0xffffff;
    for (count += 8; count >= 6; count -= 6) out += kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0) out += kDigits[bits << (6 - count) & 63];
  return out;
}

// The cursor of a call of one row, with one part of it replaced.
std::string forged(ReadLibrary& library, const std::string& call, std::string_view part,
                   std::string_view by) {
  const JsonObject answer = library.read(fmt::format(R"({{{},"limit":1}})", call));
  std::string text = decoded(answer.at("cursor").get_string());
  const std::size_t from = text.find(part) + part.size();
  text.replace(from, text.find_first_of(",]}", from) - from, by);
  return fmt::format(R"({{{},"cursor":"{}"}})", call, encoded(text));
}

TEST(Cursor, R5_values_that_a_column_cannot_hold_are_refused) {
  ReadLibrary library;
  struct Case {
    const char* column;
    std::vector<const char*> wrong;
  };
  for (const Case& one :
       {Case{"pages", {R"("many")", "true", "[]", "{}", R"("612")", R"({"number":7})", "400.5"}},
        Case{"price", {R"("9.5")", "false", R"("")"}},
        Case{"is_out", {"0", "1", R"("true")", "1.5"}},
        Case{"title", {"7", "true", "1e300", R"("a\u0000b")", R"("lit_9")"}},
        Case{"born", {"true", R"("\u0000")"}},
        Case{"author_id", {"918273641", R"("author_9")", R"("book_1")", "true"}}}) {
    const std::string call = fmt::format(R"("table":"books","order":"{}")", one.column);
    for (const char* value : one.wrong) {
      const Error error = library.error(forged(library, call, "\"v\":[", value));
      EXPECT_EQ(error.code, ErrorCode::value) << one.column << value;
      EXPECT_EQ(error.path, "cursor") << one.column << value;
    }
    library.read(forged(library, call, "\"v\":[", "null"));
  }
}

TEST(Cursor, R5_numbers_of_rows_have_an_end) {
  ReadLibrary library;
  for (const char* number : {"-1", "9223372036854775807", "1.5", "\"2\"", "null"})
    EXPECT_EQ(library.error(forged(library, R"("table":"visits")", "\"n\":", number)).path,
              "cursor")
        << number;
  library.read(forged(library, R"("table":"visits")", "\"n\":", "1000000000000"));
}

TEST(Cursor, R1_holds_no_key) {
  ReadLibrary library;
  library.rows.tables["books"].clear();
  library.add_book(1, fmt::format("A {}", book_key(7)), {.author = 918273641});
  library.add_book(2, "B", {});
  for (const char* order : {"title", "author_id", "id", "sequel_of"}) {
    const JsonObject answer =
        library.read(fmt::format(R"({{"table":"books","limit":1,"order":"{}"}})", order));
    const std::string text = decoded(answer.at("cursor").get_string());
    EXPECT_NE(text.find("\"r\":\"book_1\""), std::string::npos) << text;
    ReadLibrary::expect_no_key(text);
  }
}

TEST(Cursor, R2_fits_only_its_call) {
  ReadLibrary library;
  const JsonObject answer = library.read(R"({"table":"books","limit":1,"order":"title"})");
  const std::string cursor = write_json(answer.at("cursor"));
  library.read(fmt::format(
      R"({{"table":"books","order":"title","limit":2,"columns":["title"],"cursor":{}}})", cursor));
  for (const char* other :
       {R"("table":"books")", R"("table":"books","order":"title desc")",
        R"("table":"authors","order":"name")",
        R"("table":"books","order":"title","filters":[{"field":"pages","op":">","value":1}])"})
    EXPECT_EQ(library.error(fmt::format(R"({{{},"cursor":{}}})", other, cursor)).path, "cursor")
        << other;
  for (const char* junk : {"", "!!", "e30", "bnVsbA", "W10", "eyJ0IjoiYm9va3MifQ"})
    EXPECT_EQ(
        library.error(fmt::format(R"({{"table":"books","order":"title","cursor":"{}"}})", junk))
            .code,
        ErrorCode::value)
        << junk;
  EXPECT_EQ(
      library.error(fmt::format(R"({{"table":"books","cursor":"{}"}})", std::string(5000, 'A')))
          .code,
      ErrorCode::value);
}

TEST(Cursor, a_cursor_of_another_registry_is_refused) {
  ReadLibrary library;
  const JsonObject answer = library.read(R"({"table":"books","limit":1})");
  ReadLibrary other;
  EXPECT_EQ(
      other
          .error(fmt::format(R"({{"table":"books","cursor":{}}})", write_json(answer.at("cursor"))))
          .path,
      "cursor");
}

TEST(Cursor, odd_values_travel) {
  ReadLibrary library;
  std::vector<Row>& books = library.rows.tables["books"];
  books.clear();
  const double infinite = std::numeric_limits<double>::infinity();
  int number = 1;
  for (const double price : {-infinite, -0.1, 1e300, infinite}) {
    library.add_book(number++, "A \\ \"quote\"", {.price = price});
    library.add_book(number++, "lit_1 typed", {.price = price});
  }
  for (const char* order : {"price", "title", "price desc"}) {
    const std::string rest = fmt::format(R"(,"order":"{}")", order);
    EXPECT_EQ(paged(library, rest, 1), paged(library, rest, 200)) << order;
  }
}

TEST(Cursor, what_is_no_text_is_said) {
  ReadLibrary library;
  library.add_book(0, "Caf\xE9", {});
  const JsonObject answer = library.read(R"({"table":"books","limit":1,"order":"title"})");
  EXPECT_TRUE(answer.at("has_more").get_bool());
  EXPECT_FALSE(answer.contains("cursor"));
}

TEST(Cursor, too_long_an_order_value_is_said) {
  ReadLibrary library;
  library.add_book(0, "A" + std::string(5000, 'x'), {});
  const JsonObject answer = library.read(R"({"table":"books","limit":1,"order":"title"})");
  EXPECT_TRUE(answer.at("has_more").get_bool());
  EXPECT_FALSE(answer.contains("cursor"));
  EXPECT_NE(library.answer.find("order by another column"), std::string::npos);
}

}  // namespace
}  // namespace alfred
