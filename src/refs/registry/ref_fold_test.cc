// Transactions and folding, case by case.
#include "refs/registry/ref_registry.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

RefEntry entry_of(std::string_view ref, std::optional<RecordKey> key) {
  RefEntry entry{.ref = Ref::parse(ref).value()};
  entry.key = std::move(key);
  entry.status = entry.key ? RefStatus::read : RefStatus::generated;
  return entry;
}

// What happened since begin(), folded into `base`, gives the same registry.
void expect_folds(const RefRegistry& now, RefRegistry base) {
  for (const RefChange& change : now.changes()) {
    const Result<void> folded = base.fold(change);
    ASSERT_TRUE(folded) << folded.error().message;
  }
  EXPECT_EQ(picture(base), picture(now));
}

TEST(RegistryTransaction, R6_rollback_leaves_no_trace) {
  Shelf shelf;
  shelf.read(1, "Label");
  shelf.generate();
  shelf.registry.register_literal("before").value();
  shelf.registry.begin_turn(4);
  shelf.registry.begin();
  const std::string before = picture(shelf.registry);
  shelf.registry.begin_turn(5);
  shelf.read(1);
  shelf.read(2);
  shelf.save("gen_book_1", 3).value();
  shelf.registry.mark_deleted(0);
  shelf.read(1);
  shelf.registry.type_named("tag", "tags").value();
  shelf.registry.register_literal("after").value();
  shelf.registry.set_label(0, "Other");
  shelf.registry.retain(0, "kept");
  shelf.registry.rollback();
  EXPECT_EQ(picture(shelf.registry), before);
  EXPECT_TRUE(shelf.registry.changes().empty());
  EXPECT_EQ(shelf.ref(shelf.read(2)), "book_2");
  EXPECT_EQ(shelf.registry.register_literal("after").value(), 2u);
}

TEST(RegistryTransaction, R6_without_begin_everything_is_a_change_and_goes) {
  Shelf shelf;
  shelf.read(1);
  shelf.generate();
  expect_folds(shelf.registry, RefRegistry());
  shelf.registry.rollback();
  EXPECT_EQ(picture(shelf.registry), picture(RefRegistry()));
}

TEST(RegistryTransaction, R6_a_key_handed_on_several_times_goes_back_to_its_first_holder) {
  Shelf shelf;
  const EntityNo old = shelf.read(1);
  shelf.generate();
  shelf.registry.mark_deleted(old);
  shelf.registry.begin();
  const RefRegistry base = shelf.registry;
  const std::string before = picture(base);
  shelf.save("gen_book_1", 1).value();  // an old entity takes the key of a deleted row,
  shelf.registry.mark_deleted(1);
  shelf.registry.mark_deleted(shelf.read(1));  // a new one after it,
  shelf.generate();
  shelf.save("gen_book_2", 1).value();  // and a new one that had none
  expect_folds(shelf.registry, base);
  shelf.registry.rollback();
  EXPECT_EQ(picture(shelf.registry), before);
}

TEST(RegistryTransaction, R6_a_key_taken_from_a_younger_entity_is_let_go) {
  Shelf shelf;
  shelf.registry.begin();
  const std::string before = picture(shelf.registry);
  shelf.generate();
  shelf.registry.mark_deleted(shelf.read(1));
  shelf.save("gen_book_1", 1).value();
  shelf.registry.rollback();
  EXPECT_EQ(picture(shelf.registry), before);
  EXPECT_EQ(shelf.ref_of(1), "none");
}

TEST(RegistryTransaction, R6_a_number_filled_in_by_folding_is_free_again_after_rollback) {
  RefRegistry registry;
  ASSERT_TRUE(registry.fold(EntityRegistered{entry_of("book_2", uuid_key(2))}));
  registry.begin();
  ASSERT_TRUE(registry.fold(EntityRegistered{entry_of("book_1", uuid_key(1))}));
  registry.rollback();
  EXPECT_EQ(registry.find("book_1"), kNoEntity);
  EXPECT_EQ(registry.find("book_2"), 0u);
  EXPECT_EQ(registry.counter(0, false), 2u);
}

TEST(RegistryFold, I1_a_key_freed_by_a_delete_may_be_saved_under_in_the_same_transaction) {
  Shelf shelf;
  const EntityNo old = shelf.read(1);
  const EntityNo bees = shelf.generate();
  shelf.registry.begin();
  const RefRegistry base = shelf.registry;
  shelf.registry.mark_referenced(bees, "that one");  // so that its change comes first
  shelf.registry.mark_deleted(old);
  shelf.save("gen_book_1", 1).value();
  expect_folds(shelf.registry, base);
  EXPECT_EQ(shelf.ref_of(1), "book_2");
}

TEST(RegistryFold, I1_of_two_that_held_a_key_the_last_is_found_whatever_order_they_are_folded_in) {
  Shelf shelf;
  shelf.generate();
  shelf.generate();
  shelf.registry.begin();
  const RefRegistry base = shelf.registry;
  shelf.registry.mark_referenced(1, "the second");
  shelf.save("gen_book_1", 1).value();
  shelf.registry.mark_deleted(0);
  shelf.save("gen_book_2", 1).value();
  expect_folds(shelf.registry, base);
  RefRegistry backwards = base;
  const RefChanges changes = shelf.registry.changes();
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    ASSERT_TRUE(backwards.fold(*change));
  EXPECT_EQ(picture(backwards), picture(shelf.registry));
}

TEST(RegistryFold, I1_a_live_row_has_one_ref) {
  Shelf shelf;
  shelf.read(1);
  shelf.generate();
  RefEntry second = entry_of("book_2", uuid_key(1));
  EXPECT_FALSE(shelf.registry.fold(EntityRegistered{second}));
  second.alias = Ref::make("book", 1, true);
  EXPECT_FALSE(shelf.registry.fold(EntityChanged{*second.alias, second}));
  second.alias.reset();
  second.status = RefStatus::deleted;  // it held the key once
  EXPECT_TRUE(shelf.registry.fold(EntityRegistered{second}));
}

TEST(RegistryFold, I2_a_ref_that_was_issued_is_not_given_to_another_entity) {
  Shelf shelf;
  shelf.read(1);
  shelf.generate();
  EXPECT_FALSE(shelf.registry.fold(EntityRegistered{entry_of("book_1", uuid_key(2))}));
  EXPECT_FALSE(shelf.registry.fold(EntityRegistered{entry_of("gen_book_1", std::nullopt)}));
  RefEntry aliased = entry_of("book_2", uuid_key(2));
  aliased.alias = Ref::make("book", 1, true);
  EXPECT_FALSE(shelf.registry.fold(EntityRegistered{aliased}));
  RefEntry saved = entry_of("book_1", uuid_key(2));
  saved.alias = Ref::make("book", 1, true);
  EXPECT_FALSE(shelf.registry.fold(EntityChanged{*saved.alias, saved}));
}

// Each change here contradicts a registry that has book_1 (a row), gen_book_1 (saved as book_2),
// gen_book_2 and book_3 (deleted).
RefChanges misfits() {
  const auto registered = [](RefEntry entry) { return EntityRegistered{std::move(entry)}; };
  const auto changed = [](std::string_view was, RefEntry entry) {
    return EntityChanged{Ref::parse(was).value(), std::move(entry)};
  };
  const auto with_alias = [](RefEntry entry, std::string_view alias) {
    entry.alias = Ref::parse(alias).value();
    return entry;
  };
  const std::string too_long(KeyStore::kMaxKeyBytes + 1, 'x');
  return {registered(entry_of("poem_1", std::nullopt)),
          registered(entry_of("gen_poem_1", uuid_key(9))),
          registered(entry_of("poem_101", uuid_key(9))),
          registered(entry_of("poem_1", RecordKey::text(too_long))),
          registered(with_alias(entry_of("poem_1", uuid_key(9)), "gen_book_9")),
          registered(with_alias(entry_of("poem_1", uuid_key(9)), "poem_2")),
          registered(with_alias(entry_of("poem_1", uuid_key(9)), "gen_poem_101")),
          registered(with_alias(entry_of("gen_poem_1", std::nullopt), "gen_poem_2")),
          changed("poem_1", entry_of("poem_1", uuid_key(9))),
          changed("book_1", entry_of("book_4", uuid_key(1))),
          changed("book_1", entry_of("book_1", uuid_key(9))),
          changed("book_1", entry_of("gen_book_3", std::nullopt)),
          changed("book_2", entry_of("book_2", uuid_key(2))),
          changed("book_3", entry_of("book_3", uuid_key(3))),
          changed("gen_book_2", entry_of("book_4", uuid_key(9))),
          changed("gen_book_2", with_alias(entry_of("book_4", uuid_key(9)), "gen_book_1")),
          changed("gen_book_2", with_alias(entry_of("author_1", uuid_key(9)), "gen_author_2")),
          changed("gen_book_2", with_alias(entry_of("book_4", uuid_key(1)), "gen_book_2")),
          TypeDeclared{"Bad type", "t"}};
}

TEST(RegistryFold, R6_a_change_that_does_not_fit_changes_nothing) {
  Shelf shelf({.max_entities = 100, .max_literals = 100});
  shelf.read(1);
  shelf.generate();
  shelf.save("gen_book_1", 2).value();
  shelf.generate();
  shelf.registry.mark_deleted(shelf.read(3));
  const std::string before = picture(shelf.registry);
  const RefChanges changes = misfits();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Result<void> folded = shelf.registry.fold(changes[i]);
    ASSERT_FALSE(folded) << "misfit " << i;
    EXPECT_EQ(folded.error().code, ErrorCode::schema) << "misfit " << i;
    EXPECT_EQ(picture(shelf.registry), before) << "misfit " << i;
  }
  EXPECT_EQ(shelf.registry.find_type("poem"), std::nullopt);
}

TEST(RegistryFold, B21_folding_keeps_the_limits) {
  Shelf shelf({.max_entities = 1, .max_literals = 0});
  shelf.read(1);
  EXPECT_EQ(shelf.registry.fold(EntityRegistered{entry_of("author_1", uuid_key(2))}).error().code,
            ErrorCode::limit);
  EXPECT_EQ(shelf.registry.fold(LiteralAdded{"x"}).error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace alfred
