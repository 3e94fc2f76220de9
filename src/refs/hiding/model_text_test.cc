#include "refs/hiding/model_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "refs/registry/registry_for_tests.h"
#include "refs/registry/registry_json.h"

namespace alfred {
namespace {

constexpr std::string_view kHead = "| Ref | Type | Label | Status |\n|---|---|---|---|\n";

std::string prompt(const RefRegistry& registry) {
  return std::string(format_for_prompt(registry).view());
}

std::string label_cell(std::string_view label) {
  Shelf shelf;
  shelf.read(1, label);
  const std::string text = prompt(shelf.registry);
  const std::string before = std::string(kHead) + "| book_1 | book | ";
  const std::string after = " | read |\n";
  EXPECT_TRUE(text.starts_with(before) && text.ends_with(after)) << text;
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

// The cells of each line of a table; `\` takes the next character's meaning away.
std::vector<std::vector<std::string>> parse_table(std::string_view text) {
  std::vector<std::vector<std::string>> rows{{}};
  std::string cell;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      cell += text[++i];
    } else if (text[i] == '|') {
      rows.back().push_back(std::exchange(cell, {}));
    } else if (text[i] == '\n') {
      rows.emplace_back();
      cell.clear();
    } else {
      cell += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

TEST(FormatForPrompt, says_so_when_there_is_nothing) {
  EXPECT_EQ(prompt(RefRegistry()), "*No entities registered.*\n");
  Shelf shelf;
  shelf.registry.mark_deleted(shelf.read(1, "Dune"));
  EXPECT_EQ(prompt(shelf.registry), "*No entities registered.*\n");
}

TEST(FormatForPrompt, lists_refs_types_labels_and_statuses) {
  Shelf shelf;
  shelf.read(1, "Dune");
  shelf.generate("Faust");
  shelf.generate("Kim");
  ASSERT_TRUE(shelf.save("gen_book_1", 2));
  ASSERT_TRUE(shelf.registry.register_linked(shelf.author, KeyView::integer(918273645)));
  EXPECT_EQ(prompt(shelf.registry), std::string(kHead) +
                                        "| book_1 | book | Dune | read |\n"
                                        "| book_2 | book | Faust | created |\n"
                                        "| gen_book_2 | book | Kim | generated |\n"
                                        "| author_1 | author |  | linked |\n");
}

TEST(FormatForPrompt, tombstones_are_not_listed) {
  Shelf shelf;
  shelf.registry.mark_deleted(shelf.read(1, "Dune"));
  shelf.read(2, "Emma");
  EXPECT_EQ(prompt(shelf.registry), std::string(kHead) + "| book_2 | book | Emma | read |\n");
}

TEST(ModelText, R1_a_label_makes_no_structure) {
  EXPECT_EQ(label_cell("a | b"), "a \\| b");
  EXPECT_EQ(label_cell("a\nb\r\n# c"), "a\\nb\\u{d}\\n# c");
  EXPECT_EQ(label_cell("```sh `x`"), "\\`\\`\\`sh \\`x\\`");
  EXPECT_EQ(label_cell("back\\slash\\"), "back\\\\slash\\\\");
  EXPECT_EQ(label_cell("tab\there\x1b[31m\x7f"), "tab\\u{9}here\\u{1b}[31m\\u{7f}");
  EXPECT_EQ(label_cell("# heading"), "# heading");
  EXPECT_EQ(label_cell("\u2028\u2029\u0085"), "\\u{2028}\\u{2029}\\u{85}");
}

TEST(ModelText, R2_invisible_text_is_shown_as_code_points) {
  EXPECT_EQ(label_cell("a\u200bb\u200fc\ufeff"), "a\\u{200b}b\\u{200f}c\\u{feff}");
  EXPECT_EQ(label_cell("\u202eevil\u2066\u2069\u061c"), "\\u{202e}evil\\u{2066}\\u{2069}\\u{61c}");
  EXPECT_EQ(label_cell("\U000e0041\U000e007f\U000e0100\U000e01ef"),
            "\\u{e0041}\\u{e007f}\\u{e0100}\\u{e01ef}");
  EXPECT_EQ(label_cell("so\u00adft\u180e\u3164"), "so\\u{ad}ft\\u{180e}\\u{3164}");
  EXPECT_EQ(label_cell("naïve 北京 \U0001f600"), "naïve 北京 \U0001f600");
}

TEST(ModelText, R2_text_that_spells_a_code_point_is_told_apart) {
  EXPECT_EQ(label_cell("\\u{200b}"), "\\\\u{200b}");
  EXPECT_EQ(label_cell("\\n"), "\\\\n");
}

TEST(ModelText, bytes_that_are_not_utf8_are_shown_as_such) {
  EXPECT_EQ(label_cell("a\xff\xc3(b\xe2\x82"), "a\\xff\\xc3(b\\xe2\\x82");
}

TEST(ModelText, holds_fixed_words_numbers_and_masked_text) {
  RefRegistry registry;
  registry.begin();
  LiteralMask mask(registry);
  ModelText text;
  text.add("n = ").add_number(42).add(", ").add(Ref::make("book", 3));
  text.add(": ").add_cell(mask.mask("a|5ab7c0de-1f2e-4d3c-8b4a-5968778695a4").value());
  EXPECT_EQ(text.view(), "n = 42, book_3: a\\|lit_1");
}

TEST(FormatForPrompt, I3_holds_no_key) {
  Shelf shelf;
  const std::vector<RecordKey> keys = {
      uuid_key(1), RecordKey::integer(918273645), RecordKey::text("zanzibar-quux"),
      RecordKey::composite(std::vector{RecordKey::text("xylophone-9"), uuid_key(2)})};
  for (const RecordKey& key : keys)
    ASSERT_TRUE(shelf.registry.register_read(shelf.book, key.view()));
  const std::string text = prompt(shelf.registry);
  for (const RecordKey& key : keys)
    for (const RecordKey& part : key.parts())
      EXPECT_EQ(text.find(KeyDoorForTests::text(part)), std::string::npos) << text;
}

// A label is masked when it is set; a key may become known later.
TEST(FormatForPrompt, I3_holds_no_key_that_became_known_after_the_label) {
  Shelf shelf;
  const std::string uuid = KeyDoorForTests::text(uuid_key(7));
  shelf.read(1, "was " + uuid.substr(0, 8) + ", .." + uuid.substr(28) + " and zanzibar-quux");
  shelf.registry.register_literal(uuid).value();
  shelf.read(2, "is lit_1");
  const std::string before = prompt(shelf.registry);
  EXPECT_NE(before.find("zanzibar-quux"), std::string::npos);
  shelf.read(7);
  ASSERT_TRUE(shelf.registry.register_read(shelf.book, KeyView::text("zanzibar-quux")));
  const std::string after = prompt(shelf.registry);
  EXPECT_NE(after.find("| was …, ..… and … |"), std::string::npos) << after;
  EXPECT_NE(after.find("| is lit_1 |"), std::string::npos) << after;
  shelf.registry.mark_deleted(shelf.registry.find("book_1"));
  const std::string message = shelf.registry.resolve("book_1", "").error().message;
  EXPECT_NE(message.find("was …, ..… and …"), std::string::npos) << message;
}

RC_GTEST_PROP(FormatForPrompt, R1_gives_one_row_for_each_entity_whatever_the_labels, ()) {
  Shelf shelf;
  const auto labels = *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::element('|', '\n', '`', '\\', '#', '-', ' ', '\r'),
                     rc::gen::arbitrary<char>())));
  for (std::size_t i = 0; i < labels.size(); ++i) shelf.read(i, labels[i]);
  if (labels.empty()) return;
  const auto rows = parse_table(prompt(shelf.registry));
  RC_ASSERT(rows.size() == labels.size() + 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RC_ASSERT(rows[i].size() == 5u);
    RC_ASSERT(rows[i][0].empty());
    if (i >= 2) RC_ASSERT(rows[i][1] == " book_" + std::to_string(i - 1) + " ");
    if (i >= 2) RC_ASSERT(rows[i][4] == " read ");
  }
}

}  // namespace
}  // namespace alfred
