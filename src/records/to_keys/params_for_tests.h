// A small library of tables for tests of parameters, and a call that holds every call to what all
// of them promise: the registry and, on errors, the output are as before; an error is short and
// holds no key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "records/to_keys/params_to_keys.h"
#include "records/to_refs/rows_to_refs.h"
#include "refs/keys/key_door_for_tests.h"
#include "refs/registry/registry_json.h"

namespace alfred {

inline constexpr std::string_view kLibraryTypes = R"(
[[entity]]
table = "authors"
label = "name"

[[entity]]
table = "books"
label = "title"
links = { author_id = "authors", editor_id = "authors" }
nested = { chapters = "chapters", author = "authors" }

[[entity]]
table = "chapters"
links = { book_id = "books" }

[[entity]]
table = "loans"
key = ["book_id", "reader_no"]
links = { book_id = "books" }

[[entity]]
table = "seats"
key = ["room", "id"]

[[entity]]
table = "profiles"
key = ["author_id"]
links = { author_id = "authors" }
)";

// Keys that nothing else in these tests looks like.
inline constexpr std::string_view kAnn = "5ab7c0de-1f2e-4d3c-8b4a-5968778695a4";
inline constexpr std::string_view kBob = "6bc8d1ef-2031-4e4d-9c5b-6a79889706b5";
inline constexpr std::string_view kDune = "7cd9e2f0-3142-4f5e-ad6c-7b8a9908a7c6";
inline constexpr std::string_view kEmma = "8deaf301-4253-405f-be7d-8c9baa19b8d7";

struct Outcome {
  std::optional<std::string> json;
  ParamsReport report;
  Error error;
};

class Library {
 public:
  Library() : types(read_entity_types(kLibraryTypes, "types").value()) {}

  // author_1 Ann, author_2 Bob; book_1 Dune by Ann, book_2 Emma by Bob.
  static Library with_books() {
    Library library;
    library.read(
        "authors",
        fmt::format(R"([{{"id":"{}","name":"Ann"}},{{"id":"{}","name":"Bob"}}])", kAnn, kBob));
    library.read("books", fmt::format(R"([{{"id":"{}","title":"Dune","author_id":"{}"}},)"
                                      R"({{"id":"{}","title":"Emma","author_id":"{}"}}])",
                                      kDune, kAnn, kEmma, kBob));
    return library;
  }

  std::string read(std::string_view table, std::string_view rows) {
    ByteBuffer out;
    const Result<void> done = translate_read_output(registry, types, table, rows, out);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return std::string(out.view());
  }

  Outcome call(std::string_view table, std::string_view params, ParamsOptions options = {}) {
    const std::string before = RegistryJson::write(registry);
    ByteBuffer out;
    out.append("before|");
    const Result<ParamsReport> report =
        translate_params(registry, types, table, params, out, options);
    EXPECT_EQ(RegistryJson::write(registry), before) << params;
    if (report) return {std::string(out.view().substr(7)), *report, {}};
    EXPECT_EQ(out.view(), "before|") << params;
    expect_safe(report.error());
    return {std::nullopt, {}, report.error()};
  }

  // The translation of a call that must succeed.
  std::string keys(std::string_view table, std::string_view params) {
    const Outcome outcome = call(table, params);
    EXPECT_TRUE(outcome.json) << params << "\n" << outcome.error.message;
    return outcome.json.value_or("");
  }
  // The error of one that must not.
  Error error(std::string_view table, std::string_view params) {
    const Outcome outcome = call(table, params);
    EXPECT_FALSE(outcome.json) << params << "\n" << outcome.json.value_or("");
    return outcome.error;
  }

  // Every key of eight characters or more (D4), or its parts.
  std::vector<std::string> long_keys() const {
    std::vector<std::string> keys;
    for (EntityNo entity = 0; entity < registry.size(); ++entity) {
      if (!registry.has_key(entity)) continue;
      for (const RecordKey& part : RecordKey(registry.key(entity)).parts())
        if (std::string key = KeyDoorForTests::for_people(part.view()); key.size() >= 8)
          keys.push_back(std::move(key));
    }
    return keys;
  }

  void expect_safe(const Error& error) const {
    EXPECT_LE(error.message.size(), 400u) << error.message;
    EXPECT_LE(error.path.size(), 400u) << error.path;
    EXPECT_LE(error.allowed.size(), 10u);
    std::string shown = error.message + "\n" + error.path;
    for (const std::string& one : error.allowed) shown += "\n" + one;
    for (const std::string& key : long_keys())
      EXPECT_EQ(shown.find(key), std::string::npos) << shown << "\nholds " << key;
  }

  EntityTypes types;
  RefRegistry registry;
};

// {"filters":[{"field":"<field>","op":"=","value":<value>}]}
inline std::string where(std::string_view field, std::string_view value) {
  return fmt::format(R"({{"filters":[{{"field":"{}","op":"=","value":{}}}]}})", field, value);
}

}  // namespace alfred
