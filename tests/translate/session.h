// A registry, declared types, and reads into it: what the named tests of the translator share.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "oracle/comparison.h"

namespace alfred {

inline constexpr std::string_view kCurry = "a508000d-9b55-40f0-8886-dbdd88bd2de2";
inline constexpr std::string_view kCod = "f527cc94-5af5-451d-9e4a-16fdb9582bdc";

inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

struct Session {
  Session() = default;
  explicit Session(std::vector<EntityType> declared, RefLimits limits_of_registry = {})
      : registry(limits_of_registry), limits(limits_of_registry) {
    Result<EntityTypes> made = EntityTypes::make(std::move(declared));
    EXPECT_TRUE(made) << made.error().message;
    types = std::move(*made);
  }

  // What a read shows, or "code at path". Asks the oracle too, so that every example is one of
  // both.
  std::string read(std::string_view table, std::string_view json, RowsOptions options = {}) {
    RefRegistry other = registry;
    EXPECT_EQ(oracle::difference(other, types, {table, json, options, limits}), "") << json;
    ByteBuffer out;
    const Result<void> done = translate_read_output(registry, types, table, json, out, options);
    if (done) return std::string(out.view());
    message = done.error().message;
    return std::string(error_name(done.error().code)) + " at " + done.error().path;
  }
  std::string label(std::string_view ref) const {
    return std::string(registry.label(registry.find(ref)));
  }
  RefStatus status(std::string_view ref) const { return registry.status(registry.find(ref)); }
  std::string literal(std::uint32_t number) const {
    return number <= registry.literals().size()
               ? std::string(KeyDoorForTests::literal(registry, number))
               : "none";
  }

  RefRegistry registry;
  RefLimits limits;
  EntityTypes types;
  std::string message;  // of the last error
};

}  // namespace alfred
