// Random sequences of everything that happens to a registry, against a naive model of it.
#include <iostream>

#include "alfred/random.h"
#include "base/test_size.h"
#include "refs/registry/ref_registry.h"
#include "refs/registry/registry_for_tests.h"
#include "refs/registry/registry_json.h"
#include "refs/registry/registry_model_for_tests.h"

namespace alfred {
namespace {

const char* const kTypes[] = {"book", "author"};

class Driver {
 public:
  explicit Driver(std::uint64_t seed) : random_(seed) {}

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      const std::size_t choice = below(30);
      if (choice == 0) {
        registry_.begin();
        model_at_begin_ = model_;
        registry_at_begin_ = registry_;
      } else if (choice == 1) {
        registry_.rollback();
        model_ = model_at_begin_;
        registry_at_begin_ = registry_;
        check_same(registry_);
      } else {
        happen();
        check_lookups();
      }
      if (i % 4 == 0) check_same(registry_);
      if (i % 16 == 0) check_fold();
    }
    check_same(registry_);
    check_fold();
  }

 private:
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(random_.next_u64() % bound);
  }
  bool one_in(std::size_t n) { return below(n) == 0; }

  void happen() {
    const std::size_t t = below(std::size(kTypes));
    if (registry_.find_type(kTypes[t]) == std::nullopt || one_in(20)) return declare(kTypes[t]);
    const auto type = registry_.find_type(kTypes[t]).value();
    const RecordKey key = few_keys(below(kKeys));
    switch (below(12)) {
      case 0: return read(type, key);
      case 1: return link(type, key);
      case 2: return generate(type);
      case 3: return create(type, key);
      case 4: return save(type, key);
      case 5: return save(type, key);
      case 6: return registry_.begin_turn(++model_.turn);
      case 7: return add_literal();
      default: break;
    }
    if (!model_.entries.empty()) change(below(model_.entries.size()));
  }

  void declare(const std::string& name) {
    const std::string table = one_in(2) ? "" : name + "s" + std::to_string(below(3));
    ASSERT_TRUE(registry_.type_named(name, table));
    model_.declare(name, table);
  }
  void read(TypeNo type, const RecordKey& key) {
    ASSERT_TRUE(registry_.register_read(type, key.view()));
    const std::string_view name = registry_.type_name(type);
    RefEntry* holder = model_.holder(name, key);
    if (holder == nullptr || holder->status == RefStatus::deleted) {
      model_.add(name, false, RefStatus::read).key = key;
    } else {
      const bool is_linked = holder->status == RefStatus::linked;
      model_.touch(*holder, is_linked ? RefStatus::read : holder->status);
    }
  }
  void link(TypeNo type, const RecordKey& key) {
    ASSERT_TRUE(registry_.register_linked(type, key.view()));
    const std::string_view name = registry_.type_name(type);
    if (model_.holder(name, key) == nullptr) model_.add(name, false, RefStatus::linked).key = key;
  }
  void generate(TypeNo type) {
    const ArtifactPlace place{model_.turn, static_cast<std::uint32_t>(below(9))};
    const std::string label = "label " + std::to_string(below(5));
    ASSERT_TRUE(registry_.register_generated(type, label, place));
    RefEntry& entry = model_.add(registry_.type_name(type), true, RefStatus::generated);
    entry.label = label;
    entry.place = place;
  }
  void create(TypeNo type, const RecordKey& key) {
    ASSERT_TRUE(registry_.register_created(type, key.view()));
    const std::string_view name = registry_.type_name(type);
    RefEntry* holder = model_.holder(name, key);
    if (holder == nullptr || holder->status == RefStatus::deleted)
      model_.add(name, false, RefStatus::created).key = key;
    else
      model_.touch(*holder, RefStatus::created);
  }
  void save(TypeNo type, const RecordKey& key) {
    const std::string_view name = registry_.type_name(type);
    const std::uint32_t generated = model_.counter(name, true);
    if (generated == 0) return;
    const Ref from = Ref::make(name, static_cast<std::uint32_t>(below(generated)) + 1, true);
    const Result<EntityNo> saved = registry_.register_created(type, key.view(), from.text());
    RefEntry* const entry = model_.named(from);
    const RefEntry* holder = model_.holder(name, key);
    const bool is_taken = holder != nullptr && holder->status != RefStatus::deleted;
    if (entry->status == RefStatus::deleted) {
      ASSERT_EQ(saved.error().code, ErrorCode::ref_deleted);
    } else if (is_taken && holder == entry) {
      ASSERT_EQ(registry_.find(from.text()), saved.value());
    } else if (is_taken || entry->key) {
      ASSERT_EQ(saved.error().code, ErrorCode::key_taken);
    } else {
      ASSERT_TRUE(saved);
      entry->alias = entry->ref;
      entry->ref = Ref::make(name, model_.counter(name, false) + 1);
      entry->key = key;
      entry->turn_promoted = model_.turn;
      model_.touch(*entry, RefStatus::created);
    }
  }
  void add_literal() {
    const std::string text = "literal " + std::to_string(below(30));
    ASSERT_TRUE(registry_.register_literal(text));
    model_.add_literal(text);
  }
  void change(std::size_t i);
  void check_lookups();
  void check_same(const RefRegistry& registry);
  void check_fold();

  SeededRandom random_;
  RefRegistry registry_;
  RefRegistry registry_at_begin_ = registry_;
  RegistryModel model_;
  RegistryModel model_at_begin_;
};

void Driver::change(std::size_t i) {
  const auto entity = static_cast<EntityNo>(i);
  RefEntry& entry = model_.entries[i];
  const std::string text = "text " + std::to_string(below(4));
  switch (below(6)) {
    case 0:
      registry_.set_label(entity, text);
      entry.label = text;
      return;
    case 1: {
      registry_.mark_updated(entity, RefOrigin::user);
      const bool is_plain = entry.status == RefStatus::read || entry.status == RefStatus::linked;
      model_.touch(entry, is_plain ? RefStatus::updated : entry.status);
      entry.origin = RefOrigin::user;
      return;
    }
    case 2:
    case 3:
      registry_.mark_deleted(entity);
      model_.touch(entry, RefStatus::deleted);
      entry.origin = RefOrigin::system;
      return;
    case 4:
      registry_.mark_referenced(entity, text);
      model_.touch(entry, entry.status);
      entry.last_referenced_phrase = text;
      return;
    default: {
      const std::string reason = one_in(2) ? "" : text;
      registry_.retain(entity, reason);
      entry.retention_reason = reason;
    }
  }
}

// I-1 and I-2, and every way to look something up.
void Driver::check_lookups() {
  ASSERT_EQ(registry_.size(), model_.entries.size());
  for (const char* type : kTypes)
    for (std::size_t n = 0; n < kKeys; ++n) {
      const RecordKey key = few_keys(n);
      const RefEntry* holder = model_.holder(type, key);
      const EntityNo found = registry_.find(type, key.view());
      ASSERT_EQ(found, holder == nullptr ? kNoEntity
                                         : static_cast<EntityNo>(holder - model_.entries.data()));
    }
}

void Driver::check_same(const RefRegistry& registry) {
  ASSERT_EQ(registry.turn(), model_.turn);
  ASSERT_EQ(registry.size(), model_.entries.size());
  for (EntityNo i = 0; i < registry.size(); ++i) {
    const RefEntry& expected = model_.entries[i];
    ASSERT_TRUE(registry.entry(i) == expected) << picture(registry);
    ASSERT_EQ(registry.find(expected.ref.text()), i);
    if (expected.alias) {
      ASSERT_EQ(registry.find(expected.alias->text()), i);
    }
  }
  ASSERT_EQ(registry.type_count(), model_.types.size());
  for (std::size_t i = 0; i < model_.types.size(); ++i) {
    const auto type = static_cast<TypeNo>(i);
    const auto& [name, table] = model_.types[i];
    ASSERT_EQ(registry.type_name(type), name);
    ASSERT_EQ(registry.table_of(type), table);
    for (const bool of_generated : {false, true}) {
      const std::uint32_t last = model_.counter(name, of_generated);
      ASSERT_EQ(registry.counter(type, of_generated), last);
      ASSERT_EQ(registry.find(Ref::make(name, last + 1, of_generated).text()), kNoEntity);
    }
  }
  ASSERT_EQ(registry.literals().size(), model_.literals.size());
  for (std::uint32_t n = 1; n <= model_.literals.size(); ++n)
    ASSERT_EQ(KeyDoorForTests::literal(registry, n), model_.literals[n - 1]);
}

// The changes folded into the registry of begin() give this registry, and can be rolled back.
void Driver::check_fold() {
  RefRegistry copy = registry_at_begin_;
  copy.begin();
  const std::string before = picture(copy);
  // The way through the journal's JSON loses nothing.
  const std::string text = RegistryJson::write_changes(registry_.changes());
  const Result<RefChanges> changes =
      RegistryJson::read_changes(parse_json(text, JsonLimits::none()).value());
  ASSERT_TRUE(changes) << changes.error().message;
  ASSERT_EQ(*changes, registry_.changes());
  for (const RefChange& change : *changes) {
    const Result<void> folded = copy.fold(change);
    ASSERT_TRUE(folded) << folded.error().message;
  }
  ASSERT_EQ(picture(copy), picture(registry_));
  check_same(copy);
  const Result<RefRegistry> compact = RegistryJson::read(RegistryJson::write_compact(registry_));
  ASSERT_TRUE(compact) << compact.error().message;
  ASSERT_EQ(picture(*compact), picture(registry_));
  RefRegistry again = registry_at_begin_;
  for (const RefChange& change : copy.changes()) ASSERT_TRUE(again.fold(change));
  ASSERT_EQ(picture(again), picture(registry_));
  copy.rollback();
  ASSERT_EQ(picture(copy), before);
}

TEST(RegistrySequences, R6_I1_I2_random_sequences_agree_with_a_naive_model) {
  const char* chosen = std::getenv("ALFRED_TEST_SEED");
  const std::uint64_t first = chosen == nullptr ? 1 : std::stoull(chosen);
  const std::size_t runs = test_size({20, 120, 800});
  std::cout << "ALFRED_TEST_SEED=" << first << " and " << runs << " more\n";
  for (std::uint64_t seed = first; seed < first + runs && !HasFailure(); ++seed) {
    SCOPED_TRACE("ALFRED_TEST_SEED=" + std::to_string(seed));
    Driver(seed).run(20 + seed % 200);
  }
}

}  // namespace
}  // namespace alfred
