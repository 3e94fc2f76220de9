// Looking refs up: one text, many texts, type and number.
#include <array>
#include <random>
#include <string>
#include <vector>

#include "base/test_size.h"
#include "refs/ref_grammar.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

// What find() has to give, from the grammar and the entities themselves.
EntityNo expected(const RefRegistry& registry, std::string_view text) {
  RefParts parts;
  if (!split_ref(text, parts)) return kNoEntity;
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    const RefEntry entry = registry.entry(entity);
    for (const Ref& ref : {entry.ref, entry.alias.value_or(entry.ref)})
      if (ref.type() == parts.type && ref.number() == parts.number &&
          ref.is_generated() == parts.is_generated)
        return entity;
  }
  return kNoEntity;
}

Shelf small_shelf() {
  Shelf shelf;
  for (std::uint64_t key = 1; key <= 30; ++key) shelf.read(key);
  const TypeNo longest =
      shelf.registry.type_named("a_type_as_long_as_the_name_of_one_may_be", "t").value();
  shelf.registry.register_read(longest, uuid_key(1).view()).value();
  for (int i = 0; i < 12; ++i) shelf.generate();
  shelf.save("gen_book_2", 100).value();
  return shelf;
}

TEST(RefLookup, a_text_names_what_the_grammar_says) {
  const Shelf shelf = small_shelf();
  for (const char* text : {"book_1",
                           "book_30",
                           "book_31",
                           "book_32",
                           "gen_book_2",
                           "gen_book_12",
                           "gen_book_13",
                           "ref_book_7",
                           "ref_gen_book_2",
                           "gen_ref_book_2",
                           "book_0",
                           "book_01",
                           "book_",
                           "book",
                           "_1",
                           "",
                           "1",
                           "k_1",
                           "book_1 ",
                           "book1",
                           "book__1",
                           "Book_1",
                           "book_+1",
                           "book_1a",
                           "book_00000001",
                           "book_000000001",
                           "book_99999999",
                           "book_100000000",
                           "book_999999999",
                           "book_1000000001",
                           "book_4294967297",
                           "book_18446744073709551617",
                           "author_1",
                           "gen_1",
                           "a_type_as_long_as_the_name_of_one_may_be_1",
                           "gen_a_type_as_long_as_the_name_of_one_may_be_1",
                           "ref_a_type_as_long_as_the_name_of_one_may_be_1",
                           "a_type_as_long_as_the_name_of_0ne_may_be_1"})
    EXPECT_EQ(shelf.registry.find(text), expected(shelf.registry, text)) << text;
  EXPECT_NE(shelf.registry.find("a_type_as_long_as_the_name_of_one_may_be_1"), kNoEntity);
  EXPECT_EQ(shelf.registry.find(std::string_view("book_1\0", 7)), kNoEntity);
}

TEST(RefLookup, damaged_texts_name_what_the_grammar_says_alone_and_together) {
  const Shelf shelf = small_shelf();
  constexpr std::string_view kBytes = "0123456789_abkor/:;\x80\xb1\xff";
  constexpr std::array kStarts{"book_12", "gen_book_3", "ref_book_30", "book_123456789", "book_1"};
  std::mt19937 random(20260105);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < test_size({1'000, 10'000, 100'000}); ++i) {
    std::string text = kStarts[random() % kStarts.size()];
    for (std::size_t edits = random() % 3; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1);
      else
        text[at] = kBytes[random() % kBytes.size()];
    }
    texts.push_back(std::move(text));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<EntityNo> found(views.size());
  shelf.registry.find_many(views, found);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(shelf.registry.find(views[i]), expected(shelf.registry, views[i])) << texts[i];
    ASSERT_EQ(found[i], shelf.registry.find(views[i])) << texts[i];
  }
}

TEST(RefLookup, a_type_and_a_number_name_what_their_text_names) {
  const Shelf shelf = small_shelf();
  for (std::uint32_t number = 0; number < 40; ++number)
    EXPECT_EQ(shelf.registry.at(shelf.book, number),
              shelf.registry.find("book_" + std::to_string(number)));
  EXPECT_EQ(shelf.registry.at(shelf.book, 0xffffffff), kNoEntity);
  EXPECT_EQ(shelf.registry.at(shelf.author, 1), kNoEntity);
}

}  // namespace
}  // namespace alfred
