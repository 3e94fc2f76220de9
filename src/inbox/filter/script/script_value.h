// ScriptValue: a value while an expression runs, and how it turns into others as in JavaScript.
//
// R1 values of the event are looked at where they are, not copied; what is made lives in the Scratch of the run.
// R2 numbers are doubles; texts compare by UTF-16 units; the same array or object is equal to itself only.
#pragma once

#include <forward_list>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred::inbox {

struct ScriptValue {
  enum class Kind : std::uint8_t { undefined, null, flag, number, text, tree };
  Kind kind = Kind::undefined;
  bool flag = false;
  double number = 0;
  std::string_view text{};
  const Json* tree = nullptr;  // an array or object

  static ScriptValue of(const Json& json);
  static ScriptValue of_flag(bool flag) { return {Kind::flag, flag, 0, {}, nullptr}; }
  static ScriptValue of_number(double number) { return {Kind::number, false, number, {}, nullptr}; }
  static ScriptValue of_text(std::string_view text) {
    return {Kind::text, false, 0, text, nullptr};
  }

  bool is_missing() const { return kind == Kind::undefined || kind == Kind::null; }
  const JsonArray* array() const { return tree == nullptr ? nullptr : tree->if_array(); }
  const JsonObject* object() const { return tree == nullptr ? nullptr : tree->if_object(); }
};

// What a run makes.
class Scratch {
 public:
  ScriptValue keep(std::string text);
  ScriptValue keep(Json tree);

 private:
  std::forward_list<std::string> texts_;  // empty it takes no memory: most runs make nothing
  std::forward_list<Json> trees_;
};

Json json_of(const ScriptValue& value);  // undefined, NaN and infinities become null
bool is_truthy(const ScriptValue& value);
double number_of(const ScriptValue& value);
std::string text_of(const ScriptValue& value);

bool is_identical(const ScriptValue& a, const ScriptValue& b);  // ===
bool is_loosely_equal(const ScriptValue& a, const ScriptValue& b);
bool is_deeply_equal(const ScriptValue& a, const ScriptValue& b);
enum class Order : std::uint8_t { less, equal, more, none };
Order order_of(const ScriptValue& a, const ScriptValue& b);

// What looking through a value costs, in steps: one for each element and member, one for every
// kBytesOfStep bytes of text. Counting ends when it is more than `most`.
inline constexpr std::size_t kBytesOfStep = 256;
std::int64_t weight_of(const ScriptValue& value, std::int64_t most);
// Where a text stands in another; time is linear, whatever they are.
bool has_text(std::string_view in, std::string_view what);

// value[key]; `length` and indexes of texts and arrays included, nothing inherited.
ScriptValue property_of(const ScriptValue& value, std::string_view key, Scratch& scratch);

}  // namespace alfred::inbox
