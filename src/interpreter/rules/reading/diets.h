// What a wish says is not to be in anything: "vegan", "gluten-free", "nut free".
//
// R1 a word of the pack's diet constraint, or a value that stands for one, is that constraint.
// R2 "…-free" of anything else leaves that out.
// R3 what the pack says it cannot keep to (`unkept`), and "low …", "high …" and "…-friendly" that it does not
//    know, is never passed over: who asks for it is told, and nothing is made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contracts/constraint.h"
#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

struct Diet {
  Constraint wish{};     // without a type: none
  std::string unkept{};  // R3: as it was said
  std::size_t to = 0;    // behind its words
};

// What begins here; nothing: no such word does.
std::optional<Diet> diet_at(const ReadingWorld& world, std::span<const Token> tokens,
                            std::size_t at);
// The things that such a wish keeps out; empty: none that are known.
std::vector<std::string> avoided_by(const Pack& pack, const Constraint& wish);
// Why nothing is made; empty where all can be kept to.
std::string unkept_text(const std::vector<std::string>& unkept);

}  // namespace alfred::rules
