#include "records/read/found_rows.h"

#include <algorithm>

#include "base/check.h"

namespace alfred {
namespace {

#ifdef NDEBUG
constexpr bool kIsChecked = false;
#else
constexpr bool kIsChecked = true;
#endif

// Rows that are longer together make a page with fewer of them: no answer shows so much.
constexpr std::size_t kMostFoundBytes = 16U << 20U;

std::size_t bytes_of(const Row& row) {
  std::size_t bytes = 0;
  for (const Value& value : row) {
    if (const auto* const text = std::get_if<std::string>(&value)) bytes += text->size();
    if (const auto* const blob = std::get_if<Bytes>(&value)) bytes += blob->bytes.size();
  }
  return bytes;
}

// SQLite takes numbers, texts and bytes into one column, and orders them so.
int storage_class(const Value& value) {
  if (std::holds_alternative<std::string>(value)) return 1;
  return std::holds_alternative<Bytes>(value) ? 2 : 0;
}

// As the database orders them. Where a column is one of numbers, PostgreSQL's long ones are texts.
int order_of(const Field& field, const Value& a, const Value& b) {
  const int class_a = storage_class(a);
  const int class_b = storage_class(b);
  const bool is_apart = class_a != class_b && field.type != FieldType::number;
  if (is_apart && !is_null(a) && !is_null(b)) return class_a - class_b;
  return compare_values(field, a, b).value_or(0);
}

class RowFinder {
 public:
  RowFinder(Tx& tx, RecordContext& context, const ReadRequest& request)
      : tx_(tx),
        request_(request),
        key_(key_fields(*request.table)),
        scores_(context.schema, *request.table, request.filter.searches()),
        found_{RowFields(*request.table)} {}

  Result<FoundRows> run() {
    if (!request_.generated.asks_database || request_.table->fields.empty()) {
      if (request_.wants_count) found_.count = 0;
      return std::move(found_);
    }
    if (Result<void> ok = scores_.prepare(tx_); !ok) return Unexpected(ok.error());
    add_fields();
    Result<void> ok = request_.is_by_score ? find_best() : find_in_order();
    if (ok && request_.wants_count && !found_.count) ok = count_all();
    if (!ok) return Unexpected(ok.error());
    return std::move(found_);
  }

 private:
  struct Best {
    int score = 0;
    std::size_t seen = 0;  // how many came before it: in the order of keys
    Row row;
  };

  void add_fields() {
    RowFields& fields = found_.fields;
    for (const Field* field : key_) fields.add(field);
    for (const Field* field : request_.columns) fields.add(field);
    for (const OrderBy& by : request_.order) fields.add(by.field);
    if (const Field* const label = request_.table->find(request_.table->label)) fields.add(label);
    if (request_.filter.pushed().is_exact) return;
    request_.filter.add_fields(fields);
    scores_.add_fields(fields);
    scores_.start_rows(fields);
  }

  SelectRows plan(const RowFields& fields) const {
    SelectRows plan;
    plan.table = request_.table;
    plan.fields.assign(fields.list().begin(), fields.list().end());
    plan.where = request_.filter.pushed().condition;
    return plan;
  }

  bool is_meant(const RowFields& fields, const Row& row) {
    scores_.start_row(row, nullptr);
    return is_started_meant(fields, row);
  }

  bool is_started_meant(const RowFields& fields, const Row& row) {
    return request_.filter.rest(
        fields, row, [&](std::size_t search, const Row&) { return scores_.score(search); });
  }

  // Rows without a key (SQLite has them) are not given: no ref could name one, no cursor go on
  // behind it.
  bool lacks_key(const Row& row) const {
    return std::any_of(key_.begin(), key_.end(),
                       [&](const Field* field) { return is_null(found_.fields.of(row, field)); });
  }

  Result<void> find_in_order() {
    const bool is_exact = request_.filter.pushed().is_exact;
    Result<void> done = find_in_order(is_exact);
    if (!done || found_.keyless == 0 || !is_exact) return done;
    found_.rows.clear();
    found_.keyless = 0;
    found_.count.reset();
    return find_in_order(false);
  }

  // From the cursor on. Where rows may be equal, also from those on that are like the last one
  // shown, but for as many of them as were shown.
  Result<void> go_on(SelectRows& wanted) {
    const CursorPlace& after = *request_.after;
    wanted.after = after.values;
    found_.skipped = after.rows_to_skip();
    if (after.equals == 0) return {};
    wanted.includes_after = true;
    SelectRows same = plan(found_.fields);
    Condition all{.parts = {same.where}};
    for (std::size_t i = 0; i < request_.order.size(); ++i) {
      Condition one{.kind = Condition::Kind::is_null, .field = request_.order[i].field};
      if (!is_null(after.values[i])) {
        one.kind = Condition::Kind::compare;
        one.values = {after.values[i]};
      }
      all.parts.push_back(std::move(one));
    }
    same.where = std::move(all);
    found_.like_last = 0;
    Result<void> done = tx_.scan(same, [&](const Row& row) -> Result<bool> {
      found_.like_last += is_meant(found_.fields, row) ? 1 : 0;
      return true;
    });
    found_.skipped = std::min(after.equals, found_.like_last);
    if (!done && done.error().code == ErrorCode::value) return foreign_cursor();
    return done;
  }

  Result<void> find_in_order(bool has_limit) {
    SelectRows wanted = plan(found_.fields);
    wanted.order = request_.order;
    if (request_.after)
      if (Result<void> ok = go_on(wanted); !ok) return ok;
    std::size_t to_skip = found_.skipped;
    if (has_limit) wanted.limit = to_skip + request_.limit + 1;
    std::size_t bytes = 0;
    Result<void> done = tx_.scan(wanted, [&](const Row& row) -> Result<bool> {
      if (!is_meant(found_.fields, row)) return true;
      if (lacks_key(row)) {
        ++found_.keyless;
        return true;
      }
      if (to_skip > 0) {
        --to_skip;
        return true;
      }
      found_.has_more = found_.rows.size() == request_.limit || bytes > kMostFoundBytes;
      if (found_.has_more) return false;
      bytes += bytes_of(row);
      found_.rows.push_back(row);
      return true;
    });
    if (!done && done.error().code == ErrorCode::value && request_.after) return foreign_cursor();
    if (done && !found_.has_more && !request_.after)
      found_.count = found_.rows.size() + found_.keyless;
    if (!request_.wants_count) found_.count.reset();
    return done;
  }

  Result<void> find_best() {
    SelectRows wanted = plan(found_.fields);
    wanted.order = request_.order;
    std::vector<Best> best;
    std::size_t count = 0;
    const std::size_t to_skip = request_.after ? request_.after->rows_to_skip() : 0;
    const std::size_t wanted_rows = to_skip + request_.limit + 1;
    int least = -1;  // that a row needs more than: as many are known that are no worse
    const auto look_at = [&](const Row& row, NotePlaces* notes) -> Result<bool> {
      scores_.start_row(row, notes);
      const int most = scores_.most();
      const bool may_be_left = least >= 0 && !request_.wants_count && !lacks_key(row);
      if ((may_be_left && most <= least) || (most == 0 && request_.filter.needs_search())) {
        if (kIsChecked)
          ALFRED_CHECK(!is_started_meant(found_.fields, row) || (may_be_left && score() <= least),
                       "no row gets more than it can get");
        return true;
      }
      if (!is_started_meant(found_.fields, row)) return true;
      ++count;
      if (lacks_key(row)) {
        ++found_.keyless;
        return true;
      }
      const int given = score();
      if (given > least && comes_after(given, row)) best.push_back({given, count, row});
      if (best.size() > 2 * wanted_rows) {
        keep_best(best, wanted_rows);
        least = best.back().score;
      }
      return true;
    };
    if (Result<void> done = tx_.scan_noted(wanted, look_at); !done) return done;
    keep_best(best, wanted_rows);
    best.erase(best.begin(),
               best.begin() + static_cast<std::ptrdiff_t>(std::min(to_skip, best.size())));
    if (request_.after) found_.skipped = std::min(request_.after->equals, found_.like_last);
    found_.has_more = best.size() > request_.limit;
    if (found_.has_more) best.resize(request_.limit);
    for (Best& one : best) {
      found_.scores.push_back(one.score);
      found_.rows.push_back(std::move(one.row));
    }
    if (request_.wants_count) found_.count = count;
    return {};
  }

  // Of the row that was started.
  int score() {
    int score = 0;
    for (std::size_t i = 0; i < request_.filter.searches().size(); ++i) score += scores_.score(i);
    return score;
  }

  static void keep_best(std::vector<Best>& best, std::size_t most) {
    std::sort(best.begin(), best.end(), [](const Best& a, const Best& b) {
      return a.score != b.score ? a.score > b.score : a.seen < b.seen;
    });
    if (best.size() > most) best.resize(most);
  }

  // Whether a row stands behind the cursor: a lower score, or the same and a greater key.
  bool comes_after(int score, const Row& row) {
    if (!request_.after || request_.after->values.empty()) return true;
    if (score != request_.after->score) return score < request_.after->score;
    for (std::size_t i = 0; i < request_.order.size(); ++i) {
      const int order =
          order_of(*request_.order[i].field, found_.fields.of(row, request_.order[i].field),
                   request_.after->values[i]);
      if (order != 0) return order > 0;
    }
    return request_.after->equals > 0 && ++found_.like_last > request_.after->equals;
  }

  Result<void> count_all() {
    RowFields fields(*request_.table);  // none where the database decides alone
    if (request_.filter.pushed().is_exact) {
      const Result<std::uint64_t> counted = tx_.count(plan(fields));
      if (!counted) return Unexpected(counted.error());
      found_.count = static_cast<std::size_t>(*counted);
      return {};
    }
    request_.filter.add_fields(fields);
    scores_.add_fields(fields);
    scores_.start_rows(fields);
    std::size_t count = 0;
    Result<void> done = tx_.scan(plan(fields), [&](const Row& row) -> Result<bool> {
      count += is_meant(fields, row) ? 1 : 0;
      return true;
    });
    found_.count = count;
    return done;
  }

  Tx& tx_;
  const ReadRequest& request_;
  std::vector<const Field*> key_;
  RowScores scores_;
  FoundRows found_;
};

NestedRows nested_plan(const Table& child, const Relation& relation) {
  NestedRows nested{&relation, RowFields(child)};
  for (const Field* field : key_fields(child)) nested.columns.push_back(field);
  for (const Field& field : child.fields) {
    // The way back to the parent is clear from where the row stands; when a row was written is
    // asked of the row itself.
    const bool is_own = field.name == child.created_at || field.name == child.updated_at;
    const bool is_shown = !field.is_hidden && !is_own && field.name != relation.column;
    if (is_shown && !child.is_key(field.name)) nested.columns.push_back(&field);
  }
  for (const Field* field : nested.columns) nested.fields.add(field);
  nested.fields.add(child.find(relation.column));
  if (const Field* const made = child.find(child.created_at)) nested.fields.add(made);
  return nested;
}

SelectRows nested_select(const NestedRows& nested, std::vector<Value> parents) {
  const Table& child = nested.fields.table();
  SelectRows plan;
  plan.table = &child;
  plan.fields.assign(nested.fields.list().begin(), nested.fields.list().end());
  plan.where.kind = Condition::Kind::in;
  plan.where.field = child.find(nested.relation->column);
  plan.where.values = std::move(parents);
  if (const Field* const made = child.find(child.created_at)) plan.order.push_back({made, false});
  for (const Field* field : key_fields(child)) plan.order.push_back({field, false});
  return plan;
}

}  // namespace

Result<FoundRows> find_rows(Tx& tx, RecordContext& context, const ReadRequest& request) {
  return RowFinder(tx, context, request).run();
}

Result<std::vector<NestedRows>> find_nested(Tx& tx, RecordContext& context,
                                            const ReadRequest& request, const FoundRows& found) {
  std::vector<NestedRows> all;
  for (const Relation* relation : request.include) {
    const Table& child = *context.schema.find(relation->table);
    NestedRows nested = nested_plan(child, *relation);
    std::vector<Value> parents;
    parents.reserve(found.rows.size());
    for (const Row& row : found.rows)
      parents.push_back(found.fields.of(row, key_fields(*request.table).front()));
    const Field* const back = child.find(relation->column);
    const Result<void> done = parents.empty()
                                  ? Result<void>()
                                  : tx.scan(nested_select(nested, std::move(parents)),
                                            [&](const Row& row) -> Result<bool> {
                                              const std::string parent =
                                                  key_text(*back, nested.fields.of(row, back));
                                              std::vector<Row>& rows = nested.of[parent];
                                              if (rows.size() < context.limits.nested_rows)
                                                rows.push_back(row);
                                              else
                                                nested.is_cut[parent] = true;
                                              return true;
                                            });
    if (!done) return Unexpected(done.error());
    all.push_back(std::move(nested));
  }
  return all;
}

}  // namespace alfred
