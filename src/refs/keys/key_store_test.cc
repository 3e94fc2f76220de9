#include "refs/keys/key_store.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/test_size.h"
#include "refs/keys/key_door_for_tests.h"

namespace alfred {
namespace {

using Door = KeyDoorForTests;

// Few keys, so that they meet again; some differ in a single bit, some only in kind.
RecordKey small_key(int n) {
  const auto number = static_cast<std::uint64_t>(n / 4);
  switch (n % 4) {
    case 0: return RecordKey::uuid({number << 60, number});
    case 1: return RecordKey::integer(static_cast<std::int64_t>(number) - 3);
    case 2: return RecordKey::text("key " + std::string(number, 'x'));
    default: {
      const RecordKey parts[] = {RecordKey::integer(n), RecordKey::text("part")};
      return RecordKey::composite(parts);
    }
  }
}
constexpr int kSmallKeys = 48;

// The same as KeyStore, on plain containers.
struct Model {
  struct Row {
    TypeNo type;
    std::uint32_t number;
    int key = -1;  // of small_key
    EntityNo former = kNoEntity;
  };
  std::vector<Row> rows;
  std::map<std::pair<TypeNo, int>, EntityNo> leads;
};

void expect_same(const KeyStore& store, const Model& model) {
  RC_ASSERT(store.size() == model.rows.size());
  for (EntityNo i = 0; i < store.size(); ++i) {
    const Model::Row& row = model.rows[i];
    RC_ASSERT(store.type(i) == row.type);
    RC_ASSERT(store.number(i) == row.number);
    RC_ASSERT(store.has_key(i) == (row.key >= 0));
    if (row.key >= 0) RC_ASSERT((RecordKey(store.key(i)) == small_key(row.key)));
  }
  for (TypeNo type = 0; type < 2; ++type) {
    std::vector<UuidBits> uuids;
    std::vector<EntityNo> expected;
    for (int n = 0; n < kSmallKeys; ++n) {
      const RecordKey key = small_key(n);
      const auto found = model.leads.find({type, n});
      const EntityNo entity = found == model.leads.end() ? kNoEntity : found->second;
      RC_ASSERT(store.find(type, key.view()) == entity);
      if (key.kind() != KeyKind::uuid) continue;
      uuids.push_back(Door::bits(key.view()));
      expected.push_back(entity);
    }
    std::vector<EntityNo> found(uuids.size());
    store.find_many(type, uuids, found);
    RC_ASSERT(found == expected);
  }
}

class Driver {
 public:
  explicit Driver(std::uint64_t seed) : store_(seed) {}

  void step() {
    const TypeNo type = *rc::gen::element<TypeNo>(0, 1);
    const int n = *rc::gen::inRange(0, kSmallKeys);
    const auto number = *rc::gen::inRange<std::uint32_t>(1, 1000);
    switch (*rc::gen::inRange(0, 6)) {
      case 0: append(type, number, n); return;
      case 1:
        store_.append_without_key(type, number);
        model_.rows.push_back({type, number});
        return;
      case 2: find_or_append(type, number, n); return;
      case 3: give_key(number, n); return;
      case 4: take_key(number); return;
      default: pop();
    }
  }
  const KeyStore& store() const { return store_; }
  const Model& model() const { return model_; }

 private:
  EntityNo leader(TypeNo type, int n) const {
    const auto found = model_.leads.find({type, n});
    return found == model_.leads.end() ? kNoEntity : found->second;
  }
  void append(TypeNo type, std::uint32_t number, int n) {
    const RecordKey key = small_key(n);
    EntityNo former = 7;
    const EntityNo entity = store_.append(type, number, key.view(), former);
    RC_ASSERT(entity == model_.rows.size());
    RC_ASSERT(former == leader(type, n));
    model_.rows.push_back({type, number, n, former});
    model_.leads[{type, n}] = entity;
  }
  void find_or_append(TypeNo type, std::uint32_t number, int n) {
    const RecordKey key = small_key(n);
    bool is_new = false;
    const EntityNo known = leader(type, n);
    const EntityNo entity =
        store_.find_or_append(type, number, key.view(), store_.hint(type, key.view()), is_new);
    RC_ASSERT(is_new == (known == kNoEntity));
    RC_ASSERT(entity == (is_new ? model_.rows.size() : known));
    if (!is_new) return;
    model_.rows.push_back({type, number, n});
    model_.leads[{type, n}] = entity;
  }
  void give_key(std::uint32_t number, int n) {
    for (EntityNo i = 0; i < store_.size(); ++i) {
      if (store_.has_key(i)) continue;
      Model::Row& row = model_.rows[i];
      if (leader(row.type, n) != kNoEntity) return;
      const RecordKey key = small_key(n);
      const KeyView view = key.view();
      store_.set_key(i, number, &view);
      row = {row.type, number, n, kNoEntity};
      model_.leads[{row.type, n}] = i;
      return;
    }
  }
  void take_key(std::uint32_t number) {
    if (model_.rows.empty()) return;
    const auto i = *rc::gen::inRange<EntityNo>(0, static_cast<EntityNo>(model_.rows.size()));
    Model::Row& row = model_.rows[i];
    // Only who is no one's former: the registry takes keys back in this order too.
    for (const Model::Row& other : model_.rows)
      if (other.former == i) return;
    store_.set_key(i, number, nullptr);
    row.number = number;
    if (row.key >= 0 && leader(row.type, row.key) == i) {
      model_.leads.erase({row.type, row.key});
      if (row.former != kNoEntity) {
        store_.lead_to(row.former);
        model_.leads[{row.type, row.key}] = row.former;
      }
    }
    row.key = -1;
    row.former = kNoEntity;
  }
  void pop() {
    if (model_.rows.empty()) return;
    const Model::Row row = model_.rows.back();
    const auto last = static_cast<EntityNo>(model_.rows.size() - 1);
    store_.pop(row.former);
    model_.rows.pop_back();
    if (row.key < 0) return;
    if (row.former != kNoEntity)
      model_.leads[{row.type, row.key}] = row.former;
    else if (leader(row.type, row.key) == last)
      model_.leads.erase({row.type, row.key});
  }

  KeyStore store_;
  Model model_;
};

RC_GTEST_PROP(KeyStoreModel, R1_R2_any_sequence_does_what_plain_maps_do, (std::uint64_t seed)) {
  Driver driver(seed);
  const int steps = *rc::gen::inRange(0, static_cast<int>(test_size({60, 150, 400})));
  for (int i = 0; i < steps; ++i) {
    driver.step();
    if (i % 16 == 0) expect_same(driver.store(), driver.model());
  }
  expect_same(driver.store(), driver.model());
  const KeyStore copy = driver.store();
  expect_same(copy, driver.model());
}

TEST(KeyStoreGrowth, R2_many_are_found_after_growth_and_popped_back_to_nothing) {
  const auto count = static_cast<EntityNo>(test_size({3'000, 30'000, 150'000}));
  KeyStore store(1);
  bool is_new = false;
  for (EntityNo i = 0; i < count; ++i) {
    ASSERT_EQ(store.find_or_append(3, i + 1, uuid_key(i).view(), store.hint(3, uuid_key(i).view()),
                                   is_new),
              i);
    ASSERT_TRUE(is_new);
  }
  std::vector<UuidBits> keys;
  for (EntityNo i = 0; i < count + 100; ++i) keys.push_back(Door::bits(uuid_key(i).view()));
  std::vector<EntityNo> found(keys.size());
  store.find_many(3, keys, found);
  for (EntityNo i = 0; i < count; ++i) ASSERT_EQ(found[i], i);
  for (EntityNo i = count; i < count + 100; ++i) ASSERT_EQ(found[i], kNoEntity);
  store.find_many(2, keys, found);
  for (const EntityNo entity : found) ASSERT_EQ(entity, kNoEntity);
  EXPECT_LE(store.memory_bytes() / count, 64u);
  for (EntityNo i = count; i-- > 0;) {
    store.pop(kNoEntity);
    ASSERT_EQ(store.find(3, uuid_key(i).view()), kNoEntity);
    if (i > 0) {
      ASSERT_EQ(store.find(3, uuid_key(i / 2).view()), i / 2);
    }
  }
  EXPECT_EQ(store.size(), 0u);
}

TEST(KeyStoreGrowth, long_keys_can_be_cut_back) {
  KeyStore store(5);
  EntityNo former = 0;
  store.append(0, 1, KeyView::text("first text"), former);
  const std::size_t bytes = store.long_key_bytes();
  store.append(0, 2, KeyView::text("second text"), former);
  store.pop(former);
  store.cut_long_keys(bytes);
  store.append(0, 2, KeyView::text("third"), former);
  EXPECT_EQ(store.find(0, KeyView::text("second text")), kNoEntity);
  EXPECT_EQ(Door::bytes(store.key(0)), "first text");
  EXPECT_EQ(Door::bytes(store.key(1)), "third");
  EXPECT_EQ(store.long_text_count(), 2u);
}

TEST(KeyStoreGrowth, only_keys_up_to_the_limit_fit) {
  std::string text(KeyStore::kMaxKeyBytes, 'x');
  EXPECT_TRUE(KeyStore::fits(KeyView::text(text)));
  KeyStore store(9);
  bool is_new = false;
  store.find_or_append(0, 1, KeyView::text(text), store.hint(0, KeyView::text(text)), is_new);
  EXPECT_TRUE(store.key(0) == KeyView::text(text));
  text += 'x';
  EXPECT_FALSE(KeyStore::fits(KeyView::text(text)));
  EXPECT_TRUE(KeyStore::fits(KeyView::integer(-1)));
}

// Keys are read in a shorter way while all are uuids.
TEST(KeyStore, keys_of_other_kinds_come_to_a_store_of_uuids) {
  const RecordKey uuid = RecordKey::uuid({1, 2});
  for (const RecordKey& other :
       {RecordKey::integer(7), RecordKey::text("seven"), RecordKey::uuid({3, 4})}) {
    KeyStore store(1);
    bool is_new = false;
    const EntityNo first = store.find_or_append(0, 1, uuid.view(), is_new);
    EXPECT_TRUE(RecordKey(store.key(first)) == uuid);
    const EntityNo second = store.find_or_append(0, 2, other.view(), is_new);
    EXPECT_TRUE(is_new);
    const EntityNo late = store.append_without_key(1, 1);
    const KeyView view = other.view();
    store.set_key(late, 1, &view);
    EXPECT_TRUE(RecordKey(store.key(first)) == uuid);
    EXPECT_TRUE(RecordKey(store.key(second)) == other);
    EXPECT_TRUE(RecordKey(store.key(late)) == other);
  }
  KeyStore store(1);
  bool is_new = false;
  store.find_or_append(0, 1, uuid.view(), is_new);
  const EntityNo late = store.append_without_key(0, 1);
  const RecordKey text = RecordKey::text("a text");
  const KeyView view = text.view();
  store.set_key(late, 2, &view);
  EXPECT_TRUE(RecordKey(store.key(late)) == text);
}

}  // namespace
}  // namespace alfred
