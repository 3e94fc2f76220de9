// A batch of 3 parents with 12 children each, as a caller sends it, and as a caller goes on with it
// after a crash. For tests only.
//
// R1 what was answered before the crash is there after it, before anybody goes on (I-17).
// R2 gone on with, by the same ops or by what is pending, it ends in exactly its rows, each item
//    complete once with the ref of its own row (I-15).
// R3 the registry that the next process opens is the one that this one has, and no row has two refs.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "engine/open_place.h"
#include "refs/registry/registry_json.h"

namespace alfred {

inline constexpr std::size_t kBatchItems = 3;
inline constexpr std::size_t kBatchParts = 12;

inline std::string item_name(std::size_t item) { return "item" + std::to_string(item); }

struct BatchOps {
  OpId declares = OpId::random();
  std::array<OpId, kBatchItems> items{OpId::random(), OpId::random(), OpId::random()};
};

// A service with the ports it runs on.
struct ServiceForTests {
  SystemClock clock;
  OsRandom random;
  std::unique_ptr<RecordService> service;

  static Result<std::unique_ptr<ServiceForTests>> open(const PlaceOptions& options) {
    auto opened = std::make_unique<ServiceForTests>();
    Result<RecordPlace> place = open_place(options, opened->clock, opened->random);
    if (!place) return Unexpected(place.error());
    Result<std::unique_ptr<RecordService>> service =
        RecordService::open(std::move(*place), opened->clock, opened->random);
    if (!service) return Unexpected(service.error());
    opened->service = std::move(*service);
    return opened;
  }
};

inline Json json_of(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }
inline std::string told(const Error& error) { return error.message + " | " + error.detail; }

inline Result<std::string> declare_for_tests(RecordService& service, const BatchOps& ops) {
  JsonArray items;
  for (std::size_t i = 0; i < kBatchItems; ++i) items.emplace_back(item_name(i));
  const JsonObject params{{"table", "recipes"}, {"items", std::move(items)}};
  const Result<std::string> answer = service.declare_batch(params, ops.declares);
  if (!answer) return answer;
  return std::string(json_of(*answer).at("id").as_string());
}

inline Json item_params(const std::string& batch, std::size_t item) {
  JsonArray parts;
  for (std::size_t i = 0; i < kBatchParts; ++i)
    parts.push_back(JsonObject{{"name", item_name(item) + " part " + std::to_string(i)},
                               {"quantity", static_cast<double>(i) + 0.5}});
  JsonObject row{{"ref", item_name(item)},
                 {"name", "Crash " + item_name(item)},
                 {"instructions", JsonArray{"Cook."}},
                 {"recipe_ingredients", std::move(parts)}};
  return JsonObject{{"table", "recipes"}, {"batch", batch}, {"data", JsonArray{std::move(row)}}};
}

// Declares and writes all items under their ops; tells after each answer. Stops at an error.
inline Result<void> run_batch(RecordService& service, const BatchOps& ops,
                              const std::function<void()>& answered) {
  const Result<std::string> batch = declare_for_tests(service, ops);
  if (!batch) return Unexpected(batch.error());
  answered();
  for (std::size_t i = 0; i < kBatchItems; ++i) {
    const Result<std::string> done =
        service.call("db_create", item_params(*batch, i), ops.items.at(i));
    if (!done) return Unexpected(done.error());
    answered();
  }
  return {};
}

inline std::set<std::string> completed_items(RecordService& service, const std::string& batch) {
  std::set<std::string> out;
  const Json status = json_of(service.batch_status(batch).value());
  for (const Json& item : status.at("items").as_array())
    if (item.at("status").as_string() == "complete") out.emplace(item.at("ref").as_string());
  return out;
}

// As a caller who lost the answer goes on: by the same op, or by what the batch says is pending.
inline void go_on_with_batch(RecordService& service, const BatchOps& ops, bool by_op) {
  const Result<std::string> batch = declare_for_tests(service, ops);
  ASSERT_TRUE(batch) << told(batch.error());
  if (!by_op) {  // a read settles what a crash left open
    const Json look = json_of(R"({"table":"recipes"})");
    ASSERT_TRUE(service.call("db_read", look, OpId::random()));
  }
  for (std::size_t i = 0; i < kBatchItems; ++i) {
    if (!by_op && completed_items(service, *batch).contains(item_name(i))) continue;
    const OpId op = by_op ? ops.items.at(i) : OpId::random();
    const Result<std::string> done = service.call("db_create", item_params(*batch, i), op);
    ASSERT_TRUE(done) << item_name(i) << ": " << told(done.error());
  }
}

// R2: by refs, as a caller sees it.
inline void expect_batch_in_refs(RecordService& service, const BatchOps& ops) {
  const Json read = json_of(R"({"table":"recipes","columns":["name"],
      "filters":[{"field":"name","op":"like","value":"Crash%"}],
      "include":["recipe_ingredients"],"order":[{"field":"name"}]})");
  const Result<std::string> answer = service.call("db_read", read, OpId::random());
  ASSERT_TRUE(answer) << told(answer.error());
  const Json shown = json_of(*answer);
  const JsonArray& rows = shown.at("rows").as_array();
  ASSERT_EQ(rows.size(), kBatchItems) << *answer;
  const std::string batch = declare_for_tests(service, ops).value();
  const Json status = json_of(service.batch_status(batch).value());
  std::set<std::string> refs;
  for (std::size_t i = 0; i < kBatchItems; ++i) {
    const Json& item = status.at("items").at(i);
    EXPECT_EQ(item.at("status").as_string(), "complete") << write_json(status);
    EXPECT_EQ(item.at("result_ref"), rows[i].at("id"));
    EXPECT_EQ(rows[i].at("name").as_string(), "Crash " + item_name(i));
    std::set<std::string> names;
    for (const Json& part : rows[i].at("recipe_ingredients").as_array()) {
      names.emplace(part.at("name").as_string());
      refs.emplace(part.at("id").as_string());
      EXPECT_TRUE(part.at("name").as_string().starts_with(item_name(i)));
    }
    EXPECT_EQ(names.size(), kBatchParts);
  }
  EXPECT_EQ(refs.size(), kBatchItems * kBatchParts);
}

// R3
inline void expect_same_registry(const RecordService& service, const PlaceOptions& options) {
  const auto next = ServiceForTests::open(options);
  ASSERT_TRUE(next) << told(next.error());
  EXPECT_EQ(RegistryJson::write((*next)->service->workspace().registry()),
            RegistryJson::write(service.workspace().registry()));
}

}  // namespace alfred
