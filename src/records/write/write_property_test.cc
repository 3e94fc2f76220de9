// Random calls on real databases. What they say they did is replayed on plain rows in memory,
// which must then be the database; undone from the end, they must lead back to its beginning.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "records/record_keys.h"
#include "records/write/albums_for_tests.h"

namespace alfred {
namespace {

struct KnownRow {
  const Table* table;
  RecordKey key;
  Row row;
};

class RowsInMemory {
 public:
  void apply(const RowEffect& effect) {
    const auto at = find(effect);
    if (effect.kind == RowEffect::Kind::created) {
      ASSERT_EQ(at, rows_.end());
      rows_.push_back({effect.table, effect.key, effect.after.value()});
      return;
    }
    ASSERT_NE(at, rows_.end());
    EXPECT_EQ(at->row, effect.before.value());
    if (effect.kind == RowEffect::Kind::deleted)
      rows_.erase(at);
    else
      at->row = effect.after.value();
  }
  void undo(const RowEffect& effect) {
    const auto at = find(effect);
    if (effect.kind == RowEffect::Kind::created)
      rows_.erase(at);
    else if (effect.kind == RowEffect::Kind::deleted)
      rows_.push_back({effect.table, effect.key, effect.before.value()});
    else
      at->row = effect.before.value();
  }
  // The rows of a table as a test's fixture shows them, in no order.
  std::vector<std::string> shown(std::string_view table) const {
    std::vector<std::string> out;
    for (const KnownRow& known : rows_) {
      if (known.table->name != table) continue;
      std::string text;
      for (std::size_t i = 0; i < known.row.size(); ++i) {
        text += (i == 0 ? "" : ",") + known.table->fields[i].name + ":";
        append_field_json(known.table->fields[i], known.row[i], text);
      }
      out.push_back(std::move(text));
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  bool is_empty() const { return rows_.empty(); }

 private:
  std::vector<KnownRow>::iterator find(const RowEffect& effect) {
    return std::find_if(rows_.begin(), rows_.end(), [&](const KnownRow& known) {
      return known.table == effect.table && known.key == effect.key;
    });
  }
  std::vector<KnownRow> rows_;
};

class WriteProperty : public AlbumsFixture {
 protected:
  std::uint64_t draw(std::uint64_t below) { return chance->next_u64() % below; }
  // Mostly one of the last, so that most of them are there.
  std::string any_ref(const char* type) {
    const std::optional<TypeNo> known = registry.find_type(type);
    const std::uint64_t newest = known ? registry.counter(*known, false) : 0;
    if (newest < 12 || draw(4) == 0) return fmt::format("{}_{}", type, 1 + draw(newest + 2));
    return fmt::format("{}_{}", type, newest - draw(12));
  }
  std::string any_album() {
    JsonObject album{{"name", fmt::format("album {}", draw(30))}, {"year", 2990 + draw(12)}};
    if (draw(3) == 0) album["parent_id"] = any_ref("album");
    if (draw(2) == 0) {
      JsonArray tracks;
      for (std::uint64_t i = draw(4); i > 0; --i)
        tracks.push_back(JsonObject{{"title", "t"}, {"seconds", draw(20)}});
      album["tracks"] = std::move(tracks);
    }
    return write_json(album);
  }
  std::string any_refs(const char* type) {
    std::string list;
    for (std::uint64_t i = 1 + draw(3); i > 0; --i)
      list += (list.empty() ? "\"" : ",\"") + any_ref(type) + "\"";
    return list;
  }
  // Everything that is there goes now and then: what a look at all rows costs stays the same.
  Result<RecordOutcome> remove_album(std::uint64_t number) {
    return remove(fmt::format(
        R"({{"table":"albums","filters":[{{"field":"id","op":"=","value":"album_{}"}}]}})",
        number));
  }
  Result<RecordOutcome> any_call() {
    const std::optional<TypeNo> albums = registry.find_type("album");
    const std::uint64_t newest = albums ? registry.counter(*albums, false) : 0;
    if (newest > next_to_go + 30) return remove_album(++next_to_go);
    switch (draw(7)) {
      case 0:
      case 1:
        return create(R"({"table":"albums","data":[)" + any_album() + "," + any_album() + "]}");
      case 2:
        return create(
            fmt::format(R"({{"table":"plays","data":{{"day":"2026-01-05","album_id":"{}"}}}})",
                        any_ref("album")));
      case 3:
        return create(fmt::format(R"({{"table":"reviews","data":{{"body":"b","album_id":"{}"}}}})",
                                  any_ref("album")));
      case 4:
        return update(fmt::format(
            R"({{"table":"albums","filters":[{{"field":"id","op":"in","value":[{}]}},{{"field":"year","op":">","value":{}}}],"data":{{"year":{}}}}})",
            any_refs("album"), 2985 + draw(10), 2990 + draw(12)));
      case 5:
        return update(fmt::format(
            R"({{"table":"albums","data":[{{"id":"{}","parent_id":"{}"}},{{"id":"{}","name":"album {}"}}]}})",
            any_ref("album"), any_ref("album"), any_ref("album"), draw(30)));
      default: {
        const char* type = draw(3) == 0 ? "review" : "album";
        return remove(
            fmt::format(R"({{"table":"{}s","filters":[{{"field":"id","op":"in","value":[{}]}}]}})",
                        type, any_refs(type)));
      }
    }
  }
  void expect_same(const RowsInMemory& model) {
    for (const char* table : {"albums", "tracks", "plays", "reviews"}) {
      std::vector<std::string> real = rows(table);
      std::sort(real.begin(), real.end());
      ASSERT_EQ(model.shown(table), real) << table;
    }
  }
  std::unique_ptr<SeededRandom> chance;
  std::uint64_t next_to_go = 0;  // the number of an album
};

TEST_P(WriteProperty, I10_I11_effects_tell_every_change_and_errors_change_nothing) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(seed);
  chance = std::make_unique<SeededRandom>(seed);
  RowsInMemory model;
  std::vector<RowEffect> ledger;
  std::size_t refused = 0;
  // A look at all refs or all rows costs as much as there are, so not every call has one.
  for (std::size_t i = 0; i < test_size({40, 250, 4'000}); ++i) {
    clock.advance_ms(static_cast<std::int64_t>(draw(3)));
    const bool looks = i % 50 == 0;
    const std::string refs = looks ? picture(registry) : "";
    registry.begin();
    const Result<RecordOutcome> outcome = any_call();
    if (!outcome) {
      ++refused;
      ASSERT_TRUE(registry.changes().empty()) << outcome.error().message;
      if (looks) ASSERT_EQ(picture(registry), refs) << outcome.error().message;
      const ErrorKind kind = error_kind(outcome.error().code);
      ASSERT_TRUE(kind != ErrorKind::bug && kind != ErrorKind::unavailable)
          << outcome.error().message << outcome.error().detail;
    } else {
      for (const RowEffect& effect : outcome->effects) {
        model.apply(effect);
        ledger.push_back(effect);
      }
    }
    if (looks) expect_same(model);
    if (HasFatalFailure()) return;
  }
  expect_same(model);
  EXPECT_GT(ledger.size(), refused > 0 ? 0U : 1U);
  for (std::size_t i = ledger.size(); i > 0; --i) model.undo(ledger[i - 1]);
  EXPECT_TRUE(model.is_empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, WriteProperty,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
