#include "records/to_refs/create_output.h"

#include <gtest/gtest.h>

#include "records/to_keys/params_for_tests.h"
#include "refs/keys/key_door_for_tests.h"

namespace alfred {
namespace {

RecordKey key(int n) {
  return RecordKey::from_text(fmt::format("00000000-0000-4000-8000-{:012}", n));
}

std::vector<std::string> texts(const Result<std::vector<Ref>>& refs) {
  EXPECT_TRUE(refs) << (refs ? "" : refs.error().message);
  std::vector<std::string> out;
  if (refs)
    for (const Ref& ref : *refs) out.emplace_back(ref.text());
  return out;
}

class CreateOutput : public ::testing::Test {
 protected:
  CreateOutput() { generate({"Faust", "Faust", "Ivanhoe"}); }

  void generate(const std::vector<std::string>& labels) {
    const TypeNo book = *library_.registry.type_named("book", "books");
    for (const std::string& label : labels)
      ASSERT_TRUE(library_.registry.register_generated(book, label, {1, 0}));
  }
  Result<std::vector<Ref>> create(const std::vector<CreatedRow>& rows) {
    return translate_create_output(library_.registry, library_.types, "books", rows);
  }
  std::string key_of(std::string_view ref) {
    return KeyDoorForTests::for_people(library_.registry.key(library_.registry.find(ref)));
  }

  Library library_;
};

TEST_F(CreateOutput, B18_rows_are_matched_by_lineage_not_by_position) {
  EXPECT_EQ(texts(create({{key(3), "gen_book_3", ""}, {key(1), "gen_book_1", ""}})),
            (std::vector<std::string>{"book_1", "book_2"}));
  EXPECT_EQ(key_of("gen_book_3"), KeyDoorForTests::for_people(key(3).view()));
  EXPECT_EQ(key_of("gen_book_1"), KeyDoorForTests::for_people(key(1).view()));
  // The one that did not come back has no row.
  EXPECT_EQ(library_.registry.resolve("gen_book_2", "book").error().code, ErrorCode::ref_pending);
}

TEST_F(CreateOutput, B19_equal_labels_are_told_apart_by_ref) {
  EXPECT_EQ(texts(create({{key(2), "gen_book_2", "Faust"}, {key(1), "gen_book_1", "Faust"}})),
            (std::vector<std::string>{"book_1", "book_2"}));
  EXPECT_EQ(library_.registry.find("gen_book_2"), library_.registry.find("book_1"));
  EXPECT_EQ(library_.registry.find("gen_book_1"), library_.registry.find("book_2"));
}

TEST_F(CreateOutput, a_row_from_nothing_generated_gets_the_next_ref) {
  EXPECT_EQ(texts(create({{key(1), "", "Kim"}, {key(2), "gen_book_1", ""}})),
            (std::vector<std::string>{"book_1", "book_2"}));
  EXPECT_EQ(library_.registry.label(library_.registry.find("book_1")), "Kim");
  EXPECT_EQ(library_.registry.status(library_.registry.find("book_1")), RefStatus::created);
  EXPECT_EQ(library_.registry.label(library_.registry.find("book_2")), "Faust");
}

TEST_F(CreateOutput, all_or_nothing) {
  const std::string before = RegistryJson::write(library_.registry);
  const std::vector<std::pair<CreatedRow, ErrorCode>> bad = {
      {{key(2), "gen_book_9", ""}, ErrorCode::ref_unknown},
      {{key(2), "no ref", ""}, ErrorCode::ref_syntax},
      {{key(1), "gen_book_2", ""}, ErrorCode::key_taken},
      {{key(2), "gen_book_1", ""}, ErrorCode::key_taken},
  };
  for (const auto& [row, code] : bad) {
    const Result<std::vector<Ref>> refs = create({{key(1), "gen_book_1", "A label"}, row});
    ASSERT_FALSE(refs) << row.saved_from;
    EXPECT_EQ(refs.error().code, code) << refs.error().message;
    EXPECT_EQ(RegistryJson::write(library_.registry), before) << row.saved_from;
  }
}

TEST_F(CreateOutput, a_label_hides_keys_also_those_of_rows_created_after_it) {
  const std::string later = KeyDoorForTests::for_people(key(2).view());
  ASSERT_TRUE(create({{key(1), "gen_book_1", "after " + later.substr(28)},
                      {key(2), "gen_book_2", "is " + later}}));
  EXPECT_EQ(library_.registry.label(library_.registry.find("book_1")), "after lit_1");
  EXPECT_EQ(library_.registry.label(library_.registry.find("book_2")), "is lit_2");
}

TEST_F(CreateOutput, no_rows_are_no_refs) {
  EXPECT_EQ(texts(create({})), std::vector<std::string>{});
}

}  // namespace
}  // namespace alfred
