// Rows that lead to each other in a circle are deleted together and come back together
// (undo_rows.h, R5).
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

// SQLite lets a table lead to one that is made later; PostgreSQL is told afterwards.
constexpr const char* kCircle = R"(
CREATE TABLE hens (id integer PRIMARY KEY, name text, egg_id integer REFERENCES eggs (id) {0},
  next_id integer REFERENCES hens (id) ON DELETE CASCADE);
CREATE TABLE eggs (id integer PRIMARY KEY, name text,
  hen_id integer REFERENCES hens (id) ON DELETE CASCADE);
)";
constexpr const char* kCircleLater = R"(
CREATE TABLE hens (id integer PRIMARY KEY, name text, egg_id bigint,
  next_id integer REFERENCES hens (id) ON DELETE CASCADE);
CREATE TABLE eggs (id integer PRIMARY KEY, name text,
  hen_id integer REFERENCES hens (id) ON DELETE CASCADE);
ALTER TABLE hens ADD FOREIGN KEY (egg_id) REFERENCES eggs (id) {0};
)";

class UndoCircles : public OwnTables {
 protected:
  void open_circle(const std::string& action) {
    const bool is_postgres = GetParam() == AlbumsPlace::postgres;
    open(fmt::format(fmt::runtime(is_postgres ? kCircleLater : kCircle), action));
    answer(create(R"({"table":"hens","data":[{"name":"h1"},{"name":"h2"},{"name":"h3"}]})"));
    answer(create(R"({"table":"eggs","data":[{"name":"e1","hen_id":"hen_1"},)"
                  R"({"name":"e2","hen_id":"hen_2"}]})"));
  }
  void link(std::string_view hen, std::string_view column, std::string_view to) {
    answer(update(
        fmt::format(R"({{"table":"hens","data":{{"id":"{}","{}":"{}"}}}})", hen, column, to)));
  }
  void expect_back(std::string_view table, std::string_view ref, std::size_t gone) {
    const std::string before = all();
    const auto done = remove(by_ref(table, ref));
    answer(done);
    EXPECT_EQ(done->effects.size(), gone);
    EXPECT_NE(all(), before);
    const auto undone = undo(*done);
    answer(undone);
    EXPECT_EQ(all(), before);
    ASSERT_TRUE(undone);
    EXPECT_EQ(undone->effects.size(), gone);
    for (const RowEffect& effect : undone->effects) {
      EXPECT_EQ(effect.kind, RowEffect::Kind::created);
      EXPECT_TRUE(std::any_of(done->effects.begin(), done->effects.end(), [&](const auto& one) {
        return one.table == effect.table && one.before == effect.after;
      })) << "what an undo tells is the row as it is";
    }
  }
};

TEST_P(UndoCircles, R5_of_two_tables) {
  open_circle("ON DELETE CASCADE");
  link("hen_1", "egg_id", "egg_1");
  expect_back("hens", "hen_1", 2);
  expect_back("eggs", "egg_2", 1);
}

TEST_P(UndoCircles, R5_from_the_other_end) {
  open_circle("ON DELETE CASCADE");
  link("hen_1", "egg_id", "egg_1");
  expect_back("eggs", "egg_1", 2);
}

TEST_P(UndoCircles, R5_of_two_pairs_that_lead_to_each_other) {
  open_circle("ON DELETE CASCADE");
  link("hen_1", "egg_id", "egg_2");
  link("hen_2", "egg_id", "egg_1");
  expect_back("hens", "hen_1", 4);
}

TEST_P(UndoCircles, R5_of_one_table_and_of_a_row_with_itself) {
  open_circle("ON DELETE CASCADE");
  link("hen_1", "next_id", "hen_2");
  link("hen_2", "next_id", "hen_1");
  link("hen_3", "next_id", "hen_3");
  expect_back("hens", "hen_3", 1);
  expect_back("hens", "hen_1", 4);
}

TEST_P(UndoCircles, R5_where_a_link_is_emptied_first) {
  open_circle("ON DELETE SET NULL");
  link("hen_1", "egg_id", "egg_1");
  const std::string before = all();
  const auto done = remove(by_ref("eggs", "egg_1"));
  answer(done);
  answer(undo(*done));
  EXPECT_EQ(all(), before);
  expect_back("hens", "hen_1", 2);
}

INSTANTIATE_TEST_SUITE_P(Stores, UndoCircles,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
