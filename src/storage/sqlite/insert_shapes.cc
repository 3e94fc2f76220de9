#include "storage/sqlite/insert_shapes.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

namespace alfred {
namespace {

constexpr std::size_t kMostShapes = 32;

bool fits(const InsertShapes::Shape& shape, const InsertRow& plan) {
  return shape.table == plan.table && shape.returning == plan.returning &&
         std::equal(shape.given.begin(), shape.given.end(), plan.values.begin(), plan.values.end(),
                    [](const Field* field, const FieldValue& one) { return field == one.field; });
}

// Whatever happened to its last row, the next one finds it ready.
class ResetScope {
 public:
  explicit ResetScope(LentStatement& statement) : statement_(statement) {}
  ResetScope(const ResetScope&) = delete;
  ResetScope& operator=(const ResetScope&) = delete;
  ~ResetScope() { statement_.reset(); }

 private:
  LentStatement& statement_;
};

Result<Row> first_row(LentStatement& statement, const Table* table,
                      const std::vector<const Field*>& fields) {
  Row row;
  for (;;) {
    Result<bool> has_row = statement.step(table);
    if (!has_row) return Unexpected(std::move(has_row).error());
    if (!*has_row) return row;
    row = row_of(statement, fields);
  }
}

}  // namespace

Row row_of(const LentStatement& statement, const std::vector<const Field*>& fields) {
  Row row;
  row.reserve(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    row.push_back(statement.cell(static_cast<int>(i), fields[i]));
  return row;
}

InsertShapes::Shape* InsertShapes::find(const InsertRow& plan) {
  for (const std::unique_ptr<Shape>& shape : shapes_)
    if (fits(*shape, plan)) return shape.get();
  return nullptr;
}

Result<InsertShapes::Shape*> InsertShapes::add(const InsertRow& plan) {
  Result<std::unique_ptr<Shape>> made = make(plan);
  if (!made) return Unexpected(std::move(made).error());
  if (shapes_.size() == kMostShapes) shapes_.erase(shapes_.begin());
  shapes_.push_back(std::move(*made));
  return shapes_.back().get();
}

Result<std::unique_ptr<InsertShapes::Shape>> InsertShapes::make(const InsertRow& plan) {
  std::optional<LentStatement> read;
  const std::string text =
      plan.returning.empty() ? std::string() : row_by_number_sql(*plan.table, plan.returning);
  if (!text.empty())
    if (Result<LentStatement> prepared = connection_.prepare(text))
      read.emplace(std::move(*prepared));
  InsertRow insert = plan;
  if (read) insert.returning.clear();
  Result<BuiltSql> built = build_sql(Dialect::sqlite, caller_, insert);
  if (!built) return Unexpected(std::move(built).error());
  Result<LentStatement> prepared = connection_.prepare(built->text);
  if (!prepared) return Unexpected(std::move(prepared).error());
  std::vector<const Field*> given;
  given.reserve(plan.values.size());
  for (const FieldValue& one : plan.values) given.push_back(one.field);
  const bool has_owner = built->parameters.size() > plan.values.size();
  return std::unique_ptr<Shape>(new Shape{
      plan.table, std::move(given), plan.returning,
      has_owner ? std::optional(std::move(built->parameters.front().value)) : std::nullopt,
      std::move(*prepared), std::move(read)});
}

Result<void> InsertShapes::check(const InsertRow& plan) {
  for (const FieldValue& one : plan.values)
    if (Result<void> fits = check_parameter(one.field, one.value); !fits) return fits;
  return {};
}

Result<Row> InsertShapes::insert(Shape& shape, const InsertRow& plan) {
  const ResetScope reset(shape.insert);
  connection_.guard().start_statement();
  int index = 0;
  if (shape.owner)
    if (Result<void> bound = shape.insert.bind(++index, *shape.owner); !bound)
      return Unexpected(std::move(bound).error());
  for (const FieldValue& one : plan.values)
    if (Result<void> bound = shape.insert.bind(++index, one.value); !bound)
      return Unexpected(std::move(bound).error());
  Result<Row> row = first_row(shape.insert, plan.table, plan.returning);
  if (!row || !shape.read || sqlite3_changes64(connection_.handle()) == 0) return row;
  const Value number = sqlite3_last_insert_rowid(connection_.handle());
  const ResetScope reset_read(*shape.read);
  if (Result<void> bound = shape.read->bind(1, number); !bound)
    return Unexpected(std::move(bound).error());
  const Result<bool> is_there = shape.read->step(plan.table);
  if (!is_there) return Unexpected(is_there.error());
  return *is_there ? row_of(*shape.read, plan.returning) : Row();
}

}  // namespace alfred
