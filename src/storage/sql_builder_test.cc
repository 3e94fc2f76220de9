#include "storage/sql_builder.h"

#include "storage/tables_for_tests.h"

namespace alfred {
namespace {

using Kind = Condition::Kind;

std::string sql_of(const Result<BuiltSql>& built) {
  return built ? built->text : "error: " + built.error().message;
}

class SqlBuilder : public testing::Test {
 protected:
  Table books_ = books_for_tests();
  Table shop_ = shop_books_for_tests();
  const Caller nobody_;
  const Caller ann_{"ann"};
};

TEST_F(SqlBuilder, R1_names_are_quoted_and_values_are_parameters) {
  Table odd;
  odd.name = R"(a"b; drop)";
  odd.fields = {Field{.name = R"(c" --)", .is_nullable = false}};
  const SelectRows plan{.table = &odd,
                        .fields = {&odd.fields[0]},
                        .where = compare(&odd.fields[0], CompareOp::eq, std::string("'; DROP"))};
  EXPECT_EQ(sql_of(build_sql(Dialect::sqlite, nobody_, plan)),
            R"(SELECT t."c"" --" FROM "a""b; drop" AS t WHERE t."c"" --" COLLATE BINARY = ?1)");
  EXPECT_EQ(sql_of(build_sql(Dialect::postgres, nobody_, plan)),
            R"(SELECT t."c"" --" FROM "a""b; drop" AS t WHERE t."c"" --" = $1::text)");
}

TEST_F(SqlBuilder, R1_a_schema_is_part_of_a_name_on_postgres_only) {
  const DeleteRows plan{&shop_, compare(&shop_.fields[1], CompareOp::eq, std::int64_t{7})};
  EXPECT_EQ(
      sql_of(build_sql(Dialect::postgres, ann_, plan)),
      R"(DELETE FROM "shop"."books" AS t WHERE t."user_id" = $2::text AND t."n" = $1::bigint)");
  EXPECT_EQ(
      sql_of(build_sql(Dialect::sqlite, ann_, plan)),
      R"(DELETE FROM "shop.books" AS t WHERE t."user_id" COLLATE BINARY = ?2 AND t."n" = ?1)");
}

TEST_F(SqlBuilder, R2_a_table_with_an_owner_needs_a_user) {
  const Condition where = compare(&shop_.fields[1], CompareOp::eq, std::int64_t{7});
  const std::vector<FieldValue> values{{&shop_.fields[1], std::int64_t{8}}};
  for (const Dialect dialect : {Dialect::sqlite, Dialect::postgres}) {
    const Result<BuiltSql> all[] = {
        build_sql(dialect, nobody_, SelectRows{.table = &shop_, .where = where}),
        build_sql(dialect, nobody_, InsertRow{&shop_, values, {}}),
        build_sql(dialect, nobody_, UpdateRows{&shop_, values, where}),
        build_sql(dialect, nobody_, DeleteRows{&shop_, where})};
    for (const Result<BuiltSql>& built : all) {
      ASSERT_FALSE(built);
      EXPECT_EQ(built.error().code, ErrorCode::table);
    }
  }
}

TEST_F(SqlBuilder, R2_the_owner_is_part_of_every_statement) {
  const Condition where = compare(&shop_.fields[1], CompareOp::eq, std::int64_t{7});
  const std::vector<FieldValue> values{{&shop_.fields[1], std::int64_t{8}}};
  const Result<BuiltSql> all[] = {
      build_sql(Dialect::sqlite, ann_, SelectRows{.table = &shop_, .where = where}),
      build_sql(Dialect::sqlite, ann_, InsertRow{&shop_, values, {}}),
      build_sql(Dialect::sqlite, ann_, UpdateRows{&shop_, values, where}),
      build_sql(Dialect::sqlite, ann_, DeleteRows{&shop_, where})};
  for (const Result<BuiltSql>& built : all) {
    ASSERT_TRUE(built);
    EXPECT_NE(built->text.find("user_id"), std::string::npos);
    const auto is_ann = [](const SqlParameter& one) { return one.value == Value("ann"); };
    EXPECT_EQ(std::count_if(built->parameters.begin(), built->parameters.end(), is_ann), 1);
  }
}

TEST_F(SqlBuilder, R2_an_or_does_not_reach_past_the_owner) {
  const Condition where{.kind = Kind::any,
                        .parts = {compare(&shop_.fields[1], CompareOp::gt, std::int64_t{1}),
                                  Condition{.kind = Kind::is_null, .field = &shop_.fields[1]}}};
  EXPECT_EQ(sql_of(build_sql(Dialect::postgres, ann_, SelectRows{.table = &shop_, .where = where})),
            R"(SELECT 1 FROM "shop"."books" AS t WHERE t."user_id" = $2::text AND )"
            R"((t."n" > $1::bigint OR t."n" IS NULL))");
}

TEST_F(SqlBuilder, R3_every_condition_is_counted_and_none_is_dropped) {
  const Field* n = &shop_.fields[1];
  const Condition where{
      .kind = Kind::all,
      .parts = {Condition{.kind = Kind::in, .field = n},
                Condition{.kind = Kind::not_in, .field = n},
                Condition{.kind = Kind::tuple_in, .fields = {n}}, Condition{.kind = Kind::any},
                Condition{.kind = Kind::is_not_null, .field = n}}};
  const Result<BuiltSql> built =
      build_sql(Dialect::postgres, ann_, SelectRows{.table = &shop_, .where = where});
  EXPECT_EQ(sql_of(built),
            R"(SELECT 1 FROM "shop"."books" AS t WHERE t."user_id" = $1::text AND )"
            R"((FALSE AND t."n" IS NOT NULL AND FALSE AND FALSE AND t."n" IS NOT NULL))");
  EXPECT_EQ(built->predicates, 5U);
}

TEST_F(SqlBuilder, R4_lists_of_like_length_share_one_text) {
  const Field* n = &shop_.fields[1];
  const auto text_for = [&](std::size_t count) {
    Condition in{.kind = Kind::in, .field = n};
    for (std::size_t i = 0; i < count; ++i) in.values.emplace_back(static_cast<std::int64_t>(i));
    return build_sql(Dialect::sqlite, ann_, SelectRows{.table = &shop_, .where = in});
  };
  EXPECT_EQ(text_for(5)->text, text_for(8)->text);
  EXPECT_NE(text_for(5)->text, text_for(4)->text);
  EXPECT_EQ(text_for(5)->parameters[7].value, Value(std::int64_t{4}));
  EXPECT_EQ(text_for(16'385).error().code, ErrorCode::limit);
}

TEST_F(SqlBuilder, R4_tuples_become_rows_of_values) {
  const Condition where{.kind = Kind::tuple_in,
                        .values = {std::string("a"), std::int64_t{1}, std::string("b"),
                                   std::int64_t{2}, std::string("c"), std::int64_t{3}},
                        .fields = {&shop_.fields[2], &shop_.fields[1]}};
  EXPECT_EQ(
      sql_of(build_sql(Dialect::sqlite, ann_, DeleteRows{&shop_, where})),
      R"(DELETE FROM "shop.books" AS t WHERE t."user_id" COLLATE BINARY = ?9 AND )"
      R"((t."title" COLLATE BINARY, t."n") IN (VALUES (?1, ?2), (?3, ?4), (?5, ?6), (?7, ?8)))");
  EXPECT_EQ(sql_of(build_sql(Dialect::postgres, ann_, DeleteRows{&shop_, where})),
            R"(DELETE FROM "shop"."books" AS t WHERE t."user_id" = $9::text AND )"
            R"((t."title", t."n") IN (VALUES ($1::text, $2::bigint), ($3::text, $4::bigint), )"
            R"(($5::text, $6::bigint), ($7::text, $8::bigint)))");
}

TEST_F(SqlBuilder, R5_a_change_of_every_row_is_refused) {
  const std::vector<FieldValue> values{{&shop_.fields[1], std::int64_t{8}}};
  const Condition all{.kind = Kind::all, .parts = {Condition{.kind = Kind::all}}};
  EXPECT_EQ(build_sql(Dialect::sqlite, ann_, DeleteRows{&shop_, {}}).error().code,
            ErrorCode::filter_required);
  EXPECT_EQ(build_sql(Dialect::sqlite, ann_, UpdateRows{&shop_, values, all}).error().code,
            ErrorCode::filter_required);
}

TEST_F(SqlBuilder, R5_the_owner_is_never_given) {
  const std::vector<FieldValue> values{{&shop_.fields[0], std::string("bob")}};
  const Condition where = compare(&shop_.fields[1], CompareOp::eq, std::int64_t{7});
  EXPECT_EQ(build_sql(Dialect::sqlite, ann_, InsertRow{&shop_, values, {}}).error().code,
            ErrorCode::column_readonly);
  EXPECT_EQ(build_sql(Dialect::sqlite, ann_, UpdateRows{&shop_, values, where}).error().code,
            ErrorCode::column_readonly);
}

TEST_F(SqlBuilder, R6_casts_follow_the_database_type) {
  InsertRow plan{.table = &books_};
  std::vector<const Field*> all;
  for (const Field& field : books_.fields) {
    plan.values.push_back({&field, std::string("x")});
    all.push_back(&field);
  }
  plan.returning = all;
  EXPECT_EQ(
      sql_of(build_sql(Dialect::postgres, nobody_, plan)),
      R"(INSERT INTO "books" ("id", "title", "mood", "pages", "price", "weight", "is_out", "is_old", )"
      R"("born", "seen", "extra", "tags") VALUES ($1::uuid, $2::text, $3::mood, $4::bigint, )"
      R"($5::numeric, $6::real, $7::boolean, $8::bigint, $9::date, $10::timestamptz, $11::jsonb, )"
      R"((CASE WHEN $12::jsonb IS NULL THEN NULL ELSE ARRAY(SELECT jsonb_array_elements_text()"
      R"($12::jsonb)) END)::text[]) RETURNING "id", "title", "mood", "pages", "price", "weight", )"
      R"("is_out", "is_old", "born", CASE WHEN isfinite("seen" AT TIME ZONE 'UTC') AND "seen" AT )"
      R"(TIME ZONE 'UTC' >= '0001-01-01' THEN regexp_replace(to_char("seen" AT TIME ZONE 'UTC', )"
      R"('YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z$', 'Z') ELSE ("seen" AT TIME ZONE 'UTC')::text END, )"
      R"("extra", array_to_json("tags")::text)");
}

TEST_F(SqlBuilder, R6_a_boolean_is_a_number_where_the_column_is_one) {
  const InsertRow plan{
      .table = &books_,
      .values = {{books_.fields.data() + 6, true}, {books_.fields.data() + 7, true}},
      .returning = {}};
  const Result<BuiltSql> postgres = build_sql(Dialect::postgres, nobody_, plan);
  EXPECT_EQ(postgres->parameters[0].value, Value(true));
  EXPECT_EQ(postgres->parameters[1].value, Value(std::int64_t{1}));
  EXPECT_EQ(build_sql(Dialect::sqlite, nobody_, plan)->parameters[0].value, Value(std::int64_t{1}));
}

TEST_F(SqlBuilder, numbers_that_only_the_database_gives_are_kept_where_asked) {
  const InsertRow plan{&books_, {{books_.find("pages"), std::int64_t{1}}}, {}, true};
  EXPECT_EQ(sql_of(build_sql(Dialect::postgres, nobody_, plan)),
            R"(INSERT INTO "books" ("pages") OVERRIDING SYSTEM VALUE VALUES ($1::bigint))");
  EXPECT_EQ(sql_of(build_sql(Dialect::sqlite, nobody_, plan)),
            R"(INSERT INTO "books" ("pages") VALUES (?1))");
}

TEST_F(SqlBuilder, what_a_foreign_key_reaches_is_counted_whoever_owns_it) {
  const ActingLink link{"shop.books", {"a", "b"}, {"x", "y"}};
  const DeleteRows going{&shop_, compare(shop_.find("n"), CompareOp::eq, std::int64_t{7})};
  const std::string all = sql_of(acted_on_sql(Dialect::postgres, ann_, link, going, nullptr));
  EXPECT_EQ(
      all,
      R"(SELECT count(*) FROM (SELECT t."x" AS k0, t."y" AS k1 FROM "shop"."books" AS t WHERE )"
      R"(t."user_id" = $2::text AND t."n" = $1::bigint) AS gone JOIN "shop"."books" AS t ON )"
      R"(gone.k0 = t."a" AND gone.k1 = t."b")");
  const SelectRows among{.table = &shop_};
  const std::string own = sql_of(acted_on_sql(Dialect::postgres, ann_, link, going, &among));
  EXPECT_TRUE(own.starts_with(all + R"( WHERE t."user_id" = $3::text)")) << own;
  EXPECT_FALSE(acted_on_sql(Dialect::sqlite, nobody_, link, going, nullptr));
}

TEST_F(SqlBuilder, order_is_by_bytes_with_nulls_last) {
  const SelectRows plan{.table = &books_,
                        .order = {{books_.fields.data() + 1, true},
                                  {books_.fields.data() + 2, false},
                                  {books_.fields.data(), false}},
                        .limit = 3,
                        .is_for_update = true};
  EXPECT_EQ(
      sql_of(build_sql(Dialect::postgres, nobody_, plan)),
      R"(SELECT 1 FROM "books" AS t WHERE TRUE ORDER BY t."title" COLLATE "C" DESC NULLS LAST, )"
      R"(t."mood"::text COLLATE "C" ASC NULLS LAST, t."id" ASC LIMIT $1::bigint FOR UPDATE)");
  EXPECT_EQ(
      sql_of(build_sql(Dialect::sqlite, nobody_, plan)),
      R"(SELECT 1 FROM "books" AS t WHERE TRUE ORDER BY t."title" COLLATE BINARY DESC NULLS LAST, )"
      R"(t."mood" COLLATE BINARY ASC NULLS LAST, t."id" COLLATE BINARY ASC LIMIT ?1)");
}

TEST_F(SqlBuilder, after_a_null_only_nulls_follow) {
  SelectRows plan{.table = &books_,
                  .order = {{books_.fields.data() + 3, true}, {books_.fields.data(), false}},
                  .after = {std::monostate(), std::string("k")}};
  EXPECT_EQ(
      sql_of(build_sql(Dialect::postgres, nobody_, plan)),
      R"(SELECT 1 FROM "books" AS t WHERE TRUE AND (t."pages" IS NULL AND (t."id" > $1::uuid)) )"
      R"(ORDER BY t."pages" DESC NULLS LAST, t."id" ASC)");
  plan.after[0] = std::int64_t{9};
  EXPECT_EQ(
      sql_of(build_sql(Dialect::postgres, nobody_, plan)),
      R"(SELECT 1 FROM "books" AS t WHERE TRUE AND (t."pages" < $2::bigint OR t."pages" IS NULL )"
      R"(OR (t."pages" = $2::bigint AND (t."id" > $1::uuid))) )"
      R"(ORDER BY t."pages" DESC NULLS LAST, t."id" ASC)");
}

}  // namespace
}  // namespace alfred
