// The rules of store.h: ops, errors, savepoints, views, our own tables.
#include "store_under_test.h"

namespace alfred {
namespace {

class Writes : public StoreUnderTest {
 protected:
  WriteFn add_shelf(const std::string& id) {
    return [this, id](Tx& tx) -> Result<std::string> {
      ++runs_;
      const Result<Row> row = tx.insert(insert_into(library_.shelves, {{"id", id}, {"name", id}}));
      if (!row) return Unexpected(row.error());
      return "added " + id;
    };
  }
  std::size_t shelves(const std::string& user = "ann") {
    return rows_of(select_from(library_.shelves, {"id"}), user).size();
  }
  int runs_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Stores, Writes, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

TEST_P(Writes, R2_an_error_of_the_closure_leaves_nothing) {
  const Result<std::string> answer =
      store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        add_shelf("s1")(tx).value();
        return fail(ErrorCode::value, "changed my mind");
      });
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().message, "changed my mind");
  EXPECT_EQ(shelves(), 0U);
}

TEST_P(Writes, R2_what_is_answered_is_there_after_reopening) {
  ASSERT_TRUE(store_->write(call_of("ann"), add_shelf("s1")));
  store_.reset();
  store_ = open_library(place_.url());
  EXPECT_EQ(shelves(), 1U);
}

TEST_P(Writes, R3_the_same_op_gives_the_same_answer_and_runs_nothing) {
  const WriteCall call = call_of("ann");
  EXPECT_EQ(store_->write(call, add_shelf("s1")).value(), "added s1");
  EXPECT_EQ(store_->write(call, add_shelf("s2")).value(), "added s1");
  EXPECT_EQ(runs_, 1);
  store_ = open_library(place_.url());
  EXPECT_EQ(store_->write(call, add_shelf("s3")).value(), "added s1");
  EXPECT_EQ(shelves(), 1U);
}

TEST_P(Writes, R3_the_same_op_with_another_request_is_refused) {
  WriteCall call = call_of("ann", "first");
  ASSERT_TRUE(store_->write(call, add_shelf("s1")));
  call.request = "second";
  const Result<std::string> answer = store_->write(call, add_shelf("s2"));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::op_reused);
  EXPECT_EQ(shelves(), 1U);
}

TEST_P(Writes, R3_the_same_op_from_another_caller_is_refused) {
  WriteCall call = call_of("ann");
  ASSERT_TRUE(store_->write(call, add_shelf("s1")));
  for (const std::optional<std::string>& other :
       {std::optional<std::string>("bob"), std::optional<std::string>()}) {
    call.caller.user = other;
    EXPECT_EQ(store_->write(call, add_shelf("s2")).error().code, ErrorCode::op_reused);
  }
}

TEST_P(Writes, R3_an_op_that_failed_may_come_again) {
  const WriteCall call = call_of("ann");
  EXPECT_FALSE(
      store_->write(call, [](Tx&) -> Result<std::string> { return fail(ErrorCode::value, "no"); }));
  EXPECT_FALSE(store_->state()->answer_of(*call.op).value().has_value());
  EXPECT_TRUE(store_->write(call, add_shelf("s1")));
  EXPECT_EQ(store_->state()->answer_of(*call.op).value(), "added s1");
}

TEST_P(Writes, R3_a_write_without_an_op_is_not_remembered) {
  WriteCall call = call_of("ann");
  call.op.reset();
  EXPECT_TRUE(store_->write(call, add_shelf("s1")));
  EXPECT_TRUE(store_->write(call, add_shelf("s2")));
  EXPECT_EQ(shelves(), 2U);
}

TEST_P(Writes, an_answer_may_be_any_text) {
  const WriteCall call = call_of("ann", "süß \"quoted\" \n");
  const std::string answer = "{\"a\": \"ü\\n\"}\n";
  const auto closure = [&](Tx&) -> Result<std::string> { return answer; };
  EXPECT_EQ(store_->write(call, closure).value(), answer);
  EXPECT_EQ(store_->write(call, closure).value(), answer);
}

TEST_P(Writes, a_savepoint_undoes_its_part_only) {
  ASSERT_TRUE(store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    add_shelf("s1")(tx).value();
    const Result<void> undone = tx.savepoint([&]() -> Result<void> {
      add_shelf("s2")(tx).value();
      return fail(ErrorCode::stale, "undone");
    });
    EXPECT_EQ(undone.error().message, "undone");
    const Result<void> kept = tx.savepoint([&]() -> Result<void> {
      add_shelf("s3")(tx).value();
      const Result<void> inner = tx.savepoint([&]() -> Result<void> {
        add_shelf("s4")(tx).value();
        return fail(ErrorCode::stale, "inner");
      });
      EXPECT_FALSE(inner.has_value());
      return tx.savepoint([&]() -> Result<void> {
        add_shelf("s5")(tx).value();
        return {};
      });
    });
    EXPECT_TRUE(kept.has_value());
    return "done";
  }));
  SelectRows plan = select_from(library_.shelves, {"id"});
  plan.order = {{field_of(library_.shelves, "id"), false}};
  EXPECT_EQ(rows_of(plan), (std::vector<Row>{{"s1"}, {"s3"}, {"s5"}}));
}

TEST_P(Writes, parts_that_begin_to_write_late_are_undone_alone) {
  ASSERT_TRUE(store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    add_shelf("s1")(tx).value();
    const auto only_looks = [&](bool fails) {
      return tx.savepoint([&]() -> Result<void> {
        EXPECT_TRUE(tx.select(select_from(library_.shelves, {"id"})));
        return fails ? Result<void>(fail(ErrorCode::stale, "looked")) : Result<void>();
      });
    };
    EXPECT_FALSE(only_looks(true));
    EXPECT_TRUE(only_looks(false));
    const Result<void> undone = tx.savepoint([&]() -> Result<void> {
      // The inner part is the first that writes.
      const Result<void> inner = tx.savepoint([&]() -> Result<void> {
        EXPECT_FALSE(only_looks(true));
        add_shelf("s2")(tx).value();
        return {};
      });
      EXPECT_TRUE(inner);
      return fail(ErrorCode::stale, "undone");
    });
    EXPECT_FALSE(undone);
    return tx
        .savepoint([&]() -> Result<void> {
          EXPECT_FALSE(tx.savepoint([&]() -> Result<void> {
            add_shelf("s3")(tx).value();
            return fail(ErrorCode::stale, "inner");
          }));
          EXPECT_FALSE(only_looks(true));
          add_shelf("s4")(tx).value();
          return {};
        })
        .map([] { return std::string("done"); });
  }));
  SelectRows plan = select_from(library_.shelves, {"id"});
  plan.order = {{field_of(library_.shelves, "id"), false}};
  EXPECT_EQ(rows_of(plan), (std::vector<Row>{{"s1"}, {"s4"}}));
}

TEST_P(Writes, a_savepoint_survives_an_error_of_the_database) {
  ASSERT_TRUE(store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    add_shelf("s1")(tx).value();
    const Result<void> twice = tx.savepoint([&]() -> Result<void> {
      const Result<std::string> again = add_shelf("s1")(tx);
      if (!again) return Unexpected(again.error());
      return {};
    });
    EXPECT_EQ(twice.error().code, ErrorCode::conflict);
    add_shelf("s2")(tx).value();
    return "done";
  }));
  EXPECT_EQ(shelves(), 2U);
}

TEST_P(Writes, R6_an_error_of_the_database_cannot_be_ignored) {
  ASSERT_TRUE(store_->write(call_of("ann"), add_shelf("s1")));
  const Result<std::string> answer =
      store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        add_shelf("s2")(tx).value();
        EXPECT_FALSE(add_shelf("s1")(tx));
        EXPECT_FALSE(add_shelf("s3")(tx));
        return "as if nothing had been";
      });
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::conflict) << told(answer.error());
  EXPECT_EQ(shelves(), 1U);
}

TEST_P(Writes, rows_inserted_together_are_those_inserted_one_by_one) {
  std::vector<InsertRow> plans;
  for (int i = 0; i < 600; ++i) {  // more than travel at once
    const std::string id = "s" + std::to_string(i);
    plans.push_back(insert_into(library_.shelves, {{"id", id}, {"name", id}}));
    plans.back().returning = fields_of(library_.shelves, {"id", "rank"});
  }
  ASSERT_TRUE(store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    std::size_t failed_at = 0;
    const Result<std::vector<Row>> rows = tx.insert_all(plans, failed_at);
    if (!rows) return Unexpected(rows.error());
    EXPECT_EQ(rows->size(), plans.size());
    EXPECT_EQ((*rows)[599], (Row{Value("s599"), Value(std::int64_t{0})}));
    return "done";
  }));
  EXPECT_EQ(shelves(), 600U);
}

TEST_P(Writes, of_rows_inserted_together_the_one_that_fails_is_named_and_none_stays) {
  ASSERT_TRUE(store_->write(call_of("ann"), add_shelf("s399")));
  std::vector<InsertRow> plans;
  for (int i = 0; i < 600; ++i) {
    const std::string id = "s" + std::to_string(i);
    plans.push_back(insert_into(library_.shelves, {{"id", id}, {"name", id}}));
  }
  ASSERT_TRUE(store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    const Result<void> part = tx.savepoint([&]() -> Result<void> {
      std::size_t failed_at = 0;
      const Result<std::vector<Row>> rows = tx.insert_all(plans, failed_at);
      EXPECT_FALSE(rows);
      EXPECT_EQ(failed_at, 399U);
      return rows ? Result<void>() : Unexpected(rows.error());
    });
    EXPECT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::conflict) << told(part.error());
    return add_shelf("other")(tx);
  }));
  EXPECT_EQ(shelves(), 2U);
}

TEST_P(Writes, R3_a_long_request_is_told_from_another) {
  WriteCall call = call_of("ann", std::string(100'000, 'x') + "1");
  EXPECT_EQ(store_->write(call, add_shelf("s1")).value(), "added s1");
  EXPECT_EQ(store_->write(call, add_shelf("s2")).value(), "added s1");
  call.request.back() = '2';
  const Result<std::string> reused = store_->write(call, add_shelf("s3"));
  ASSERT_FALSE(reused.has_value());
  EXPECT_EQ(reused.error().code, ErrorCode::op_reused);
}

TEST_P(Writes, a_read_sees_one_moment) {
  ASSERT_TRUE(store_->write(call_of("ann"), add_shelf("s1")));
  const Result<void> read = store_->read(Caller{"ann"}, [&](Tx& tx) -> Result<void> {
    const SelectRows plan = select_from(library_.shelves, {"id"});
    EXPECT_EQ(tx.select(plan).value().size(), 1U);
    EXPECT_TRUE(store_->write(call_of("ann"), add_shelf("s2")));
    EXPECT_EQ(tx.select(plan).value().size(), 1U);
    return {};
  });
  EXPECT_TRUE(read.has_value());
  EXPECT_EQ(shelves(), 2U);
}

TEST_P(Writes, a_read_cannot_write) {
  std::vector<Error> errors;
  const std::vector<std::function<Result<void>(Tx&)>> attempts{
      [&](Tx& tx) -> Result<void> {
        const Result<std::string> added = add_shelf("s1")(tx);
        return added ? Result<void>() : Unexpected(added.error());
      },
      [&](Tx& tx) -> Result<void> {
        const Result<std::vector<Row>> rows =
            tx.run("INSERT INTO alfred_letters (id) VALUES ('l1')");
        return rows ? Result<void>() : Unexpected(rows.error());
      }};
  for (const auto& attempt : attempts) {
    const Result<void> read = store_->read(Caller{"ann"}, attempt);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::bug) << told(read.error());
    EXPECT_EQ(read.error().message, "A read tried to write.");
  }
  EXPECT_EQ(shelves(), 0U);
}

TEST_P(Writes, rows_and_our_own_records_are_one_transaction) {
  const auto both = [&](bool is_kept) {
    return store_->write(call_of("ann"), [&, is_kept](Tx& tx) -> Result<std::string> {
      EXPECT_TRUE(tx.holds_state());
      const std::string id = is_kept ? "kept" : "lost";
      add_shelf(id)(tx).value();
      const Param params[] = {{"id", id}, {"size", std::int64_t{1} << 40}, {"weight", 0.1}};
      tx.run("INSERT INTO alfred_letters (id, size, weight) VALUES (:id, :size, :weight)", params)
          .value();
      if (!is_kept) return fail(ErrorCode::value, "no");
      return "done";
    });
  };
  EXPECT_TRUE(both(true));
  EXPECT_FALSE(both(false));
  const Result<void> read = store_->state()->read({}, [](Tx& tx) -> Result<void> {
    EXPECT_EQ(tx.run("SELECT id, size, weight, body FROM alfred_letters").value(),
              (std::vector<Row>{{std::string("kept"), std::int64_t{1} << 40, 0.1, Value()}}));
    return {};
  });
  EXPECT_TRUE(read.has_value());
  EXPECT_EQ(shelves(), 1U);
}

TEST_P(Writes, statements_are_portable) {
  const Result<std::string> answer =
      store_->state()->write(call_of({}), [](Tx& tx) -> Result<std::string> {
        const auto put = [&](const std::string& id, std::int64_t size) {
          const Param params[] = {{"size", size}, {"id", id}, {"body", Value()}};
          return tx
              .run(
                  "INSERT INTO alfred_letters (id, size, body) VALUES (:id, :size, :body) "
                  "ON CONFLICT (id) DO UPDATE SET size = alfred_letters.size + excluded.size "
                  "RETURNING size, body",
                  params)
              .value();
        };
        EXPECT_EQ(put("a", 5), (std::vector<Row>{{std::int64_t{5}, Value()}}));
        EXPECT_EQ(put("a", 6), (std::vector<Row>{{std::int64_t{11}, Value()}}));
        put("b", 1);
        const Param limit[] = {{"n", std::int64_t{1}}, {"least", std::int64_t{0}}};
        EXPECT_EQ(
            tx.run("SELECT id FROM alfred_letters WHERE size > :least ORDER BY id DESC LIMIT :n",
                   limit)
                .value(),
            (std::vector<Row>{{std::string("b")}}));
        EXPECT_EQ(
            tx.run(
                  "SELECT sum(size), count(*), max(id), size > 3 FROM alfred_letters GROUP BY size ORDER BY size")
                .value(),
            (std::vector<Row>{
                {std::int64_t{1}, std::int64_t{1}, std::string("b"), std::int64_t{0}},
                {std::int64_t{11}, std::int64_t{1}, std::string("a"), std::int64_t{1}}}));
        const Param find[] = {{"id", std::string("a")}};
        EXPECT_EQ(tx.run("SELECT size FROM alfred_letters WHERE :id IS NULL OR id = :id", find)
                      .value()
                      .size(),
                  1U);
        EXPECT_TRUE(tx.run("DELETE FROM alfred_letters").value().empty());
        return "done";
      });
  EXPECT_TRUE(answer.has_value()) << told(answer.error());
}

TEST_P(Writes, what_a_statement_changed_is_counted) {
  const Result<std::string> answer =
      store_->state()->write(call_of({}), [](Tx& tx) -> Result<std::string> {
        const auto put = [&](const std::string& id) {
          const Param params[] = {{"id", id}};
          return tx.execute(
              "INSERT INTO alfred_letters (id, size) VALUES (:id, 1) ON CONFLICT (id) DO NOTHING",
              params);
        };
        EXPECT_EQ(put("a").value(), 1U);
        EXPECT_EQ(put("a").value(), 0U);
        EXPECT_EQ(put("b").value(), 1U);
        EXPECT_EQ(tx.execute("UPDATE alfred_letters SET size = 2").value(), 2U);
        EXPECT_EQ(tx.execute("UPDATE alfred_letters SET size = 3 WHERE size = 9").value(), 0U);
        EXPECT_EQ(tx.execute("DELETE FROM alfred_letters WHERE id = 'a'").value(), 1U);
        return "done";
      });
  EXPECT_TRUE(answer.has_value()) << told(answer.error());
  EXPECT_FALSE(store_->state()->read({}, [](Tx& tx) -> Result<void> {
    const Result<std::uint64_t> changed = tx.execute("DELETE FROM alfred_letters");
    return changed ? Result<void>() : Unexpected(changed.error());
  }));
}

TEST_P(Writes, a_scan_visits_until_it_is_told_to_stop) {
  ASSERT_TRUE(store_->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    for (std::int64_t i = 0; i < 700; ++i)
      tx.insert(insert_into(library_.notes, {{"number", i}})).value();
    return "done";
  }));
  const Result<void> read = store_->read({}, [&](Tx& tx) -> Result<void> {
    SelectRows plan = select_from(library_.notes, {"number"});
    plan.order = {{field_of(library_.notes, "number"), false}};
    std::vector<std::int64_t> seen;
    const auto visit_up_to = [&](std::size_t most) {
      seen.clear();
      return tx.scan(plan, [&, most](const Row& row) -> Result<bool> {
        seen.push_back(std::get<std::int64_t>(row[0]));
        if (seen.size() == 3) {
          EXPECT_EQ(tx.select(plan).value().size(), 700U);
        }
        return seen.size() < most;
      });
    };
    EXPECT_TRUE(visit_up_to(300));
    EXPECT_EQ(seen.size(), 300U);
    EXPECT_TRUE(visit_up_to(10'000));
    EXPECT_EQ(seen.size(), 700U);
    EXPECT_EQ(seen.back(), 699);
    const Result<void> stopped =
        tx.scan(plan, [](const Row&) -> Result<bool> { return fail(ErrorCode::limit, "enough"); });
    EXPECT_EQ(stopped.error().message, "enough");
    EXPECT_EQ(tx.select(plan).value().size(), 700U);
    return {};
  });
  EXPECT_TRUE(read.has_value()) << told(read.error());
}

}  // namespace
}  // namespace alfred
