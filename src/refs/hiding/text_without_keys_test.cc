#include "refs/hiding/text_without_keys.h"

#include <gtest/gtest.h>

#include "refs/hiding/literal_mask.h"
#include "refs/registry/registry_for_tests.h"

namespace alfred {
namespace {

TEST(TextWithoutKeys, R1_a_key_is_called_one_and_refs_and_literals_stay) {
  constexpr std::string_view kTyped = "a508000d-9b55-40f0-8886-dbdd88bd2de2";
  Shelf shelf;
  const RecordKey key = RecordKey::integer(123456789);
  shelf.registry.register_read(shelf.book, key.view()).value();
  const std::string literal(LiteralMask(shelf.registry).mask(kTyped).value().view());
  EXPECT_EQ(text_without_keys(shelf.registry, "is 123456789 book_1, or " + literal + "?"),
            "is [key] book_1, or " + literal + "?");
  EXPECT_EQ(text_without_keys(shelf.registry, std::string(kTyped) + " and " + std::string(kTyped)),
            "[key] and [key]");
  EXPECT_EQ(text_without_keys(shelf.registry, "lit_77"), "[key]");  // nobody was given it
  EXPECT_EQ(text_without_keys(shelf.registry, ""), "");
}

}  // namespace
}  // namespace alfred
