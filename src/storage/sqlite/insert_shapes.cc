#include "storage/sqlite/insert_shapes.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "base/plain_bytes.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

constexpr std::size_t kMostShapes = 32;

// In Shape::sources, beside the places in `given`.
constexpr int kFromOwner = -1;
constexpr int kFromNobody = -2;

#ifdef NDEBUG
constexpr bool kReadsWhatIsKnown = false;
#else
constexpr bool kReadsWhatIsKnown = true;
#endif

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
  if (last_ < shapes_.size() && fits(*shapes_[last_], plan)) return shapes_[last_].get();
  for (last_ = 0; last_ < shapes_.size(); ++last_)
    if (fits(*shapes_[last_], plan)) return shapes_[last_].get();
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
  std::string text =
      plan.returning.empty() ? std::string() : row_by_number_sql(*plan.table, plan.returning);
  if (!text.empty()) {
    if (Result<LentStatement> prepared = connection_.prepare(text))
      read.emplace(std::move(*prepared));
    else
      text.clear();
  }
  InsertRow insert = plan;
  if (read) insert.returning = {};
  Result<BuiltSql> built = build_sql(Dialect::sqlite, caller_, insert);
  if (!built) return Unexpected(std::move(built).error());
  const Result<const TableForm*> found = connection_.form_of(plan.table->name);
  if (!found) return Unexpected(found.error());
  const TableForm& form = **found;
  Result<LentStatement> prepared =
      connection_.prepare(form.replaces_rows ? sparing_rows(built->text) : built->text);
  if (!prepared) return Unexpected(std::move(prepared).error());
  std::vector<const Field*> given;
  given.reserve(plan.values.size());
  for (const FieldValue& one : plan.values) given.push_back(one.field);
  const bool has_owner = built->parameters.size() > plan.values.size();
  std::unique_ptr<Shape> shape(new Shape{
      plan.table, std::move(given), plan.returning,
      has_owner ? std::optional(std::move(built->parameters.front().value)) : std::nullopt,
      std::move(*prepared), std::move(text), std::nullopt});
  take_forms(form, *shape);
  return shape;
}

// Leaves `sources` empty when any cell may be something that was not given.
void InsertShapes::take_forms(const TableForm& form, Shape& shape) {
  if (shape.read_text.empty() || !form.keeps_rows) return;
  std::vector<const ColumnForm*> forms;
  forms.reserve(shape.given.size());
  for (const Field* const field : shape.given) forms.push_back(form.find(field->name));
  if (std::find(forms.begin(), forms.end(), nullptr) != forms.end()) return;
  std::vector<int> sources;
  for (const Field* const field : shape.returning.fields()) {
    const ColumnForm* const column = form.find(field->name);
    if (column == nullptr) return;
    const auto at = std::find(shape.given.begin(), shape.given.end(), field);
    if (at != shape.given.end()) {
      const int place = static_cast<int>(at - shape.given.begin());
      // A value moves into one cell only.
      if (std::find(sources.begin(), sources.end(), place) != sources.end()) return;
      sources.push_back(place);
    } else if (shape.owner && field->name == shape.table->owner) {
      if (!is_kept_as_given(*column, *field, *shape.owner)) return;
      sources.push_back(kFromOwner);
    } else {
      if (!column->is_empty_unless_given) return;
      sources.push_back(kFromNobody);
    }
  }
  shape.is_plain = !form.has_conflict_clause &&
                   std::all_of(shape.given.begin(), shape.given.end(), [](const Field* field) {
                     return field->time_form == TimeForm::ours;
                   });
  shape.sources = std::move(sources);
  shape.forms = std::move(forms);
}

bool InsertShapes::is_known(const Shape& shape, const InsertRow& plan) {
  if (shape.sources.empty()) return false;
  for (std::size_t i = 0; i < plan.values.size(); ++i)
    if (!is_kept_as_given(*shape.forms[i], *shape.given[i], plan.values[i].value)) return false;
  return true;
}

bool InsertShapes::is_known_and_fits(const Shape& shape, const InsertRow& plan) {
  if (shape.sources.empty()) return false;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& value = plan.values[i].value;
    const auto* const text = std::get_if<std::string>(&value);
    const bool is_seen = text != nullptr && is_plain_ascii(*text) && keeps_texts(*shape.forms[i]);
    if (is_seen) continue;
    if (!check_parameter(plan.values[i].field, value)) return false;
    if (!is_kept_as_given(*shape.forms[i], *shape.given[i], value)) return false;
  }
  return true;
}

Row InsertShapes::take_row(const Shape& shape, InsertRow& plan) {
  Row row;
  row.reserve(shape.sources.size());
  for (const int source : shape.sources) {
    if (source >= 0)
      row.push_back(std::move(plan.values[static_cast<std::size_t>(source)].value));
    else
      row.push_back(source == kFromOwner ? *shape.owner : Value());
  }
  return row;
}

Result<void> InsertShapes::check(const InsertRow& plan) {
  for (const FieldValue& one : plan.values)
    if (Result<void> fits = check_parameter(one.field, one.value); !fits) return fits;
  return {};
}

Result<Row> InsertShapes::insert(Shape& shape, InsertRow& plan) {
  const ResetScope reset(shape.insert);
  connection_.guard().start_statement();
  int index = 0;
  if (shape.owner)
    if (Result<void> bound = shape.insert.bind(++index, *shape.owner); !bound)
      return Unexpected(std::move(bound).error());
  std::vector<Value> written;  // what is stored in another form than it was given in
  for (const FieldValue& one : plan.values) {
    const Value* value = &one.value;
    if (one.field->time_form != TimeForm::ours) {
      written.reserve(plan.values.size());
      value = &written.emplace_back(parameter_value(Dialect::sqlite, *one.field, one.value));
    }
    if (Result<void> bound = shape.insert.bind(++index, *value); !bound)
      return Unexpected(std::move(bound).error());
  }
  Result<Row> row = first_row(shape.insert, plan.table, plan.returning);
  if (!row || shape.read_text.empty() || sqlite3_changes64(connection_.handle()) == 0) return row;
  if (!is_known(shape, plan)) return read_back(shape);
  Row given = take_row(shape, plan);
  if (Result<void> same = check_last(shape, given); !same)
    return Unexpected(std::move(same).error());
  return given;
}

Result<void> InsertShapes::check_last(Shape& shape, const Row& row) {
  if constexpr (kReadsWhatIsKnown) {
    const Result<Row> stored = read_back(shape);
    if (!stored || *stored != row)
      return fail(ErrorCode::bug, "A row is not stored as it was taken to be.", shape.table->name);
  }
  return {};
}

Result<LentStatement*> InsertShapes::run_of(const Table& table, const FieldList& fields,
                                            std::size_t rows) {
  for (const std::unique_ptr<Run>& run : runs_)
    if (run->table == &table && run->rows == rows && run->fields == fields) return &run->insert;
  Result<LentStatement> prepared = connection_.prepare(insert_rows_sql(table, fields, rows));
  if (!prepared) return Unexpected(std::move(prepared).error());
  if (runs_.size() == kMostShapes) runs_.erase(runs_.begin());
  runs_.push_back(std::unique_ptr<Run>(new Run{&table, fields, rows, std::move(*prepared)}));
  return &runs_.back()->insert;
}

Result<void> InsertShapes::insert_known(const Table& table, const FieldList& fields,
                                        std::span<const Row> rows) {
  const Result<LentStatement*> found = run_of(table, fields, rows.size());
  if (!found) return Unexpected(found.error());
  LentStatement& statement = **found;
  const ResetScope reset(statement);
  connection_.guard().start_statement();
  if (Result<void> bound = statement.bind_rows(rows); !bound) return bound;
  const Result<bool> done = statement.step(&table);
  if (!done) return Unexpected(done.error());
  if (sqlite3_changes64(connection_.handle()) == static_cast<sqlite3_int64>(rows.size())) return {};
  return fail(ErrorCode::bug, "Fewer rows are stored than were inserted.", table.name);
}

Result<Row> InsertShapes::read_back(Shape& shape) {
  if (!shape.read) {
    Result<LentStatement> prepared = connection_.prepare(shape.read_text);
    if (!prepared) return Unexpected(std::move(prepared).error());
    shape.read.emplace(std::move(*prepared));
  }
  const Value number = sqlite3_last_insert_rowid(connection_.handle());
  const ResetScope reset(*shape.read);
  if (Result<void> bound = shape.read->bind(1, number); !bound)
    return Unexpected(std::move(bound).error());
  const Result<bool> is_there = shape.read->step(shape.table);
  if (!is_there) return Unexpected(is_there.error());
  return *is_there ? row_of(*shape.read, shape.returning) : Row();
}

}  // namespace alfred
