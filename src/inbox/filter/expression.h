// Expression: the language of Jexl 2.3 as far as docs/inbox.md lists it, over one event.
//
// R1 parsed once, into a tree; an unknown function, a transform, a bad pattern and what does not parse are refused
//    then.
// R2 a name that is not there is undefined, never an error; == and < are loose as in JavaScript.
// R3 evaluation takes at most kMaxSteps steps: a node is one, and so is each element that is looked through or copied
//    and every 256 bytes of text, counted before it is done. Texts and lists it makes are bounded;
//    patterns run on RE2.
#pragma once

#include <memory>
#include <string_view>

#include "alfred/error.h"
#include "inbox/filter/filter.h"

namespace alfred::inbox {

inline constexpr std::size_t kMaxExpressionBytes = 8 * 1024;
inline constexpr std::size_t kMaxExpressionDepth = 64;
inline constexpr std::int64_t kMaxSteps = 100'000;

struct Node;

class Expression {
 public:
  static Result<Expression> parse(std::string_view text);
  // Whether it is truthy for an event.
  Result<bool> holds(const EventView& event) const;
  // The value itself; undefined is null. For tests.
  Result<Json> value(const EventView& event) const;

 private:
  explicit Expression(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace alfred::inbox
