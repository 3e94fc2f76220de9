// New things from the pack's templates, under what is asked of them.
//
// R1 the same request gives the same things; ten of them are ten different ones.
// R2 every thing holds all constraints; what it needs and no slot can hold is added to it.
// R3 a request that nothing can meet is refused with all that was asked, and what of it is in the way where one is.
// R4 shapes that have a slot for all that is required come before those to which something has to be added.
// R5 what the user does not like is left out where that can be; where it cannot, that is said.
// R6 of what is there: first of the `near` alone, then of all the stock, then with as few other parts as can be, at
//    most kMostLacking. What is not at hand is said. The pack's staples are taken to be there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contracts/act_answer.h"
#include "contracts/constraint.h"
#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// What things are made of where they are to be made of what is there, by its names.
struct Stock {
  std::vector<std::string> near{};       // where it was said to be
  std::vector<std::string> elsewhere{};  // the rest
};

// So many parts that are not there may one thing have.
inline constexpr std::size_t kMostLacking = 3;

struct MakeRequest {
  std::string type{};
  int count = 1;
  std::vector<Constraint> constraints{};
  std::vector<std::string> taken{};     // names that are given already
  std::vector<std::string> disliked{};  // parts that are left out where that can be
  std::optional<Stock> stock{};         // R6; none: of anything
  bool is_probe = false;                // only to see whether it can be done
};

struct Made {
  std::vector<Artifact> artifacts{};
  std::string refusal{};
  std::string note{};  // what of it may not be liked, or is not at hand
};

Made make_things(const Book& book, const MakeRequest& request);

// What things of this type are called by: the field of their label.
std::string label_field(const Book& book, std::string_view type);
// A part that no template has a place for: how much of it for one portion, and the step that uses
// it.
struct AddedPart {
  double amount = 0;
  std::string unit{};
  std::string step{};
};
AddedPart added_part(const Book& book, const std::string& name);

// The choice of a template that a thing of this name can be: "red apple" is the apple; empty: none.
std::string choice_called(const Book& book, const std::string& name);

// Whether a thing with this in it breaks what is to be kept to.
bool is_banned(const Book& book, const std::string& part, const Constraint& by);
// Whether content holds a constraint, by the pack's checks.
bool holds(const Book& book, const JsonObject& content, const Constraint& constraint);
bool holds_all(const Book& book, const JsonObject& content, std::span<const Constraint> all);
// Whether it keeps something out, and asks for nothing: "no cod", "vegan", "not spicy".
bool is_exclusion(const Book& book, const Constraint& constraint);
// The parts of a thing that break it, by their names: "prawn, crab".
std::string breaking_parts(const Book& book, const JsonObject& content,
                           const Constraint& constraint);
// What of these can be checked only in part, as the pack tells it; empty: nothing.
std::string partly_checked(const Book& book, std::span<const Constraint> all);
// What a thing breaks of these, with the parts that do it: "no shellfish (prawn)"; empty: nothing.
std::string broken_text(const Book& book, const JsonObject& content,
                        std::span<const Constraint> all);
// "not spicy", "cod", "at most 30".
std::string wish_text(const Book& book, const Constraint& constraint);

}  // namespace alfred::rules
