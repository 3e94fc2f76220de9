// For tests only: a small library as a user's database may be: uuid, integer, text and composite
// keys, an owner, nested rows, a link to its own table, a hidden column, a table without a key.
// Every key is one that nothing else in a test looks like. Every read is made on both databases.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "records/read/memory_rows_for_tests.h"
#include "records/read/read_rows.h"
#include "records/read/stored_rows_for_tests.h"
#include "refs/registry/registry_json.h"

namespace alfred {

inline Field column(std::string name, FieldType type, std::string link = {}) {
  Field field;
  field.name = std::move(name);
  field.type = type;
  switch (type) {
    case FieldType::integer:
    case FieldType::boolean: field.database_type = "integer"; break;
    case FieldType::number: field.database_type = "real"; break;
    case FieldType::bytes: field.database_type = "blob"; break;
    default: field.database_type = "text"; break;
  }
  if (!link.empty()) field.link = FieldLink{std::move(link), OnDelete::refuse};
  return field;
}

inline std::vector<Table> library_tables() {
  using enum FieldType;
  Table authors;
  authors.name = "authors";
  authors.key = {"author_no"};
  authors.key_source = KeySource::database;
  authors.label = "name";
  authors.fields = {column("author_no", integer), column("name", text)};

  Table books;
  books.name = "books";
  books.key = {"id"};
  books.label = "title";
  books.owner = "user_id";
  books.fields = {column("id", uuid),
                  column("user_id", text),
                  column("title", text),
                  column("author_id", integer, "authors"),
                  column("sequel_of", uuid, "books"),
                  column("pages", integer),
                  column("price", number),
                  column("is_out", boolean),
                  column("born", date),
                  column("mood", text),
                  column("tags", list),
                  column("extra", json),
                  column("secret", text),
                  column("cover", bytes)};
  books.fields[9].enum_values = {"dark", "light"};
  books.fields[9].value_aliases = {{"gloomy", "dark"}};
  books.fields[12].is_hidden = true;
  books.relations = {{"chapters", "chapters", "book_id"}};
  books.searched = {"title", "author_id.name", "chapters.heading"};

  Table chapters;
  chapters.name = "chapters";
  chapters.key = {"id"};
  chapters.label = "heading";
  chapters.owner = "user_id";
  chapters.fields = {column("id", text), column("user_id", text), column("book_id", uuid, "books"),
                     column("heading", text)};

  Table loans;
  loans.name = "loans";
  loans.key = {"book_id", "reader_no"};
  loans.key_source = KeySource::caller;
  loans.owner = "user_id";
  loans.fields = {column("book_id", uuid, "books"), column("reader_no", integer),
                  column("user_id", text), column("note", text)};

  Table visits;
  visits.name = "visits";
  visits.fields = {column("day", date), column("people", integer)};
  return {authors, books, chapters, loans, visits};
}

inline Value text_value(std::string_view text) { return std::string(text); }
inline Value number_value(std::int64_t number) { return number; }

// Distinct uuids for distinct numbers, in their order.
inline std::string book_key(int number) {
  return fmt::format("7cd9e2f0-3142-4f5e-ad6c-7b8a9908{:04d}", number);
}

class ReadLibrary {
 public:
  ReadLibrary() : schema(Schema::make(library_tables()).value()) {
    rows.caller = {"ann"};
    add_author(918273641, "Frank Herbert");
    add_author(918273642, "Jane Austen");
    add_book(1, "Dune", {.author = 918273641, .pages = 612, .price = 9.5, .mood = "dark"});
    add_book(2, "Emma", {.author = 918273642, .pages = 474, .price = 7.25, .mood = "light"});
    add_book(3, "Dune Messiah", {.author = 918273641, .pages = 256, .sequel_of = 1});
    add_book(4, "Persuasion", {.author = 918273642, .is_out = true, .tags = R"(["sea","love"])"});
    add_book(5, "Foreign Book", {.author = 918273642, .pages = 474, .owner = "bob"});
    add_chapter("chapter-key-aa", 1, "Arrakis");
    add_chapter("chapter-key-bb", 1, "Muad'Dib");
    add_chapter("chapter-key-cc", 2, "Hartfield");
    add_loan(1, 77, "back on Monday");
    add_loan(2, 77, "lost");
    add_loan(2, 78, "");
    rows.tables["visits"] = {{text_value("2026-01-05"), number_value(12)},
                             {text_value("2026-01-06"), number_value(7)},
                             {text_value("2026-01-07"), number_value(12)}};
  }

  struct Book {
    std::int64_t author = 0;
    std::int64_t pages = 0;
    double price = 0;
    bool is_out = false;
    std::string_view mood{};
    std::string_view tags{};
    int sequel_of = 0;
    std::string_view owner = "ann";
  };
  void add_author(std::int64_t key, std::string_view name) {
    rows.tables["authors"].push_back({number_value(key), text_value(name)});
  }
  void add_book(int number, std::string_view title, const Book& book) {
    const auto unless = [](bool is_none, Value value) { return is_none ? Value() : value; };
    rows.tables["books"].push_back(
        {text_value(book_key(number)), text_value(book.owner), text_value(title),
         unless(book.author == 0, number_value(book.author)),
         unless(book.sequel_of == 0, text_value(book_key(book.sequel_of))),
         unless(book.pages == 0, number_value(book.pages)), unless(book.price == 0, book.price),
         book.is_out, text_value("1965-08-01"), unless(book.mood.empty(), text_value(book.mood)),
         unless(book.tags.empty(), text_value(book.tags)), Value(), text_value("hidden words"),
         Bytes{"12345"}});
  }
  void add_chapter(std::string_view key, int book, std::string_view heading,
                   std::string_view owner = "ann") {
    rows.tables["chapters"].push_back(
        {text_value(key), text_value(owner), text_value(book_key(book)), text_value(heading)});
  }
  void add_loan(int book, std::int64_t reader, std::string_view note) {
    rows.tables["loans"].push_back(
        {text_value(book_key(book)), number_value(reader), text_value("ann"), text_value(note)});
  }

  RecordContext context(RefRegistry& of) { return context(of, schema); }
  RecordContext context(RefRegistry& of, const Schema& with) {
    return RecordContext{.schema = with,
                         .registry = of,
                         .caller = rows.caller,
                         .clock = clock,
                         .random = random,
                         .limits = limits,
                         .categories = categories,
                         .artifact = artifact};
  }
  // Asks the rows in memory, those in SQLite and those in PostgreSQL: the answer is the same, and
  // so is what is registered.
  Result<RecordOutcome> call(std::string_view params) {
    const Result<Json> json = parse_json(params, JsonLimits::none());
    EXPECT_TRUE(json) << params;
    const RefRegistry before = registry;
    registry.begin();
    RecordContext given = context(registry);
    Result<RecordOutcome> outcome = read_rows(rows, given, *json);
    if (!rows.fails_at.empty()) return outcome;
    const bool is_same = registry.changes().empty();
    const std::string after = is_same ? "" : RegistryJson::write(registry);
    for (const StoredRows::Kind kind : StoredRows::kKinds) {
      if (!StoredRows::takes(kind, rows)) continue;
      RefRegistry twin = before;
      twin.begin();
      EXPECT_EQ(said(outcome), said(stored(kind, twin, *json)))
          << StoredRows::name(kind) << ": " << params;
      EXPECT_EQ(twin.changes().empty(), is_same) << StoredRows::name(kind) << ": " << params;
      if (is_same) continue;
      EXPECT_EQ(after, RegistryJson::write(twin)) << StoredRows::name(kind) << ": " << params;
    }
    return outcome;
  }
  Result<RecordOutcome> stored(StoredRows::Kind kind, RefRegistry& of, const Json& params) {
    StoredRows& place = StoredRows::one(kind, schema);
    RecordContext given = context(of, place.schema());
    Result<RecordOutcome> outcome;
    const Result<void> done = place.store(rows).read(rows.caller, [&](Tx& tx) -> Result<void> {
      outcome = read_rows(tx, given, params);
      if (!outcome) return Unexpected(outcome.error());
      return {};
    });
    if (!done) return Unexpected(done.error());
    return outcome;
  }
  static std::string said(const Result<RecordOutcome>& outcome) {
    if (outcome) return outcome->answer;
    return fmt::format("{} {} {} {}", error_name(outcome.error().code), outcome.error().path,
                       outcome.error().message, outcome.error().detail);
  }
  // The answer of a call that must succeed; no key is in it.
  JsonObject read(std::string_view params) {
    const Result<RecordOutcome> outcome = call(params);
    EXPECT_TRUE(outcome) << params << "\n" << (outcome ? "" : outcome.error().message);
    if (!outcome) return {};
    expect_no_key(outcome->answer);
    answer = outcome->answer;
    return parse_json(outcome->answer, JsonLimits::none())->get_object();
  }
  // The error of one that must not, and the registry is as before.
  Error error(std::string_view params) {
    const std::string before = RegistryJson::write(registry);
    const Result<RecordOutcome> outcome = call(params);
    EXPECT_FALSE(outcome) << params << "\n" << (outcome ? outcome->answer : "");
    EXPECT_EQ(RegistryJson::write(registry), before) << params;
    if (outcome) return {};
    const Error& error = outcome.error();
    EXPECT_LE(error.message.size(), 400u) << error.message;
    EXPECT_LE(error.allowed.size(), 10u) << error.message;
    expect_no_key(error.message + error.path);
    return error;
  }
  // One column of the rows of an answer, joined.
  std::string shown(std::string_view params, std::string_view name) {
    std::string joined;
    const JsonObject found = read(params);
    if (!found.contains("rows")) return "?";
    for (const Json& row : found.at("rows").get_array()) {
      joined += joined.empty() ? "" : ", ";
      const Json* const value = row.get_object().if_contains(name);
      joined += value == nullptr     ? "-"
                : value->is_string() ? std::string(value->get_string())
                                     : write_json(*value);
    }
    return joined;
  }
  // The titles of the books that filters hold for, in the order of their keys.
  std::string titles(std::string_view filters) {
    return shown(fmt::format(R"({{"table":"books","filters":{},"order":"id"}})", filters), "title");
  }
  static void expect_no_key(std::string_view text) {
    for (const std::string_view key :
         {"7cd9e2f0", "7b8a9908", "918273641", "918273642", "chapter-key", "hidden words"})
      EXPECT_EQ(text.find(key), std::string_view::npos) << key << " in " << text;
  }

  Schema schema;
  RefRegistry registry;
  MemoryRows rows;
  ManualClock clock{0};
  SeededRandom random{1};
  RecordLimits limits;
  const WordCategories* categories = nullptr;
  std::function<const JsonObject*(std::string_view)> artifact;
  std::string answer;
};

}  // namespace alfred
