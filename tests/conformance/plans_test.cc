// The rules of row_plans.h and sql_builder.h: what conditions, orders and owners mean.
#include "store_under_test.h"

namespace alfred {
namespace {

class Plans : public StoreUnderTest {
 protected:
  Condition in(std::string_view field, std::vector<Value> values,
               Condition::Kind kind = Condition::Kind::in) {
    Condition condition;
    condition.kind = kind;
    condition.field = field_of(library_.notes, field);
    condition.values = std::move(values);
    return condition;
  }
  Condition number(CompareOp op, std::int64_t value) {
    return where_is(library_.notes, "number", op, value);
  }
  static Condition group(Condition::Kind kind, std::vector<Condition> parts) {
    Condition condition;
    condition.kind = kind;
    condition.parts = std::move(parts);
    return condition;
  }
};

using Texts = std::vector<std::string>;

INSTANTIATE_TEST_SUITE_P(Stores, Plans, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

TEST_P(Plans, conditions_are_false_on_null) {
  add_note("one", std::int64_t{1});
  add_note("two", std::int64_t{2});
  add_note("none");
  EXPECT_EQ(bodies(number(CompareOp::eq, 1)), Texts{"one"});
  EXPECT_EQ(bodies(number(CompareOp::ne, 1)), Texts{"two"});
  EXPECT_EQ(bodies(number(CompareOp::lt, 2)), Texts{"one"});
  EXPECT_EQ(bodies(number(CompareOp::le, 2)), (Texts{"one", "two"}));
  EXPECT_EQ(bodies(number(CompareOp::gt, 1)), Texts{"two"});
  EXPECT_EQ(bodies(number(CompareOp::ge, 1)), (Texts{"one", "two"}));
  EXPECT_EQ(bodies(in("number", {}, Condition::Kind::is_null)), Texts{"none"});
  EXPECT_EQ(bodies(in("number", {}, Condition::Kind::is_not_null)), (Texts{"one", "two"}));
}

TEST_P(Plans, C6_lists_complement_each_other_on_rows_without_null) {
  add_note("one", std::int64_t{1});
  add_note("two", std::int64_t{2});
  add_note("none");
  const std::vector<Value> values{std::int64_t{1}, std::int64_t{3}, Value()};
  EXPECT_EQ(bodies(in("number", values)), Texts{"one"});
  EXPECT_EQ(bodies(in("number", values, Condition::Kind::not_in)), Texts{"two"});
  EXPECT_EQ(bodies(in("number", {})), Texts{});
  EXPECT_EQ(bodies(in("number", {}, Condition::Kind::not_in)), (Texts{"one", "two"}));
}

TEST_P(Plans, groups_nest) {
  for (std::int64_t i = 0; i < 6; ++i) add_note(std::to_string(i), i);
  EXPECT_EQ(bodies(group(Condition::Kind::all, {})).size(), 6U);
  EXPECT_EQ(bodies(group(Condition::Kind::any, {})).size(), 0U);
  EXPECT_EQ(bodies(group(Condition::Kind::any,
                         {number(CompareOp::lt, 1),
                          group(Condition::Kind::all,
                                {number(CompareOp::gt, 2), number(CompareOp::lt, 5)})})),
            (Texts{"0", "3", "4"}));
}

TEST_P(Plans, tuples_are_compared_whole) {
  add_note("a", std::int64_t{1});
  add_note("a", std::int64_t{2});
  add_note("b", std::int64_t{1});
  Condition tuples;
  tuples.kind = Condition::Kind::tuple_in;
  tuples.fields = fields_of(library_.notes, {"body", "number"});
  EXPECT_EQ(bodies(tuples), Texts{});
  tuples.values = {std::string("a"), std::int64_t{2},  std::string("b"),
                   std::int64_t{1},  std::string("b"), std::int64_t{2}};
  EXPECT_EQ(bodies(tuples), (Texts{"a", "b"}));
}

TEST_P(Plans, R2_text_is_ordered_by_its_bytes_and_nulls_are_last) {
  for (const char* text : {"é", "Z", "a", "z", "", "日本", "ä", "Ab", "😀", "aa"}) add_note(text);
  add_note(Value());
  const Field* body = field_of(library_.notes, "body");
  EXPECT_EQ(bodies({}, {{body, false}}),
            (Texts{"", "Ab", "Z", "a", "aa", "z", "ä", "é", "日本", "😀", "null"}));
  EXPECT_EQ(bodies({}, {{body, true}}),
            (Texts{"😀", "日本", "é", "ä", "z", "aa", "a", "Z", "Ab", "", "null"}));
  EXPECT_EQ(bodies(where_is(library_.notes, "body", CompareOp::gt, std::string("z"))).size(), 4U);
}

TEST_P(Plans, pages_join_to_the_whole_in_every_order) {
  const std::vector<Value> numbers{std::int64_t{2}, Value(), std::int64_t{1},
                                   std::int64_t{2}, Value(), std::int64_t{-5},
                                   std::int64_t{2}};
  for (std::size_t i = 0; i < numbers.size(); ++i) add_note(std::to_string(i % 3), numbers[i]);
  for (const bool is_descending : {false, true})
    for (const bool is_key_descending : {false, true}) {
      SelectRows plan = select_from(library_.notes, {"number", "body", "id"});
      plan.order = {{field_of(library_.notes, "number"), is_descending},
                    {field_of(library_.notes, "body"), !is_descending},
                    {field_of(library_.notes, "id"), is_key_descending}};
      const std::vector<Row> whole = rows_of(plan);
      ASSERT_EQ(whole.size(), numbers.size());
      std::vector<Row> joined;
      plan.limit = 2;
      for (std::vector<Row> page = rows_of(plan); !page.empty(); page = rows_of(plan)) {
        joined.insert(joined.end(), page.begin(), page.end());
        plan.after = page.back();
      }
      EXPECT_EQ(joined, whole);
    }
}

TEST_P(Plans, R1_every_plan_reaches_the_callers_rows_only) {
  for (const char* user : {"ann", "bob"})
    ASSERT_FALSE(store_row(insert_into(library_.shelves, {{"id", "s"}, {"name", "n"}}), user));
  const auto change = [&](const std::string& user, const auto& act) {
    return store_
        ->write(call_of(user),
                [&](Tx& tx) -> Result<std::string> {
                  const Result<std::uint64_t> changed = act(tx);
                  if (!changed) return Unexpected(changed.error());
                  return std::to_string(*changed);
                })
        .value();
  };
  const Condition all = where_is(library_.shelves, "id", CompareOp::ge, std::string());
  UpdateRows rename{
      &library_.shelves, {{field_of(library_.shelves, "name"), std::string("new")}}, all};
  rename.values[0].value = std::string("new");
  EXPECT_EQ(change("ann", [&](Tx& tx) { return tx.update(rename); }), "1");
  EXPECT_EQ(rows_of(select_from(library_.shelves, {"name"}), "ann"),
            (std::vector<Row>{{std::string("new")}}));
  EXPECT_EQ(rows_of(select_from(library_.shelves, {"name"}), "bob"),
            (std::vector<Row>{{std::string("n")}}));
  EXPECT_EQ(change("cat",
                   [&](Tx& tx) {
                     return tx.remove(DeleteRows{&library_.shelves, all});
                   }),
            "0");
  EXPECT_EQ(change("bob",
                   [&](Tx& tx) {
                     return tx.remove(DeleteRows{&library_.shelves, all});
                   }),
            "1");
  EXPECT_EQ(rows_of(select_from(library_.shelves, {"name"}), "ann").size(), 1U);
}

TEST_P(Plans, a_caller_without_a_user_reaches_no_rows_with_an_owner) {
  const Result<void> read = store_->read({}, [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows = tx.select(select_from(library_.shelves, {"id"}));
    return rows ? Result<void>() : Unexpected(rows.error());
  });
  EXPECT_EQ(read.error().code, ErrorCode::table);
}

TEST_P(Plans, a_change_of_every_row_is_refused) {
  const Result<std::string> answer =
      store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        EXPECT_EQ(tx.remove(DeleteRows{&library_.notes, {}}).error().code,
                  ErrorCode::filter_required);
        return "went on";
      });
  EXPECT_TRUE(answer.has_value());
}

TEST_P(Plans, an_insert_returns_the_row_as_it_is_stored) {
  const Result<std::string> answer =
      store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        const Row row =
            tx.insert(insert_into(library_.shelves, {{"id", "s"}, {"name", "n"}}, {"rank", "name"}))
                .value();
        EXPECT_EQ(row, (Row{std::int64_t{0}, std::string("n")}));
        const Row first = tx.insert(insert_into(library_.notes, {}, {"id"})).value();
        const Row second = tx.insert(insert_into(library_.notes, {}, {"id"})).value();
        EXPECT_EQ(std::get<std::int64_t>(second[0]), std::get<std::int64_t>(first[0]) + 1);
        EXPECT_TRUE(tx.insert(insert_into(library_.notes, {{"body", "x"}})).value().empty());
        return "done";
      });
  EXPECT_TRUE(answer.has_value()) << told(answer.error());
}

TEST_P(Plans, rows_can_be_locked_for_a_change) {
  add_note("one", std::int64_t{1});
  const Result<std::string> answer =
      store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        SelectRows plan = select_from(library_.notes, {"number"});
        plan.is_for_update = true;
        plan.order = {{field_of(library_.notes, "id"), false}};
        plan.limit = 1;
        EXPECT_EQ(tx.select(plan).value().size(), 1U);
        return "locked";
      });
  EXPECT_TRUE(answer.has_value()) << told(answer.error());
}

}  // namespace
}  // namespace alfred
