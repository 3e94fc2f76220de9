// From what a model wrote to an entity, or to an error: the rows of section B that a registry
// answers.
#include "refs/hiding/key_shapes.h"
#include "refs/registry/ref_registry.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

const std::string kUuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";

Error error_of(const Shelf& shelf, std::string_view text, std::string_view type = "book") {
  const Result<EntityNo> found = shelf.registry.resolve(text, type);
  EXPECT_FALSE(found) << text;
  if (found) return {};
  EXPECT_LE(found.error().message.size(), 400u);
  EXPECT_LE(found.error().allowed.size(), 10u);
  EXPECT_FALSE(has_key_shape(found.error().message)) << found.error().message;
  return found.error();
}

TEST(Resolve, finds_refs_aliases_and_ref_forms) {
  Shelf shelf;
  const EntityNo read = shelf.read(1);
  const EntityNo saved = shelf.generate();
  shelf.save("gen_book_1", 2).value();
  EXPECT_EQ(shelf.registry.resolve("book_1", "book").value(), read);
  EXPECT_EQ(shelf.registry.resolve("ref_book_1", "book").value(), read);
  EXPECT_EQ(shelf.registry.resolve("book_1", "").value(), read);
  EXPECT_EQ(shelf.registry.resolve("gen_book_1", "book").value(), saved);
  EXPECT_EQ(shelf.registry.resolve("book_2", "book").value(), saved);
}

TEST(Resolve, B1_a_ref_never_issued_is_unknown_and_ten_of_its_type_are_named) {
  Shelf shelf;
  for (std::uint64_t i = 0; i < 15; ++i) shelf.read(i);
  shelf.generate();
  shelf.registry.register_read(shelf.author, uuid_key(1).view()).value();
  shelf.registry.mark_deleted(shelf.registry.find("book_15"));
  for (const char* type : {"book", ""}) {
    const Error error = error_of(shelf, "book_99", type);
    EXPECT_EQ(error.code, ErrorCode::ref_unknown);
    EXPECT_EQ(error.allowed,
              (std::vector<std::string>{"book_14", "book_13", "book_12", "book_11", "book_10",
                                        "book_9", "book_8", "book_7", "book_6", "book_5"}));
    for (const std::string& ref : error.allowed) EXPECT_TRUE(shelf.registry.resolve(ref, "book"));
  }
  for (const char* text : {"book_16", "gen_book_2", "ref_book_99", "poem_1", "book_999999999"})
    EXPECT_EQ(error_of(shelf, text).code, ErrorCode::ref_unknown) << text;
  EXPECT_EQ(error_of(shelf, "ref_book_99").message, error_of(shelf, "book_99").message);
}

TEST(Resolve, B2_another_sessions_ref_gets_the_answer_of_one_never_issued_byte_for_byte) {
  Shelf mine;
  Shelf theirs;
  mine.read(1);
  for (std::uint64_t i = 0; i < 5; ++i) theirs.read(100 + i, "secret");
  ASSERT_TRUE(theirs.registry.resolve("book_3", "book"));
  const Error other = error_of(mine, "book_3");
  Shelf alone;  // where nobody ever issued book_3
  alone.read(1);
  const Error never = error_of(alone, "book_3");
  EXPECT_EQ(other.code, never.code);
  EXPECT_EQ(other.message, never.message);
  EXPECT_EQ(other.path, never.path);
  EXPECT_EQ(other.allowed, never.allowed);
  EXPECT_EQ(other.detail, never.detail);
  std::string forged = error_of(mine, "book_9").message;
  forged.replace(forged.find("book_9"), 6, "book_3");
  EXPECT_EQ(forged, other.message);
}

TEST(Resolve, B3_a_ref_of_another_type_is_refused) {
  Shelf shelf;
  shelf.read(1);
  shelf.registry.register_read(shelf.author, uuid_key(1).view()).value();
  const Error error = error_of(shelf, "author_1");
  EXPECT_EQ(error.code, ErrorCode::ref_type);
  EXPECT_EQ(error.allowed, std::vector<std::string>{"book_1"});
  EXPECT_NE(error.message.find("author_1"), std::string::npos);
}

TEST(Resolve, B4_a_deleted_ref_is_refused_by_its_label) {
  Shelf shelf;
  shelf.read(1, "The Kraken");
  shelf.read(2);
  shelf.registry.mark_deleted(0);
  const Error error = error_of(shelf, "book_1");
  EXPECT_EQ(error.code, ErrorCode::ref_deleted);
  EXPECT_NE(error.message.find("The Kraken"), std::string::npos);
  EXPECT_EQ(error.allowed, std::vector<std::string>{"book_2"});
}

TEST(Resolve, B4_the_alias_of_a_deleted_row_is_deleted_too) {
  Shelf shelf;
  shelf.generate();
  shelf.save("gen_book_1", 1).value();
  shelf.registry.mark_deleted(0);
  EXPECT_EQ(error_of(shelf, "gen_book_1").code, ErrorCode::ref_deleted);
}

TEST(Resolve, B5_generated_content_without_a_row_is_pending_until_it_is_saved) {
  Shelf shelf;
  shelf.generate("Honey Bees");
  const Error error = error_of(shelf, "gen_book_1");
  EXPECT_EQ(error.code, ErrorCode::ref_pending);
  EXPECT_NE(error.message.find("Honey Bees"), std::string::npos);
  EXPECT_TRUE(shelf.registry.known_refs("book").empty());
  shelf.save("gen_book_1", 1).value();
  EXPECT_TRUE(shelf.registry.resolve("gen_book_1", "book"));
}

TEST(Resolve, B7_a_uuid_is_refused_right_or_wrong_in_the_same_words) {
  Shelf shelf;
  const RecordKey key = RecordKey::from_text(kUuid);
  shelf.registry.register_read(shelf.book, key.view()).value();
  const Error right = error_of(shelf, kUuid);
  const Error wrong = error_of(shelf, "f527cc94-5af5-451d-9e4a-16fdb9582bdc");
  EXPECT_EQ(right.code, ErrorCode::ref_syntax);
  EXPECT_EQ(right.message, wrong.message);
  EXPECT_EQ(right.allowed, wrong.allowed);
  EXPECT_EQ(right.allowed, std::vector<std::string>{"book_1"});
}

TEST(Resolve, B13_a_near_miss_is_refused_even_when_the_ref_exists) {
  Shelf shelf;
  shelf.read(1);
  for (const char* text : {"Book_1", "BOOK_1", " book_1 ", "\"book_1.\"", "book_1\n"}) {
    const Error error = error_of(shelf, text);
    EXPECT_EQ(error.code, ErrorCode::ref_syntax);
    EXPECT_EQ(error.allowed, std::vector<std::string>{"book_1"});
    EXPECT_EQ(shelf.registry.find(text), kNoEntity);
  }
}

TEST(Resolve, B17_of_several_refs_each_bad_one_is_told_and_nothing_changes) {
  Shelf shelf;
  shelf.read(1);
  shelf.read(2);
  const std::string before = picture(shelf.registry);
  std::string bad;
  for (const char* text : {"book_1", "book_9", "book_2", "gen_book_1"})
    if (!shelf.registry.resolve(text, "book")) bad += std::string(text) + " ";
  EXPECT_EQ(bad, "book_9 gen_book_1 ");
  EXPECT_EQ(picture(shelf.registry), before);
}

TEST(Resolve, B18_created_rows_are_matched_by_ref_in_whatever_order_they_come) {
  Shelf shelf;
  const EntityNo first = shelf.generate("First", {1, 0});
  const EntityNo second = shelf.generate("Second", {1, 1});
  const EntityNo third = shelf.generate("Third", {1, 2});
  shelf.save("gen_book_3", 30).value();
  shelf.save("gen_book_1", 10).value();
  EXPECT_EQ(shelf.registry.find("book", uuid_key(30).view()), third);
  EXPECT_EQ(shelf.registry.find("book", uuid_key(10).view()), first);
  EXPECT_EQ(shelf.registry.label(first), "First");
  EXPECT_EQ(shelf.registry.label(third), "Third");
  EXPECT_FALSE(shelf.registry.has_key(second));  // fewer came than were sent
  EXPECT_EQ(shelf.resolve_error("gen_book_2"), ErrorCode::ref_pending);
}

TEST(Resolve, B19_the_same_label_twice_is_no_reason_to_mix_up) {
  Shelf shelf;
  const EntityNo first = shelf.generate("Same", {1, 0});
  const EntityNo second = shelf.generate("Same", {1, 1});
  shelf.read(1, "Same");
  EXPECT_EQ(shelf.save("gen_book_2", 20).value(), second);
  EXPECT_EQ(shelf.save("gen_book_1", 10).value(), first);
  EXPECT_EQ(shelf.ref_of(20), "book_2");
  EXPECT_EQ(shelf.ref_of(10), "book_3");
}

TEST(Resolve, B20_a_link_to_a_row_not_read_yet_gets_a_ref_that_works) {
  Shelf shelf;
  const EntityNo linked = shelf.registry.register_linked(shelf.author, uuid_key(4).view()).value();
  EXPECT_EQ(shelf.ref(linked), "author_1");
  EXPECT_EQ(shelf.registry.status(linked), RefStatus::linked);
  EXPECT_EQ(shelf.registry.resolve("author_1", "author").value(), linked);
  EXPECT_EQ(shelf.registry.register_read(shelf.author, uuid_key(4).view()).value(), linked);
}

TEST(Resolve, I3_no_error_shows_a_piece_of_a_key_that_reads_like_a_ref) {
  Shelf shelf;
  const RecordKey key = RecordKey::from_text(kUuid);
  shelf.registry.register_read(shelf.book, key.view()).value();
  for (const char* text : {"a508000d_1", "a508000d9b5540f08886dbdd88bd2de2_1", "book_88112233"})
    EXPECT_EQ(error_of(shelf, text).code, ErrorCode::ref_unknown);
}

}  // namespace
}  // namespace alfred
