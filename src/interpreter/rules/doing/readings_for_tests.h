// For tests only: a book club that reads novels on evenings.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

class ReadingsForTests {
 public:
  ReadingsForTests() : schema_(make_schema()) {
    pack_.rules.portions = {{"field", "readers"}, {"default", 2}};
    pack_.rules.parts = {{"of", "novels"}};
    pack_.rules.wishes = {{"excluded", "left_out"}};
    ConstraintType left_out;
    left_out.name = "left_out";
    left_out.is_many = true;
    left_out.check.kind = ConstraintCheck::Kind::excluded;
    left_out.check.in = {"title"};
    pack_.constraint_types.push_back(std::move(left_out));
    for (const char* table : {"novels", "evenings"}) {
      PackEntity entity;
      entity.table = table;
      pack_.entities.push_back(std::move(entity));
    }
  }

  const Book& book() {
    if (!book_) {
      Lexicon lexicon(pack_, schema_);
      Intents intents = Intents::make(lexicon).value();
      book_.emplace(Book{std::move(lexicon), std::move(intents)});
    }
    return *book_;
  }
  // Readings of novels on the days from 2 to 5 March.
  static Doing order(int count) {
    Doing out{.verb = Verb::generate, .table = "evenings"};
    out.count = count;
    out.slots = {{"n", std::to_string(count)}};
    out.with = {{"day", "on_day"}, {"fill", "novel_id"}};
    out.where = {{"on_day", ">=", Json("2026-03-02")}, {"on_day", "<=", Json("2026-03-05")}};
    out.values = {{"part", Json("late"), {}}};
    return out;
  }
  static Facts facts() {
    Facts out;
    out.now = Now::read("2026-03-02", "10:00", "UTC");
    return out;
  }

 private:
  static Field field(const char* name, FieldType type) {
    Field out;
    out.name = name;
    out.type = type;
    return out;
  }
  static Schema make_schema() {
    Table novels;
    novels.name = "novels";
    novels.ref = "novel";
    novels.key = {"id"};
    novels.label = "title";
    novels.fields = {field("id", FieldType::uuid), field("title", FieldType::text),
                     field("readers", FieldType::integer), field("tags", FieldType::list)};
    Table evenings;
    evenings.name = "evenings";
    evenings.ref = "evening";
    evenings.key = {"id"};
    evenings.label = "on_day";
    evenings.fields = {field("id", FieldType::uuid), field("on_day", FieldType::date),
                       field("part", FieldType::text), field("novel_id", FieldType::uuid),
                       field("readers", FieldType::integer)};
    evenings.fields[3].link = FieldLink{.table = "novels"};
    for (Table* one : {&novels, &evenings}) one->fields[0].is_nullable = false;
    return Schema::make({novels, evenings}).value();
  }

  Pack pack_;
  Schema schema_;
  std::optional<Book> book_;
};

}  // namespace alfred::rules
