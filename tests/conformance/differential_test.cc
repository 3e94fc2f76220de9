// Random rows and random plans: both databases give the same rows in the same order.
#include "alfred/random.h"
#include "base/test_size.h"
#include "storage/exact_number.h"
#include "store_under_test.h"

namespace alfred {
namespace {

class Chooser {
 public:
  explicit Chooser(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t end) { return random_.next_u64() % end; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  Value value_of(const Field& field) {
    if (chance(6)) return {};
    static const std::vector<std::string> kTexts{"",  "a",  "A",  "b", "ab", "é", "z",
                                                 "ß", "日", "a ", "%", "_",  "'", "\""};
    switch (field.type) {
      case FieldType::integer: return static_cast<std::int64_t>(below(7)) - 3;
      case FieldType::number:
        if (!holds_floats(field) && chance(2)) return exact_number(kTwoTo53 - 2 + offset());
        return static_cast<double>(below(9)) / 4 - 1;
      case FieldType::boolean: return chance(2);
      default: return kTexts[below(kTexts.size())];
    }
  }

 private:
  static constexpr std::int64_t kTwoTo53 = 9007199254740992;
  std::int64_t offset() { return static_cast<std::int64_t>(below(6)); }

  SeededRandom random_;
};

class Differential : public testing::Test {
 protected:
  const Field* any_field() { return &library_.notes.fields[1 + choose_.below(5)]; }

  Condition condition(int depth) {
    Condition out;
    if (depth > 0 && choose_.chance(3)) {
      out.kind = choose_.chance(2) ? Condition::Kind::all : Condition::Kind::any;
      for (std::size_t i = choose_.below(4); i > 0; --i) out.parts.push_back(condition(depth - 1));
      return out;
    }
    constexpr std::array kLeaves{Condition::Kind::compare, Condition::Kind::compare,
                                 Condition::Kind::in,      Condition::Kind::not_in,
                                 Condition::Kind::is_null, Condition::Kind::is_not_null,
                                 Condition::Kind::tuple_in};
    out.kind = kLeaves[choose_.below(kLeaves.size())];
    out.field = any_field();
    out.op = static_cast<CompareOp>(choose_.below(6));
    if (out.kind == Condition::Kind::tuple_in) out.fields = {any_field(), any_field()};
    const std::size_t count = out.kind == Condition::Kind::compare ? 1 : choose_.below(4);
    for (std::size_t i = 0; i < count; ++i)
      if (out.fields.empty()) {
        out.values.push_back(choose_.value_of(*out.field));
      } else {
        for (const Field* field : out.fields) out.values.push_back(choose_.value_of(*field));
      }
    return out;
  }

  SelectRows plan() {
    SelectRows out =
        select_from(library_.notes, {"id", "body", "amount", "number", "is_done", "worth"});
    out.where = condition(3);
    for (std::size_t i = choose_.below(3); i > 0; --i)
      out.order.push_back({any_field(), choose_.chance(2)});
    out.order.push_back({field_of(library_.notes, "id"), choose_.chance(2)});
    if (choose_.chance(2)) out.limit = choose_.below(8);
    if (choose_.chance(3))
      for (const OrderBy& one : out.order) {
        out.after.push_back(choose_.value_of(*one.field));
        if (one.field->name == "id")
          out.after.back() = static_cast<std::int64_t>(choose_.below(40));
      }
    return out;
  }

  std::string answer(RecordStore& store, const std::function<Result<std::string>(Tx&)>& act) {
    const Result<std::string> done = store.write(call_of("ann"), act);
    return done ? *done : std::string(error_name(done.error().code));
  }

  std::vector<Row> rows_in(RecordStore& store, const SelectRows& select) {
    std::vector<Row> out;
    const Result<void> read = store.read({}, [&](Tx& tx) -> Result<void> {
      Result<std::vector<Row>> rows = tx.select(select);
      if (!rows) return Unexpected(rows.error());
      out = std::move(*rows);
      return {};
    });
    EXPECT_TRUE(read.has_value()) << told(read.error());
    return out;
  }

  void change_both() {
    InsertRow insert{&library_.notes, {}, {}};
    UpdateRows update{&library_.notes, {}, condition(2)};
    for (std::size_t i = 1; i < 6; ++i) {
      const Field& field = library_.notes.fields[i];
      insert.values.push_back({&field, choose_.value_of(field)});
      if (choose_.chance(2)) update.values.push_back({&field, choose_.value_of(field)});
    }
    const DeleteRows remove{&library_.notes, condition(2)};
    const std::size_t kind = choose_.below(6);
    const auto act = [&](Tx& tx) -> Result<std::string> {
      if (kind < 4) {
        const Result<Row> row = tx.insert(insert);
        return row ? Result<std::string>("1") : Unexpected(row.error());
      }
      const Result<std::uint64_t> changed = kind == 4 ? tx.update(update) : tx.remove(remove);
      return changed ? Result<std::string>(std::to_string(*changed)) : Unexpected(changed.error());
    };
    EXPECT_EQ(answer(*sqlite_, act), answer(*postgres_, act));
  }

  const std::uint64_t seed_ = OsRandom().next_u64();
  Chooser choose_{seed_};
  Library library_;
  PlaceForTests sqlite_place_{StoreKind::sqlite};
  PlaceForTests postgres_place_{StoreKind::postgres};
  std::unique_ptr<RecordStore> sqlite_ = open_library(sqlite_place_.url());
  std::unique_ptr<RecordStore> postgres_ = open_library(postgres_place_.url());
};

TEST_F(Differential, random_plans_have_the_same_answers) {
  SCOPED_TRACE(fmt::format("seed {}", seed_));
  const std::size_t rounds = test_size({100, 400, 20'000});
  for (std::size_t round = 0; round < rounds && !HasFailure(); ++round) {
    if (round < 30 || choose_.chance(3)) change_both();
    const SelectRows select = plan();
    EXPECT_EQ(rows_in(*sqlite_, select), rows_in(*postgres_, select)) << "round " << round;
  }
}

}  // namespace
}  // namespace alfred
