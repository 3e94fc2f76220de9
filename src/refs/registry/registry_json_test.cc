#include "refs/registry/registry_json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/odd_locale_for_tests.h"
#include "refs/hiding/model_text.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

// A registry with everything that a file can hold.
Shelf full_shelf() {
  Shelf shelf;
  shelf.registry.begin_turn(3);
  shelf.read(1, "Dune \"q\"\n");
  shelf.generate("Faust", {2, 1});
  shelf.generate("Kim");
  shelf.registry.begin_turn(4);
  EXPECT_TRUE(shelf.save("gen_book_1", 2));
  const std::vector<RecordKey> parts = {RecordKey::text("hall é"), RecordKey::integer(-12),
                                        uuid_key(9)};
  EXPECT_TRUE(shelf.registry.register_linked(shelf.author, RecordKey::composite(parts).view()));
  EXPECT_TRUE(shelf.registry.register_read(shelf.author, KeyView::text("")));
  shelf.registry.mark_referenced(shelf.registry.find("book_1"), "that one");
  shelf.registry.retain(shelf.registry.find("book_2"), "asked for");
  shelf.registry.mark_deleted(shelf.registry.find("book_1"), RefOrigin::user);
  shelf.read(1, "Dune again");
  EXPECT_TRUE(shelf.registry.register_literal("a\\b\x01"));
  EXPECT_TRUE(shelf.registry.type_named("tag", ""));
  return shelf;
}

std::string uuid(std::uint64_t number) { return KeyDoorForTests::text(uuid_key(number)); }

TEST(RegistryJson, is_the_text_that_the_documents_show) {
  Shelf shelf;
  EXPECT_EQ(RegistryJson::write(RefRegistry()),
            R"({"format":"alfred-registry","version":1,"turn":0,"types":[],"entities":[],)"
            "\"literals\":[]}\n");
  const std::string text = RegistryJson::write(full_shelf().registry);
  EXPECT_EQ(text,
            R"({"format":"alfred-registry","version":1,"turn":4,"types":[)"
            R"({"type":"book","table":"books"},{"type":"author","table":"authors"},)"
            R"({"type":"tag","table":""}],"entities":[)"
            R"({"ref":"book_1","key":{"uuid":")" +
                uuid(1) +
                R"("},"label":"Dune \"q\"\n","status":"deleted","origin":"user",)"
                R"("turn_created":3,"turn_last_referenced":4,"last_referenced_phrase":"that one"},)"
                R"({"ref":"book_2","alias":"gen_book_1","key":{"uuid":")" +
                uuid(2) +
                R"("},"label":"Faust","status":"created","origin":"system",)"
                R"("place":{"step":2,"artifact":1},"turn_created":3,"turn_last_referenced":4,)"
                R"("turn_promoted":4,"retention_reason":"asked for"},)"
                R"({"ref":"gen_book_2","label":"Kim","status":"generated","origin":"system",)"
                R"("place":{"step":1,"artifact":0},"turn_created":3,"turn_last_referenced":3},)"
                R"({"ref":"author_1","key":{"composite":[{"text":"hall é"},{"integer":-12},)"
                R"({"uuid":")" +
                uuid(9) +
                R"("}]},"label":"","status":"linked","origin":"system","turn_created":4,)"
                R"("turn_last_referenced":4},)"
                R"({"ref":"author_2","key":{"text":""},"label":"","status":"read",)"
                R"("origin":"system","turn_created":4,"turn_last_referenced":4},)"
                R"({"ref":"book_3","key":{"uuid":")" +
                uuid(1) +
                R"("},"label":"Dune again","status":"read","origin":"system","turn_created":4,)"
                R"("turn_last_referenced":4}],"literals":["a\\b\u0001"]})"
                "\n");
}

TEST(RegistryJson, R1_what_was_written_is_read_back) {
  const Shelf shelf = full_shelf();
  const std::string text = RegistryJson::write(shelf.registry);
  const Result<RefRegistry> back = RegistryJson::read(text);
  ASSERT_TRUE(back) << back.error().message << " " << back.error().path;
  EXPECT_EQ(picture(*back), picture(shelf.registry));
  EXPECT_EQ(RegistryJson::write(*back), text);
}

TEST(RegistryJson, R1_a_registry_that_was_read_goes_on_where_it_was) {
  Shelf shelf = full_shelf();
  RefRegistry back = RegistryJson::read(RegistryJson::write(shelf.registry)).value();
  EXPECT_TRUE(back.changes().empty());
  for (RefRegistry* registry : {&shelf.registry, &back}) {
    registry->begin();
    const TypeNo book = *registry->find_type("book");
    EXPECT_TRUE(registry->register_created(book, uuid_key(5).view(), "gen_book_2"));
    EXPECT_TRUE(registry->register_generated(book, "Next", {9, 9}));
    EXPECT_TRUE(registry->register_read(book, uuid_key(1).view()));
  }
  EXPECT_EQ(back.ref(back.find("gen_book_2")).text(), "book_4");
  EXPECT_EQ(picture(back), picture(shelf.registry));
  back.rollback();
  EXPECT_EQ(RegistryJson::write(back), RegistryJson::write(full_shelf().registry));
}

// Things that happen to a registry, at random.
void live_through(Shelf& shelf) {
  const int steps = *rc::gen::inRange(0, 40);
  for (int i = 0; i < steps; ++i) {
    const auto n = static_cast<std::uint64_t>(*rc::gen::inRange(0, 8));
    const auto label = *rc::gen::element<std::string>("", "a", "Dune \"x\"", "é|\n", "\\");
    const EntityNo size = shelf.registry.size();
    const EntityNo any = size == 0 ? 0 : static_cast<EntityNo>(*rc::gen::inRange(0, 1000)) % size;
    switch (*rc::gen::inRange(0, 9)) {
      case 0: shelf.read(n, label); break;
      case 1: shelf.generate(label, {static_cast<std::uint32_t>(n), 1}); break;
      case 2: (void)shelf.save("gen_book_" + std::to_string(n + 1), n + 4).has_value(); break;
      case 3: shelf.registry.begin_turn(shelf.registry.turn() + 1); break;
      case 4: shelf.registry.register_literal(label + std::to_string(n)).value(); break;
      case 5: shelf.registry.register_linked(shelf.author, KeyView::text(label)).value(); break;
      case 6:
        if (size != 0) shelf.registry.mark_deleted(any);
        break;
      case 7:
        if (size != 0) shelf.registry.mark_referenced(any, label);
        break;
      default:
        if (size != 0) shelf.registry.retain(any, label);
    }
  }
}

RC_GTEST_PROP(RegistryJson, R1_random_registries_come_back_byte_equal, ()) {
  Shelf shelf;
  live_through(shelf);
  const std::string text = RegistryJson::write(shelf.registry);
  const Result<RefRegistry> back = RegistryJson::read(text);
  RC_LOG() << text << (back ? "" : back.error().message + " " + back.error().path);
  RC_ASSERT(back.has_value());
  RC_ASSERT(RegistryJson::write(*back) == text);
  RC_ASSERT(picture(*back) == picture(shelf.registry));
}

TEST(RegistryJson, R2_equal_registries_give_equal_bytes_whatever_the_hash_seed) {
  std::string first;
  for (int run = 0; run < 5; ++run) {
    Shelf shelf;
    for (std::uint64_t i = 0; i < 300; ++i) shelf.read(i * 7919 % 1000);
    const std::string text = RegistryJson::write(shelf.registry);
    if (first.empty()) first = text;
    EXPECT_EQ(text, first);
  }
}

TEST(RegistryJson, ten_thousand_entities) {
  Shelf shelf;
  for (std::uint64_t i = 0; i < 10'000; ++i) shelf.read(i, "label");
  const std::string text = RegistryJson::write(shelf.registry);
  const Result<RefRegistry> back = RegistryJson::read(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->size(), 10'000u);
  EXPECT_EQ(RegistryJson::write(*back), text);
}

TEST(RegistryJson, limits_hold_for_files_too) {
  const std::string text = RegistryJson::write(full_shelf().registry);
  const Result<RefRegistry> full = RegistryJson::read(text, {.max_entities = 6, .max_literals = 1});
  EXPECT_TRUE(full) << full.error().message;
  EXPECT_EQ(RegistryJson::read(text, {.max_entities = 5, .max_literals = 1}).error().code,
            ErrorCode::limit);
  const Result<RefRegistry> few = RegistryJson::read(text, {.max_entities = 6, .max_literals = 0});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, ErrorCode::limit);
  EXPECT_EQ(few.error().path, "literals[0]");
}

TEST(RegistryJson, people_read_keys_as_the_database_writes_them) {
  const std::vector<RecordKey> parts = {RecordKey::text("hall"), RecordKey::integer(7)};
  EXPECT_EQ(KeyDoorForTests::for_people(uuid_key(1).view()), uuid(1));
  EXPECT_EQ(KeyDoorForTests::for_people(KeyView::integer(-5)), "-5");
  EXPECT_EQ(KeyDoorForTests::for_people(RecordKey::composite(parts).view()), "hall + 7");
}

TEST(RegistryJson, R1_what_a_type_is_called_and_its_key_are_kept) {
  RefRegistry registry;
  const TypeNo first = registry.type_named("row", "", "\xe4\xb9\xa6").value();
  const TypeNo second = registry.type_named("row2", "b.users", "").value();
  ASSERT_TRUE(registry.set_key_columns(second, {"a", "b"}));
  const std::string text = RegistryJson::write(registry);
  EXPECT_NE(text.find(R"({"type":"row2","table":"b.users","called":"","key":["a","b"]})"),
            std::string::npos)
      << text;
  const RefRegistry again = RegistryJson::read(text).value();
  EXPECT_EQ(RegistryJson::write(again), text);
  EXPECT_EQ(again.find_called("\xe4\xb9\xa6"), first);
  EXPECT_EQ(again.find_table("b.users"), second);
  EXPECT_EQ(again.find_called(""), std::nullopt);
}

TEST(RegistryJson, R3_types_that_are_called_the_same_are_refused) {
  const auto read = [](std::string_view types) {
    return RegistryJson::read(
        fmt::format(R"({{"format":"alfred-registry","version":1,"turn":0,"types":[{}],)"
                    R"("entities":[],"literals":[]}})",
                    types));
  };
  EXPECT_TRUE(read(R"({"type":"a","table":"","called":"x"})"));
  for (const char* types :
       {R"({"type":"a","table":"","called":"a"})",
        R"({"type":"a","table":"","called":"x"},{"type":"b","table":"","called":"x"})",
        R"({"type":"a","table":"","called":"b"},{"type":"b","table":""})",
        R"({"type":"a","table":"","key":[]})", R"({"type":"a","table":"","key":[1]})"})
    EXPECT_EQ(read(types).error().code, ErrorCode::schema) << types;
}

TEST(RegistryTypesChange, R6_rollback_forgets_tables_names_and_keys_of_types) {
  RefRegistry registry;
  const TypeNo known = registry.type_named("author", "").value();
  registry.begin();
  registry.type_named("author", "authors").value();
  ASSERT_TRUE(registry.set_key_columns(known, {"id"}));
  registry.type_named("row", "\xe4\xb9\xa6", "\xe4\xb9\xa6").value();
  RefRegistry folded;
  folded.type_named("author", "").value();
  for (const RefChange& change : registry.changes()) ASSERT_TRUE(folded.fold(change));
  EXPECT_EQ(RegistryJson::write(folded), RegistryJson::write(registry));
  registry.rollback();
  EXPECT_EQ(registry.find_table("authors"), std::nullopt);
  EXPECT_EQ(registry.find_called("\xe4\xb9\xa6"), std::nullopt);
  EXPECT_TRUE(registry.key_columns(known).empty());
}

TEST(RegistryJson, R1_F16_neither_locale_nor_time_zone_changes_a_byte) {
  const auto all_output = [] {
    Shelf shelf({.max_entities = 1'500});
    for (std::uint64_t key = 1; key <= 1'500; ++key) shelf.read(key, "TITLE I\xc4\xb0i 1234.5");
    const std::string text = RegistryJson::write(shelf.registry);
    EXPECT_EQ(RegistryJson::write(RegistryJson::read(text).value()), text);
    std::string out = text + std::string(format_for_prompt(shelf.registry).view());
    for (const std::string_view ref : {"book_1234", "BOOK_1234", "BOOKI_1234", "book_1501"}) {
      const Result<EntityNo> found = shelf.registry.resolve(ref, "book");
      out += found ? shelf.ref(*found) : found.error().message;
    }
    return out + shelf.registry.no_room().message;
  };
  const std::string before = all_output();
  EXPECT_NE(before.find("did you mean book_1234?"), std::string::npos);
  EXPECT_NE(before.find("knows 1500 refs"), std::string::npos);
  const OddLocale odd;
  EXPECT_EQ(all_output(), before);
}

}  // namespace
}  // namespace alfred
