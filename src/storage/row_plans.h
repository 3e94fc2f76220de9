// What can be asked of users' rows, as values: the only input of the one function that writes SQL
// for them (sql_builder.h). Tables and fields are pointers into a Schema, so a name that is in no
// schema cannot be said; values travel as parameters.
//
// R1 the caller's owner is added to every plan on a table with an owner, by the builder.
// R2 text compares by its bytes, in conditions and in order; nulls come last, also descending.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pack/schema.h"
#include "storage/value.h"

namespace alfred {

enum class CompareOp : std::uint8_t { eq, ne, lt, le, gt, ge };

// A tree of conditions. An empty `all` holds for every row, an empty `any` for none.
struct Condition {
  enum class Kind : std::uint8_t {
    all,          // of parts
    any,          // of parts
    compare,      // field op values[0]; false on null
    in,           // field is one of values; no values: false
    not_in,       // field is none of values and not null; no values: not null
    is_null,      // of field
    is_not_null,  // of field
    tuple_in,     // (fields…) is one of the tuples, which lie one after the other in values
  };
  Kind kind = Kind::all;
  std::vector<Condition> parts{};
  const Field* field = nullptr;
  CompareOp op = CompareOp::eq;
  std::vector<Value> values{};
  std::vector<const Field*> fields{};  // tuple_in
};

struct OrderBy {
  const Field* field = nullptr;
  bool is_descending = false;
};

struct SelectRows {
  const Table* table = nullptr;
  std::vector<const Field*> fields{};  // the columns of the rows that come back, in this order
  Condition where{};
  std::vector<OrderBy> order{};
  // Only rows that come after these values of `order`, one each. Where its last fields are not the
  // key, so that rows may be equal: also those that are equal, if they are to be included.
  std::vector<Value> after{};
  bool includes_after = false;
  std::optional<std::size_t> limit{};
  bool is_for_update = false;  // locks the rows until the transaction ends
};

struct FieldValue {
  const Field* field = nullptr;
  Value value;
};

// Fields that many plans name alike: a copy shares them.
class FieldList {
 public:
  using Fields = std::vector<const Field*>;
  FieldList() = default;
  FieldList(Fields fields)  // NOLINT(google-explicit-constructor): a list is what it holds
      : fields_(std::make_shared<const Fields>(std::move(fields))) {}
  FieldList(std::initializer_list<const Field*> fields) : FieldList(Fields(fields)) {}
  operator const Fields&() const {  // NOLINT(google-explicit-constructor)
    static const Fields none;
    return fields_ == nullptr ? none : *fields_;
  }
  const Fields& fields() const { return *this; }
  bool empty() const { return fields_ == nullptr || fields_->empty(); }
  friend bool operator==(const FieldList& a, const FieldList& b) {
    return a.fields_ == b.fields_ || a.fields() == b.fields();
  }

 private:
  std::shared_ptr<const Fields> fields_{};
};

struct InsertRow {
  const Table* table = nullptr;
  std::vector<FieldValue> values;
  FieldList returning;             // of the row as it is stored
  bool keeps_its_numbers = false;  // also where only the database gives them
};

// Several rows of one table by one statement, for PostgreSQL. Their values are given to the text
// that is built: row by row, after the owner's if there is one.
struct InsertRows {
  const Table* table = nullptr;
  std::vector<const Field*> fields;  // that each of the rows has a value for
  std::size_t rows = 0;
  FieldList returning;
  bool keeps_its_numbers = false;
};

struct UpdateRows {
  const Table* table = nullptr;
  std::vector<FieldValue> values;
  Condition where;
};

struct DeleteRows {
  const Table* table = nullptr;
  Condition where;
};

}  // namespace alfred
