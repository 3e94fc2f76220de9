// Tables for tests of this folder, written by hand: one with a column of every kind, one with an
// owner.
#pragma once

#include <utility>

#include "storage/row_plans.h"

namespace alfred {

inline Condition compare(const Field* field, CompareOp op, Value value) {
  return Condition{
      .kind = Condition::Kind::compare, .field = field, .op = op, .values = {std::move(value)}};
}

inline Table books_for_tests() {
  Table table;
  table.name = "books";
  table.key = {"id"};
  table.fields = {
      Field{.name = "id", .type = FieldType::uuid, .database_type = "uuid", .is_nullable = false},
      Field{.name = "title", .type = FieldType::text, .database_type = "character varying(40)"},
      Field{.name = "mood", .type = FieldType::text, .database_type = "mood"},
      Field{.name = "pages", .type = FieldType::integer, .database_type = "integer"},
      Field{.name = "price", .type = FieldType::number, .database_type = "numeric(10,2)"},
      Field{.name = "weight", .type = FieldType::number, .database_type = "real"},
      Field{.name = "is_out", .type = FieldType::boolean, .database_type = "boolean"},
      Field{.name = "is_old", .type = FieldType::boolean, .database_type = "integer"},
      Field{.name = "born", .type = FieldType::date, .database_type = "date"},
      Field{.name = "seen",
            .type = FieldType::instant,
            .database_type = "timestamp(3) with time zone"},
      Field{.name = "extra", .type = FieldType::json, .database_type = "jsonb"},
      Field{.name = "tags", .type = FieldType::list, .database_type = "text[]"},
  };
  return table;
}

inline Table shop_books_for_tests() {
  Table table;
  table.name = "shop.books";
  table.owner = "user_id";
  table.key = {"n"};
  table.fields = {
      Field{.name = "user_id",
            .type = FieldType::text,
            .database_type = "text",
            .is_nullable = false,
            .is_hidden = true,
            .is_read_only = true},
      Field{.name = "n", .type = FieldType::integer, .database_type = "bigint"},
      Field{.name = "title", .type = FieldType::text, .database_type = "text"},
  };
  return table;
}

}  // namespace alfred
