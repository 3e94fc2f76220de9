// Types, labels, limits and kinds of key of a registry.
#include "refs/registry/ref_registry.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

TEST(RegistryTypes, a_type_is_declared_once_and_bound_to_the_first_table) {
  RefRegistry registry;
  const TypeNo book = registry.type_named("book", "").value();
  EXPECT_EQ(registry.table_of(book), "");
  EXPECT_EQ(registry.type_named("book", "books").value(), book);
  EXPECT_EQ(registry.type_named("book", "other").value(), book);
  EXPECT_EQ(registry.table_of(book), "books");
  EXPECT_EQ(registry.find_type("book"), book);
  EXPECT_EQ(registry.find_type("books"), std::nullopt);
  EXPECT_EQ(registry.type_count(), 1u);
}

TEST(RegistryTypes, only_ref_types_are_declared) {
  RefRegistry registry;
  for (const char* name : {"", "Book", "gen", "ref", "lit", "gen_book", "a__b", "1a", "bo ok"})
    EXPECT_EQ(registry.type_named(name, "t").error().code, ErrorCode::schema) << name;
  EXPECT_EQ(registry.type_count(), 0u);
}

TEST(RegistryKeys, D11_refs_work_for_every_kind_of_key) {
  Shelf shelf;
  const RecordKey parts[] = {RecordKey::integer(7), RecordKey::text("seven")};
  const RecordKey keys[] = {uuid_key(1),           RecordKey::integer(INT64_MIN),
                            RecordKey::text(""),   RecordKey::text("7"),
                            RecordKey::integer(7), RecordKey::composite(parts)};
  for (const RecordKey& key : keys) shelf.registry.register_read(shelf.book, key.view()).value();
  EXPECT_EQ(shelf.registry.size(), std::size(keys));
  for (EntityNo i = 0; i < shelf.registry.size(); ++i) {
    EXPECT_EQ(shelf.ref(i), "book_" + std::to_string(i + 1));
    EXPECT_TRUE(*shelf.registry.entry(i).key == keys[i]);
    EXPECT_EQ(shelf.registry.find("book", keys[i].view()), i);
    EXPECT_EQ(shelf.registry.find("author", keys[i].view()), kNoEntity);
    EXPECT_EQ(shelf.registry.find("no_type", keys[i].view()), kNoEntity);
  }
}

TEST(RegistryKeys, a_key_too_long_to_store_is_refused) {
  Shelf shelf;
  const std::string text(KeyStore::kMaxKeyBytes + 1, 'x');
  const KeyView key = KeyView::text(text);
  EXPECT_EQ(shelf.registry.register_read(shelf.book, key).error().code, ErrorCode::limit);
  EXPECT_EQ(shelf.registry.register_linked(shelf.book, key).error().code, ErrorCode::limit);
  EXPECT_EQ(shelf.registry.register_created(shelf.book, key).error().code, ErrorCode::limit);
  EXPECT_EQ(shelf.registry.size(), 0u);
}

TEST(RegistryLabels, a_label_is_cut_between_two_code_points) {
  Shelf shelf;
  std::string label(RefRegistry::kMaxLabelBytes - 1, 'x');
  shelf.registry.set_label(shelf.read(1), label + "é and more");
  EXPECT_EQ(shelf.registry.label(0), label);
  shelf.registry.set_label(0, "short");
  EXPECT_EQ(shelf.registry.label(0), "short");
  shelf.registry.set_label(0, "");
  EXPECT_EQ(shelf.registry.label(0), "");
  EXPECT_EQ(shelf.registry.label(shelf.generate(label + "éé")), label);
}

TEST(RegistryLabels, a_literal_at_the_edge_of_a_label_is_not_cut_into_another) {
  RefRegistry registry;
  const TypeNo type = *registry.type_named("book", "books");
  const EntityNo book = *registry.register_read(type, KeyView::integer(1));
  const std::string before(RefRegistry::kMaxLabelBytes - 6, 'x');
  registry.set_label(book, before + " lit_123");
  EXPECT_EQ(registry.label(book), before + " ");
  registry.set_label(book, before + " lit_");
  EXPECT_EQ(registry.label(book), before + " lit_");
}

TEST(RegistryLabels, what_is_said_of_an_entity_is_kept) {
  Shelf shelf;
  shelf.registry.begin_turn(2);
  shelf.read(1);
  shelf.registry.begin_turn(5);
  shelf.registry.mark_referenced(0, "that story");
  shelf.registry.retain(0, "the goal is about it");
  EXPECT_EQ(shelf.registry.entry(0).last_referenced_phrase, "that story");
  EXPECT_EQ(shelf.registry.entry(0).retention_reason, "the goal is about it");
  EXPECT_EQ(shelf.registry.entry(0).turn_last_referenced, 5u);
  EXPECT_EQ(shelf.registry.entry(0).turn_created, 2u);
  shelf.registry.mark_referenced(0, "");
  shelf.registry.retain(0, "");
  EXPECT_EQ(shelf.registry.entry(0).last_referenced_phrase, "that story");
  EXPECT_EQ(shelf.registry.entry(0).retention_reason, "");
}

TEST(RegistryLimits, B21_one_ref_past_the_limit_is_an_error_and_nothing_is_evicted) {
  Shelf shelf({.max_entities = 3, .max_literals = 2});
  shelf.read(1);
  shelf.read(2);
  shelf.generate();
  const std::string before = picture(shelf.registry);
  const RecordKey fresh = uuid_key(9);
  const auto refused = [&](const Result<EntityNo>& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::limit);
  };
  refused(shelf.registry.register_read(shelf.book, fresh.view()));
  refused(shelf.registry.register_linked(shelf.author, fresh.view()));
  refused(shelf.registry.register_created(shelf.book, fresh.view()));
  refused(shelf.registry.register_generated(shelf.book, "one more", {}));
  EXPECT_EQ(picture(shelf.registry), before);
  shelf.read(1);  // what is known stays usable
  EXPECT_EQ(shelf.ref(shelf.save("gen_book_1", 9).value()), "book_3");
  shelf.registry.mark_deleted(0);
  refused(shelf.registry.register_read(shelf.book, uuid_key(1).view()));
  EXPECT_EQ(shelf.ref_of(1), "book_1");
}

TEST(RegistryLimits, B21_literals_have_their_limit_too) {
  RefRegistry registry({.max_entities = 1, .max_literals = 2});
  EXPECT_EQ(registry.register_literal("a").value(), 1u);
  EXPECT_EQ(registry.register_literal("b").value(), 2u);
  EXPECT_EQ(registry.register_literal("c").error().code, ErrorCode::limit);
  EXPECT_EQ(registry.register_literal("a").value(), 1u);
  EXPECT_EQ(KeyDoorForTests::literal(registry, 2), "b");
}

TEST(RegistryLimits, the_mapping_takes_at_most_64_bytes_an_entity) {
  Shelf shelf;
  for (std::uint64_t i = 0; i < 20'000; ++i) shelf.read(i);
  EXPECT_LE(shelf.registry.mapping_bytes() / shelf.registry.size(), 64u);
}

}  // namespace
}  // namespace alfred
