// The nodes of a turn and the types of a step, by the names they have on the wire.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "contracts/shape.h"

namespace alfred {

enum class Node : std::uint8_t { understand, think, act, act_quick, reply, summarize };
template <>
struct Named<Node> {
  static constexpr std::string_view name = "Node";
  static constexpr std::array<std::string_view, 6> names{"understand", "think", "act",
                                                         "act_quick",  "reply", "summarize"};
};

enum class StepType : std::uint8_t { read, write, analyze, generate };
template <>
struct Named<StepType> {
  static constexpr std::string_view name = "StepType";
  static constexpr std::array<std::string_view, 4> names{"read", "write", "analyze", "generate"};
};

template <class E>
constexpr std::string_view name_of(E value) {
  return Named<E>::names[static_cast<std::size_t>(value)];
}

}  // namespace alfred
