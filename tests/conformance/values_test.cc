// Values come back as they were stored, and what a database refuses is told the same way.
#include <limits>

#include "storage/exact_number.h"
#include "store_under_test.h"

namespace alfred {
namespace {

class Values : public StoreUnderTest {
 protected:
  Value round_trip(std::string_view field, const Value& value) {
    Value out;
    const Result<std::string> answer =
        store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
          const Result<Row> row = tx.insert(insert_into(library_.notes, {{field, value}}, {field}));
          if (!row) return Unexpected(row.error());
          out = row->at(0);
          return "done";
        });
    EXPECT_TRUE(answer.has_value()) << told(answer.error());
    return out;
  }
  void expect_told(const InsertRow& plan, const std::string& message, const std::string& path) {
    const std::optional<Error> error = store_row(plan);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->code, ErrorCode::conflict) << told(*error);
    EXPECT_EQ(error->message, message);
    EXPECT_EQ(error->path, path);
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, Values, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

TEST_P(Values, doubles_keep_every_bit) {
  for (const double number : {0.1 + 0.2, 5e-324, std::numeric_limits<double>::max(), -1.0 / 3, 1e22,
                              123456789.123456789, 2.0, 0.0})
    EXPECT_EQ(round_trip("amount", number), Value(number)) << number;
}

TEST_P(Values, integers_have_64_bits) {
  for (const std::int64_t number :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        std::int64_t{0}, std::int64_t{-1}})
    EXPECT_EQ(round_trip("number", number), Value(number));
}

TEST_P(Values, C10_a_number_column_keeps_every_bit_of_an_integer) {
  constexpr std::int64_t kTwoTo53 = 9007199254740992;
  for (const std::int64_t number :
       {kTwoTo53 + 1, -kTwoTo53 - 1, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max(), std::int64_t{1152921504606847232}})
    EXPECT_EQ(round_trip("worth", number), Value(number));
  for (const double number :
       {0.1 + 0.2, 0.1, 2.0, -1.0 / 3, 1e25, 1e300, 5e-324, 0.0, static_cast<double>(kTwoTo53)})
    EXPECT_EQ(round_trip("worth", number), Value(number)) << number;
}

TEST_P(Values, C10_conditions_order_and_pages_tell_neighbours_apart) {
  constexpr std::int64_t kTwoTo53 = 9007199254740992;
  for (std::int64_t i = 0; i < 6; ++i)
    ASSERT_FALSE(store_row(insert_into(
        library_.notes, {{"body", std::to_string(i)}, {"worth", exact_number(kTwoTo53 + i)}})));
  const auto worth = [&](CompareOp op, std::int64_t number) {
    return bodies(where_is(library_.notes, "worth", op, exact_number(number)));
  };
  EXPECT_EQ(worth(CompareOp::eq, kTwoTo53 + 1), std::vector<std::string>{"1"});
  EXPECT_EQ(worth(CompareOp::eq, kTwoTo53), std::vector<std::string>{"0"});
  EXPECT_EQ(worth(CompareOp::gt, kTwoTo53 + 3), (std::vector<std::string>{"4", "5"}));
  SelectRows page = select_from(library_.notes, {"worth", "id"});
  page.order = {{field_of(library_.notes, "worth"), true}, {field_of(library_.notes, "id"), true}};
  page.limit = 1;
  for (std::int64_t i = 6; i-- > 0;) {
    const std::vector<Row> rows = rows_of(page);
    ASSERT_EQ(rows.size(), 1U) << i;
    EXPECT_EQ(rows[0][0], exact_number(kTwoTo53 + i));
    page.after = rows[0];
  }
  EXPECT_TRUE(rows_of(page).empty());
}

TEST_P(Values, texts_keep_every_byte) {
  for (const std::string& text :
       {std::string(), std::string("it's \"q\" \\ $1 ?1 :x %_"), std::string("e\u0301 é 日本 😀"),
        std::string("\n\r\t\x01"), std::string(200'000, 'x'), std::string("null")})
    EXPECT_EQ(round_trip("body", text), Value(text));
  EXPECT_EQ(round_trip("body", Value()), Value());
}

TEST_P(Values, booleans_in_an_integer_column_are_booleans) {
  EXPECT_EQ(round_trip("is_done", true), Value(true));
  EXPECT_EQ(round_trip("is_done", false), Value(false));
  EXPECT_EQ(round_trip("is_done", Value()), Value());
  const Condition done = where_is(library_.notes, "is_done", CompareOp::eq, true);
  EXPECT_EQ(bodies(done).size(), 1U);
}

TEST_P(Values, C14_a_zero_byte_in_a_text_is_refused) {
  const std::optional<Error> error =
      store_row(insert_into(library_.notes, {{"body", std::string("a\0b", 3)}}));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, ErrorCode::value) << told(*error);
}

TEST_P(Values, E9_a_value_that_is_taken_names_its_column) {
  ASSERT_FALSE(store_row(insert_into(library_.shelves, {{"id", "s1"}, {"name", "top"}})));
  expect_told(insert_into(library_.shelves, {{"id", "s2"}, {"name", "top"}}),
              "Another row has the same name. Give another value, or change that row.", "name");
  expect_told(insert_into(library_.shelves, {{"id", "s1"}, {"name", "low"}}),
              "Another row has the same id. Give another value, or change that row.", "id");
  EXPECT_FALSE(store_row(insert_into(library_.shelves, {{"id", "s1"}, {"name", "top"}}), "bob"));
}

TEST_P(Values, E10_what_a_rule_refuses_is_a_conflict) {
  expect_told(insert_into(library_.shelves, {{"id", "s1"}}), "name needs a value. Give one.",
              "name");
  expect_told(
      insert_into(library_.books, {{"id", "b"}, {"title", "t"}, {"pages", std::int64_t{0}}}),
      "The database's own check `pages > 0` refuses this row. Give pages another value.", "pages");
  expect_told(
      insert_into(library_.books, {{"id", "b"}, {"title", "t"}, {"shelf_id", "none"}}),
      "A row that this one points at does not exist, or rows still point at one that would go. "
      "Look at the linked rows first.",
      "");
}

TEST_P(Values, E10_a_deferred_link_counts_when_its_part_ends) {
  const Result<std::string> answer =
      store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        const auto part = [&](const std::string& id, bool has_shelf) {
          return tx.savepoint([&]() -> Result<void> {
            tx.insert(insert_into(library_.books, {{"id", id}, {"title", "t"}, {"shelf_id", id}}))
                .value();
            if (has_shelf)
              tx.insert(insert_into(library_.shelves, {{"id", id}, {"name", id}})).value();
            return {};
          });
        };
        EXPECT_TRUE(part("child-before-parent", true));
        const Result<void> orphan = part("orphan", false);
        EXPECT_FALSE(orphan.has_value());
        if (!orphan) {
          EXPECT_EQ(orphan.error().code, ErrorCode::conflict);
        }
        EXPECT_TRUE(part("again", true));
        return "done";
      });
  ASSERT_TRUE(answer.has_value()) << told(answer.error());
  EXPECT_EQ(rows_of(select_from(library_.books, {"id"})).size(), 2U);
}

}  // namespace
}  // namespace alfred
