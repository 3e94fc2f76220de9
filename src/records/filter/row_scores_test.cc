#include "records/filter/row_scores.h"

#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

// The way without short cuts: every text of the row and of its relatives is held against the query.
class EveryText {
 public:
  EveryText(const ReadLibrary& library, const Search& search)
      : library_(library), search_(search) {}

  int score(const Row& book) const {
    const Table& books = *library_.schema.find("books");
    WordQuery::Scores best = search_.query.none();
    const auto cell = [&](std::string_view name) {
      return book[static_cast<std::size_t>(books.find(name) - books.fields.data())];
    };
    if (search_.field != nullptr) {
      for (const std::string& text : texts_of(*search_.field, cell(search_.field->name)))
        search_.query.look_at(text, best);
      return WordQuery::total(best);
    }
    look_at(cell("title"), best);
    for (const Row& author : rows("authors"))
      if (author[0] == cell("author_id")) look_at_relative(author[1], best);
    for (const Row& chapter : rows("chapters"))
      if (chapter[2] == cell("id") && chapter[1] == Value(std::string("ann")))
        look_at_relative(chapter[3], best);
    return WordQuery::total(best);
  }

 private:
  static std::vector<std::string> texts_of(const Field& field, const Value& value) {
    if (field.type == FieldType::list) return list_elements(value);
    const auto* const text = std::get_if<std::string>(&value);
    return text == nullptr ? std::vector<std::string>() : std::vector<std::string>{*text};
  }
  void look_at(const Value& value, WordQuery::Scores& best) const {
    if (const auto* text = std::get_if<std::string>(&value)) search_.query.look_at(*text, best);
  }
  // A relative in which nothing is found does not count, also where it is the query word for word.
  void look_at_relative(const Value& value, WordQuery::Scores& best) const {
    WordQuery::Scores own = search_.query.none();
    if (search_.query.look_at(std::get<std::string>(value), own)) WordQuery::merge(own, best);
  }
  const std::vector<Row>& rows(std::string_view table) const {
    return library_.rows.tables.find(table)->second;
  }

  const ReadLibrary& library_;
  const Search& search_;
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t most) { return random_.next_u64() % most; }
  std::string words(std::size_t most) {
    static const std::vector<std::string> kWords{
        "Dune",  "dunes", "sea", "Seas",    "herbert", "Herbrt", "émile", "zola", "the",
        "books", "of",    "мир", "Arrakis", "arakis",  "mice",   "mouse", "豆腐", "麻婆豆腐"};
    std::string out;
    for (std::size_t i = 1 + below(most); i > 0; --i)
      out += kWords[below(kWords.size())] + (below(4) == 0 ? "-" : " ");
    return out;
  }

 private:
  SeededRandom random_;
};

TEST(RowScores, R3_R5_what_is_left_out_is_what_scoring_every_text_would_leave_out) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(fmt::format("ALFRED_TEST_SEED={}", seed));
  Draw draw(seed);
  std::size_t found = 0;
  std::size_t missed = 0;
  std::size_t exact = 0;
  for (std::size_t round = test_size({30, 200, 3000}); round > 0; --round) {
    ReadLibrary library;
    for (auto& row : library.rows.tables["authors"]) row[1] = draw.words(2);
    for (auto& row : library.rows.tables["chapters"]) row[3] = draw.words(3);
    const std::string tags = write_json(JsonArray{draw.words(1), draw.words(2)});
    for (int book = 20; book < 40; ++book)
      library.add_book(book, draw.words(4),
                       {.author = 918273641 + static_cast<int>(draw.below(3)), .tags = tags});
    const Table& books = *library.schema.find("books");
    std::vector<Search> searches;
    while (searches.size() < 4) {
      const auto intent = draw.below(4) == 0 ? SearchIntent::literal : SearchIntent::similar;
      Result<WordQuery> query = WordQuery::make({draw.words(3), intent, nullptr, "books", "value"});
      const Field* const fields[] = {nullptr, nullptr, books.find("title"), books.find("tags")};
      if (query) searches.push_back({std::move(*query), fields[draw.below(4)]});
    }
    RowScores scores(library.schema, books, searches);
    ASSERT_TRUE(scores.prepare(library.rows));
    RowFields fields(books);
    for (const Field& field : books.fields) fields.add(&field);
    scores.start_rows(fields);
    std::unique_ptr<RowNote> plan_note;
    for (const Row& row : library.rows.tables["books"]) {
      std::unique_ptr<RowNote> note;
      NotePlaces notes{note, plan_note};
      // Not kept; kept for the first time; kept with its words.
      for (NotePlaces* place : {static_cast<NotePlaces*>(nullptr), &notes, &notes}) {
        int sum = 0;
        scores.start_row(row, place);
        const int most = scores.most();
        for (std::size_t i = 0; i < searches.size(); ++i) {
          const int expected = EveryText(library, searches[i]).score(row);
          ASSERT_EQ(scores.score(i), expected) << i;
          ASSERT_EQ(scores.score(i), expected) << "asked again";
          sum += expected;
          (expected > 0 ? found : missed) += 1;
        }
        ASSERT_LE(sum, most) << "R4";
        exact += place != nullptr && sum == most && sum > 0 ? 1 : 0;
      }
      ASSERT_NE(note, nullptr);
    }
  }
  EXPECT_GT(found, 0U);
  EXPECT_GT(missed, 0U);
  EXPECT_GT(exact, 0U) << "a bound that no row reaches would leave nobody out";
}

}  // namespace
}  // namespace alfred
