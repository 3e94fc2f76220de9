// The tree of an expression.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "inbox/filter/script/pattern.h"

namespace alfred::inbox {

enum class Operator : std::uint8_t {
  either,
  both,
  equal,
  unequal,
  less,
  at_most,
  more,
  at_least,
  in,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  power
};
enum class Function : std::uint8_t {
  contains,
  starts_with,
  ends_with,
  format,
  join,
  matches,
  glob,
  exists
};

struct OperatorRow {
  std::string_view sign;
  Operator op;
  int strength;  // the greater binds more tightly
};
struct FunctionRow {
  std::string_view name;
  Function function;
  std::size_t least, most;  // of its values
};
std::span<const OperatorRow> operators();
std::span<const FunctionRow> functions();

struct Node {
  enum class Kind : std::uint8_t {
    number,
    text,
    flag,
    array,
    object,
    name,
    member,
    pick,
    choose,
    negate,
    binary,
    ternary,
    call
  };
  Kind kind = Kind::number;
  Operator op = Operator::either;
  Function function = Function::exists;
  bool is_relative = false;  // a name after a leading dot; a pick that chooses elements
  bool flag = false;
  double number = 0;
  std::string text;               // a text, a name
  std::vector<std::string> keys;  // of an object
  // member, pick: the subject first; ternary: test, consequent (null: the test itself), alternate
  std::vector<std::unique_ptr<Node>> parts;
  std::shared_ptr<const Pattern> pattern;  // of matches and glob, where it is a literal
};

Result<std::unique_ptr<Node>> parse_expression(std::string_view text);

}  // namespace alfred::inbox
