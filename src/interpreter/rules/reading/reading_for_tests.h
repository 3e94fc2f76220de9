// For tests only: a small storehouse, and messages read in it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "interpreter/rules/reading/read_message.h"
#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

class StoreForTests {
 public:
  StoreForTests() : schema_(make_schema()) {
    pack_.rules.parts = {{"amount", "quantity"}, {"unit", "unit"}};
    pack_.rules.things = "stock";
    pack_.rules.dates["stock"] = "best_before";
    pack_.rules.extras["shelf"] = {"on [shelf] {code}"};
    pack_.units = {{.name = "g", .words = {"gram"}, .kind = "weight", .size = 1, .place = {}},
                   {.name = "kg", .words = {"kilo"}, .kind = "weight", .size = 1000, .place = {}},
                   {.name = "l", .words = {"litre"}, .kind = "volume", .size = 1000, .place = {}},
                   {.name = "can", .words = {"tin"}, .kind = "", .size = 0, .place = {}}};
    PackEntity stock;
    stock.table = "stock";
    stock.words = {"item", "items"};
    pack_.entities.push_back(stock);
    Subdomain store;
    store.name = "store";
    store.tables = {"stock"};
    store.words = {"store", "cellar"};
    pack_.subdomains.push_back(store);
  }

  Pack& pack() { return pack_; }
  const Lexicon& lexicon() {
    if (!lexicon_) lexicon_.emplace(pack_, schema_);
    return *lexicon_;
  }
  ReadingWorld& world() {
    if (!intents_) intents_.emplace(Intents::make(lexicon()).value());
    if (!world_) world_.emplace(ReadingWorld{.lexicon = lexicon(), .intents = *intents_});
    world_->now = Now::read("2026-03-02", "10:00", "UTC");
    return *world_;
  }
  // A row that was shown in this turn.
  void know(std::string label, std::uint32_t turn = 1) {
    Known one{.ref = "item_" + std::to_string(world().known.size() + 1), .type = "item"};
    one.label = std::move(label);
    one.turn = turn;
    one.words = words_in(one.label);
    world().known.push_back(std::move(one));
  }
  // The one thing that the message wants.
  Doing read(std::string_view message) {
    const Program program = read_message(world(), message);
    EXPECT_EQ(program.doings.size(), 1u) << message;
    return program.doings.empty() ? Doing{} : program.doings.front();
  }

 private:
  static Schema make_schema() {
    Table stock;
    stock.name = "stock";
    stock.ref = "item";
    stock.key = {"id"};
    stock.label = "name";
    for (const char* name : {"id", "name", "quantity", "unit", "shelf", "best_before", "is_open"}) {
      Field field;
      field.name = name;
      stock.fields.push_back(std::move(field));
    }
    stock.fields[0].type = FieldType::uuid;
    stock.fields[0].is_nullable = false;
    stock.fields[2].type = FieldType::number;
    stock.fields[5].type = FieldType::date;
    stock.fields[6].type = FieldType::boolean;
    return Schema::make({stock}).value();
  }

  Pack pack_;
  Schema schema_;
  std::optional<Lexicon> lexicon_;
  std::optional<Intents> intents_;
  std::optional<ReadingWorld> world_;
};

}  // namespace alfred::rules
