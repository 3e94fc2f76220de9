#include <gtest/gtest.h>

#include "refs/registry/ref_registry.h"
#include "refs/registry/registry_json.h"

namespace alfred {
namespace {

std::string fault_of(std::string_view text) {
  const Result<RefChanges> changes =
      RegistryJson::read_changes(parse_json(text, JsonLimits::none()).value());
  return changes ? "none" : changes.error().path + ": " + changes.error().message;
}

TEST(RefChangesJson, what_is_no_change_is_refused_with_its_place) {
  EXPECT_EQ(fault_of("[]"), "none");
  EXPECT_EQ(fault_of("{}"), ": changes are an array");
  const std::string kinds =
      "a change is an object with one of declared, registered, alike, changed, literal, turn";
  EXPECT_EQ(fault_of("[{\"turn\":1},{\"deleted\":1}]"), "changes[1]: " + kinds);
  EXPECT_EQ(fault_of("[{\"turn\":-1}]"), "changes[0]: " + kinds);
  EXPECT_EQ(fault_of("[{\"declared\":{\"type\":\"book\"}}]"),
            "changes[0].table: the registry needs a text here");
  EXPECT_EQ(fault_of("[{\"changed\":{\"was\":\"Book 1\",\"entry\":{}}}]"),
            "changes[0].was: a change names the ref it was");
}

TEST(RefChangesJson, rows_that_differ_in_ref_key_and_label_only_stand_together) {
  RefRegistry registry;
  registry.begin();
  const TypeNo book = registry.type_named("book", "books").value();
  const TypeNo loan = registry.type_named("loan", "loans").value();
  const auto text = [](std::string_view key) { return RecordKey::from_text(key); };
  const auto create = [&](TypeNo type, const RecordKey& key, std::string_view label) {
    registry.set_label(registry.register_created(type, key.view()).value(), label);
  };
  create(book, text("0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3"), "Emma \"E\"");
  create(loan, RecordKey::integer(-7), "");
  create(loan, text("a text"), "x");
  const RecordKey parts[] = {RecordKey::integer(1), text("b")};
  create(loan, RecordKey::composite(parts), "y");
  registry.register_read(book, RecordKey::integer(8).view()).value();  // of another status
  registry.register_generated(book, "no row yet", {1, 2}).value();
  const std::string written = RegistryJson::write_changes(registry.changes());
  EXPECT_NE(written.find(R"({"alike":{"status":"created","origin":"system","turn_created":0,)"
                         R"("turn_last_referenced":0,"rows":[)"
                         R"(["book_1","0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3","Emma \"E\""],)"
                         R"(["loan_1",-7,""],["loan_2",{"text":"a text"},"x"],)"
                         R"(["loan_3",{"composite":[{"integer":1},{"text":"b"}]},"y"]]}},)"
                         R"({"alike":{"status":"read","origin":"system","turn_created":0,)"
                         R"("turn_last_referenced":0,"rows":[["book_2",8,""]]}},)"
                         R"({"registered":{"ref":"gen_book_1",)"),
            std::string::npos)
      << written;
  const Result<RefChanges> read =
      RegistryJson::read_changes(parse_json(written, JsonLimits::none()).value());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == registry.changes());
  RefRegistry again;
  for (const RefChange& change : *read) ASSERT_TRUE(again.fold(change));
  EXPECT_EQ(RegistryJson::write(again), RegistryJson::write(registry));
  // A whole registry is told the same way, and read back as any other.
  const std::string compact = RegistryJson::write_compact(registry);
  EXPECT_LT(compact.size(), RegistryJson::write(registry).size());
  const Result<RefRegistry> whole = RegistryJson::read(compact);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(RegistryJson::write(*whole), RegistryJson::write(registry));
  EXPECT_EQ(RegistryJson::write_compact(*whole), compact);
}

TEST(RefChangesJson, a_registry_of_rows_that_stand_together_is_held_to_its_rules) {
  const auto fault = [](std::string_view rows) {
    const Result<RefRegistry> read = RegistryJson::read(
        R"({"format":"alfred-registry","version":1,"turn":0,"types":[{"type":"book","table":""}],)"
        R"("entities":[{"alike":{"status":"read","origin":"system","turn_created":0,)"
        R"("turn_last_referenced":0,"rows":)" +
        std::string(rows) + R"(}}],"literals":[]})");
    return read ? "none" : read.error().path + ": " + read.error().message;
  };
  const std::string gap = ": a ref below this one is missing; refs are numbered 1, 2, 3…";
  EXPECT_EQ(fault(R"([["book_1",1,""],["book_2",2,""]])"), "none");
  EXPECT_EQ(fault(R"([["book_1",1,""],["book_3",2,""]])"), "entities[0].ref" + gap);
  EXPECT_EQ(fault(R"([["book_2",1,""],["book_2",2,""]])"),
            "entities[0]: book_2 does not fit this registry: the ref is taken");
  EXPECT_EQ(fault(R"([["loan_1",1,""]])"), "entities[0].ref: its type is not among the types");
  EXPECT_EQ(fault(R"([["book_1"]])"),
            "entities[0].alike.rows[0]: a row is a list of its ref, its key and its label");
}

TEST(RefChangesJson, rows_that_stand_together_are_checked_one_by_one) {
  const auto fault = [](std::string_view status, std::string_view rows) {
    return fault_of(R"([{"alike":{"status":")" + std::string(status) +
                    R"(","origin":"system","turn_created":0,"turn_last_referenced":0,"rows":)" +
                    std::string(rows) + "}}]");
  };
  const std::string row = "a row is a list of its ref, its key and its label";
  EXPECT_EQ(fault("read", R"([["book_1",1,""]])"), "none");
  EXPECT_EQ(fault("lost", R"([["book_1",1,""]])"),
            "changes[0].alike.status: this status is not known");
  EXPECT_EQ(fault("read", "1"), "changes[0].alike.rows: the registry needs an array here");
  EXPECT_EQ(fault("read", R"([["book_1",1,""],["book_2",2]])"), "changes[0].alike.rows[1]: " + row);
  EXPECT_EQ(fault("read", R"([["Book 1",1,""]])"), "changes[0].alike.rows[0]: " + row);
  EXPECT_EQ(fault("read", R"([["book_1",1,")" + std::string(201, 'x') + "\"]]"),
            "changes[0].alike.rows[0]: " + row);
  EXPECT_EQ(
      fault("read", R"([["book_1","no uuid",""]])"),
      "changes[0].alike.rows[0]: a key that is a bare text is a uuid in lower case with dashes");
  EXPECT_EQ(fault_of(R"([{"alike":{"rows":[],"more":1}}])"),
            "changes[0].alike.turn_created: the registry needs a number here");
}

}  // namespace
}  // namespace alfred
