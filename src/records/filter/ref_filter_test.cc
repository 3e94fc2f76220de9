#include "records/filter/ref_filter.h"

#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

class RefFilterTest : public testing::Test {
 protected:
  RefFilterTest() {
    library.read(R"({"table":"books","columns":["author_id"]})");
    library.read(R"({"table":"loans"})");
  }
  std::optional<RefFilter> filter(std::string_view filters, std::string_view table = "books") {
    return read_ref_filter(library.context(library.registry), *library.schema.find(table),
                           parse_json(filters, JsonLimits::none()).value());
  }
  ReadLibrary library;
};

TEST_F(RefFilterTest, R1_refs_become_keys) {
  const auto read = filter(R"([{"field":"_ref","op":"in","value":["book_2","book_1"]}])");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->filter.root().parts[0].values, (std::vector<Value>{book_key(2), book_key(1)}));
  EXPECT_EQ(read->shaped, R"([{"field":"id","op":"in","value":["book_2","book_1"]}])");
  EXPECT_TRUE(filter(R"([{"field":"_ref","op":"in","value":[]}])"));
  EXPECT_EQ(filter(R"([{"field":"_ref","op":"in","value":["author_1"]}])", "authors")
                ->filter.root()
                .parts[0]
                .values,
            std::vector<Value>{number_value(918273641)});
}

TEST_F(RefFilterTest, R1_the_rows_are_those_of_any_filter) {
  EXPECT_EQ(
      library.shown(
          R"({"table":"books","filters":[{"field":"_ref","op":"in","value":["book_3","book_1"]}]})",
          "title"),
      "Dune, Dune Messiah");
}

TEST_F(RefFilterTest, R1_everything_else_is_left_to_the_reader) {
  library.registry.mark_deleted(library.registry.find("book_4"));
  for (const char* filters :
       {"null", "[]", "{}", R"([{"field":"_ref","op":"in","value":"book_1"}])",
        R"([{"field":"_ref","op":"not_in","value":["book_1"]}])",
        R"([{"field":"title","op":"in","value":["book_1"]}])",
        R"([{"field":"_ref","op":"in","value":["book_1","book_1"]}])",
        R"([{"field":"_ref","op":"in","value":["book_4"]}])",
        R"([{"field":"_ref","op":"in","value":["book_9"]}])",
        R"([{"field":"_ref","op":"in","value":["author_1"]}])",
        R"([{"field":"_ref","op":"in","value":[null]}])",
        R"([{"field":"_ref","op":"in","value":["book_1"],"limit":3}])",
        R"([{"field":"_ref","op":"in","value":["book_1"]},{"field":"pages","op":">","value":1}])"})
    EXPECT_FALSE(filter(filters)) << filters;
  EXPECT_FALSE(filter(R"([{"field":"_ref","op":"in","value":["loan_1"]}])", "loans"))
      << "its key has two columns";
}

}  // namespace
}  // namespace alfred
