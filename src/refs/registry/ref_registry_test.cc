#include "refs/registry/ref_registry.h"

#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

TEST(Registry, R1_numbers_count_up_per_type_and_are_never_given_again) {
  Shelf shelf;
  EXPECT_EQ(shelf.ref(shelf.read(1)), "book_1");
  EXPECT_EQ(shelf.ref(shelf.read(2)), "book_2");
  const EntityNo item = shelf.registry.register_read(shelf.author, uuid_key(1).view()).value();
  EXPECT_EQ(shelf.ref(item), "author_1");
  EXPECT_EQ(shelf.ref(shelf.generate()), "gen_book_1");
  shelf.registry.mark_deleted(shelf.registry.find("book_2"));
  EXPECT_EQ(shelf.ref(shelf.read(3)), "book_3");
  EXPECT_EQ(shelf.registry.counter(shelf.book, false), 3u);
  EXPECT_EQ(shelf.registry.counter(shelf.book, true), 1u);
}

TEST(Registry, R1_refs_and_counters_outlive_the_turn) {
  Shelf shelf;
  shelf.registry.begin_turn(1);
  shelf.read(1);
  shelf.registry.begin_turn(2);
  EXPECT_EQ(shelf.ref(shelf.read(2)), "book_2");
  EXPECT_EQ(shelf.ref(shelf.read(1)), "book_1");
  EXPECT_EQ(shelf.registry.entry(0).turn_created, 1u);
  EXPECT_EQ(shelf.registry.entry(0).turn_last_referenced, 2u);
}

TEST(Registry, R2_a_key_seen_again_keeps_its_ref) {
  Shelf shelf;
  const EntityNo first = shelf.read(7);
  EXPECT_EQ(shelf.read(7), first);
  EXPECT_EQ(shelf.registry.register_linked(shelf.book, uuid_key(7).view()).value(), first);
  EXPECT_EQ(shelf.registry.register_created(shelf.book, uuid_key(7).view()).value(), first);
  EXPECT_EQ(shelf.registry.size(), 1u);
}

TEST(Registry, R2_a_key_that_comes_back_after_a_delete_is_a_new_entity) {
  Shelf shelf;
  const EntityNo old = shelf.read(7, "Old");
  shelf.registry.mark_deleted(old);
  const EntityNo fresh = shelf.read(7);
  EXPECT_EQ(shelf.ref(fresh), "book_2");
  EXPECT_EQ(shelf.ref_of(7), "book_2");
  EXPECT_EQ(shelf.resolve_error("book_1"), ErrorCode::ref_deleted);
  EXPECT_EQ(shelf.registry.resolve("book_2", "book").value(), fresh);
  shelf.registry.mark_deleted(fresh);
  const Result<EntityNo> created = shelf.registry.register_created(shelf.book, uuid_key(7).view());
  EXPECT_EQ(shelf.ref(created.value()), "book_3");
  EXPECT_EQ(shelf.registry.label(old), "Old");
}

TEST(Registry, R2_a_link_to_a_deleted_row_shows_its_tombstone) {
  Shelf shelf;
  const EntityNo gone = shelf.read(7);
  shelf.registry.mark_deleted(gone);
  EXPECT_EQ(shelf.registry.register_linked(shelf.book, uuid_key(7).view()).value(), gone);
  EXPECT_EQ(shelf.status("book_1"), RefStatus::deleted);
}

TEST(Registry, R3_saving_takes_the_next_free_number_and_keeps_the_gen_ref_as_alias) {
  Shelf shelf;
  shelf.registry.begin_turn(3);
  shelf.generate("Honey Bees", {1, 0});
  const EntityNo second = shelf.generate("Lemon Trees", {1, 1});
  shelf.registry.begin_turn(4);
  EXPECT_EQ(shelf.ref(shelf.save("gen_book_2", 20).value()), "book_1");
  EXPECT_EQ(shelf.ref(shelf.save("gen_book_1", 10).value()), "book_2");
  EXPECT_EQ(shelf.registry.find("gen_book_2"), second);
  EXPECT_EQ(shelf.registry.find("book_1"), second);
  EXPECT_EQ(shelf.registry.resolve("gen_book_2", "book").value(), second);
  const RefEntry entry = shelf.registry.entry(second);
  EXPECT_EQ(entry.ref.text(), "book_1");
  EXPECT_EQ(entry.alias->text(), "gen_book_2");
  EXPECT_EQ(entry.label, "Lemon Trees");
  EXPECT_EQ(entry.status, RefStatus::created);
  EXPECT_EQ(entry.turn_created, 3u);
  EXPECT_EQ(entry.turn_promoted, 4u);
  EXPECT_EQ(entry.place, (ArtifactPlace{1, 1}));
  EXPECT_EQ(shelf.ref(shelf.generate()), "gen_book_3");
}

TEST(Registry, R3_saving_never_takes_a_name_that_was_issued_001_strip_the_prefix) {
  Shelf shelf;
  shelf.read(1, "Read earlier");
  shelf.generate("Generated");
  EXPECT_EQ(shelf.ref(shelf.save("gen_book_1", 2).value()), "book_2");
  EXPECT_EQ(shelf.registry.label(shelf.registry.find("book_1")), "Read earlier");
  EXPECT_EQ(shelf.registry.label(shelf.registry.find("gen_book_1")), "Generated");
}

TEST(Registry, R3_failure_3_of_001_one_entity_has_one_row) {
  Shelf shelf;
  const EntityNo bees = shelf.generate("Honey Bees");
  EXPECT_EQ(shelf.save("gen_book_1", 5).value(), bees);
  EXPECT_EQ(shelf.read(5), bees);
  EXPECT_EQ(shelf.registry.register_linked(shelf.book, uuid_key(5).view()).value(), bees);
  EXPECT_EQ(shelf.registry.size(), 1u);
  EXPECT_EQ(shelf.registry.live_count(), 1u);
  EXPECT_EQ(shelf.registry.known_refs("book"), std::vector<std::string>{"book_1"});
}

TEST(Registry, R3_saying_a_save_twice_changes_nothing) {
  Shelf shelf;
  shelf.generate();
  shelf.save("gen_book_1", 5).value();
  const std::string before = picture(shelf.registry);
  shelf.save("gen_book_1", 5).value();
  shelf.save("book_1", 5).value();
  shelf.registry.register_created(shelf.book, uuid_key(5).view()).value();
  EXPECT_EQ(picture(shelf.registry), before);
}

TEST(Registry, R3_a_row_is_saved_from_one_artifact_only) {
  Shelf shelf;
  shelf.generate();
  shelf.generate();
  shelf.save("gen_book_1", 5).value();
  const std::string before = picture(shelf.registry);
  for (const auto& [gen_ref, key] : {std::pair("gen_book_2", 5), std::pair("gen_book_1", 6)}) {
    const Result<EntityNo> again = shelf.save(gen_ref, static_cast<std::uint64_t>(key));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::key_taken);
    EXPECT_NE(again.error().message.find("Use book_1"), std::string::npos);
  }
  EXPECT_EQ(picture(shelf.registry), before);
}

TEST(Registry, R3_only_a_known_ref_of_the_type_can_be_saved) {
  Shelf shelf;
  shelf.generate();
  const RecordKey key = uuid_key(9);
  const auto code = [&](TypeNo type, std::string_view from) {
    return shelf.registry.register_created(type, key.view(), from).error().code;
  };
  EXPECT_EQ(code(shelf.author, "gen_book_1"), ErrorCode::ref_type);
  EXPECT_EQ(code(shelf.book, "gen_book_2"), ErrorCode::ref_unknown);
  EXPECT_EQ(code(shelf.book, "Gen_Recipe_1"), ErrorCode::ref_syntax);
  EXPECT_EQ(shelf.registry.find("book", key.view()), kNoEntity);
}

TEST(Registry, R4_a_tombstone_keeps_its_label_and_is_not_listed) {
  Shelf shelf;
  shelf.read(1, "The Kraken");
  shelf.read(2);
  shelf.registry.mark_deleted(shelf.registry.find("book_1"), RefOrigin::user);
  EXPECT_EQ(shelf.registry.live_count(), 1u);
  EXPECT_EQ(shelf.registry.size(), 2u);
  EXPECT_EQ(shelf.registry.known_refs("book"), std::vector<std::string>{"book_2"});
  EXPECT_EQ(shelf.registry.label(0), "The Kraken");
  EXPECT_EQ(shelf.registry.entry(0).origin, RefOrigin::user);
}

TEST(Registry, R4_nothing_brings_a_tombstone_back) {
  Shelf shelf;
  shelf.read(1);
  shelf.generate();
  shelf.registry.mark_deleted(0);
  shelf.registry.mark_deleted(1);
  shelf.registry.mark_updated(0);
  shelf.registry.mark_referenced(0, "the first one");
  shelf.registry.retain(0, "asked for");
  EXPECT_EQ(shelf.save("gen_book_1", 5).error().code, ErrorCode::ref_deleted);
  EXPECT_EQ(shelf.status("book_1"), RefStatus::deleted);
  EXPECT_EQ(shelf.status("gen_book_1"), RefStatus::deleted);
  EXPECT_EQ(shelf.ref_of(5), "none");
}

TEST(Registry, R4_a_save_said_again_after_the_delete_is_refused) {
  Shelf shelf;
  shelf.generate();
  shelf.save("gen_book_1", 5).value();
  shelf.registry.mark_deleted(0);
  EXPECT_EQ(shelf.save("gen_book_1", 5).error().code, ErrorCode::ref_deleted);
}

TEST(Registry, R5_D9_a_later_read_or_link_lowers_no_status) {
  Shelf shelf;
  const RecordKey key = uuid_key(1);
  const auto link = [&] { shelf.registry.register_linked(shelf.book, key.view()).value(); };
  link();
  EXPECT_EQ(shelf.status("book_1"), RefStatus::linked);
  shelf.read(1);
  EXPECT_EQ(shelf.status("book_1"), RefStatus::read);
  link();
  EXPECT_EQ(shelf.status("book_1"), RefStatus::read);
  shelf.registry.mark_updated(0);
  shelf.read(1);
  link();
  EXPECT_EQ(shelf.status("book_1"), RefStatus::updated);
  shelf.registry.register_created(shelf.book, uuid_key(2).view()).value();
  shelf.read(2);
  EXPECT_EQ(shelf.status("book_2"), RefStatus::created);
  shelf.registry.mark_updated(1);
  EXPECT_EQ(shelf.status("book_2"), RefStatus::created);
}

TEST(Registry, R5_D9_status_and_origin_are_two_things) {
  Shelf shelf;
  shelf.read(1);
  shelf.registry.mark_updated(0, RefOrigin::user);
  EXPECT_EQ(shelf.registry.entry(0).status, RefStatus::updated);
  EXPECT_EQ(shelf.registry.entry(0).origin, RefOrigin::user);
  shelf.read(1);
  EXPECT_EQ(shelf.registry.entry(0).origin, RefOrigin::user);
  shelf.generate();
  shelf.registry.mark_updated(1, RefOrigin::user);  // an edited artifact has no row yet
  EXPECT_EQ(shelf.registry.entry(1).status, RefStatus::generated);
  EXPECT_EQ(shelf.registry.entry(1).origin, RefOrigin::user);
  for (const RefStatus status : {RefStatus::generated, RefStatus::read, RefStatus::linked,
                                 RefStatus::created, RefStatus::updated, RefStatus::deleted})
    EXPECT_EQ(status_named(status_name(status)), status);
  for (const RefOrigin origin : {RefOrigin::system, RefOrigin::user})
    EXPECT_EQ(origin_named(origin_name(origin)), origin);
  EXPECT_EQ(status_named("Read"), std::nullopt);
  EXPECT_EQ(origin_named(""), std::nullopt);
}

}  // namespace
}  // namespace alfred
