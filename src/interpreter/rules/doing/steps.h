// The steps that a program takes, in order: what Think plans and Act finds again.
//
// R1 they follow from the program alone, so that a step is known by its place.
// R2 rows that are named are read before they are changed; those that were pointed at are known.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contracts/think_answer.h"
#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

enum class Role : std::uint8_t {
  read_rows,      // what was asked about
  read_targets,   // what is to be changed
  read_link,      // what a new row leads to
  read_slot,      // what stands where the new row would
  read_same,      // rows that more of a thing adds to
  read_parts,     // a thing with what it is made of
  read_stock,     // what is there
  read_wanted,    // what is on the list already
  read_dislikes,  // what the user does not like
  read_leading,   // rows to come that lead to what goes, and stay without it
  write,
  make,  // generate or edit
  say,   // nothing but the reply
};

struct StepRole {
  Role role = Role::say;
  std::size_t doing = 0;
  StepType type = StepType::analyze;
  std::string table{};
  std::uint32_t group = 1;
  std::string description{};
};

std::vector<StepRole> steps_of(const Book& book, const Program& program);

// What is said of a doing, for people: "delete Emma".
std::string sentence_of(const Book& book, const Doing& doing, const Facts& facts);
// How a table is called: "shopping list".
std::string name_of_rows(const Book& book, std::string_view table);
bool writes(const Doing& doing);
const FieldSet* link_of(const Doing& doing);
// By which field rows of a table lead to another's and stay when those go; null: by none.
const Field* leading_field(const Book& book, std::string_view from, std::string_view to);
// Where it stands what the user does not like, as table and field; empty: nowhere.
std::pair<std::string, std::string> place_of_dislikes(const Book& book);
// The fields that only one row may have together, where a change sets one of them; empty: none.
std::vector<std::string> slot_of(const Book& book, const Doing& doing);
// Whether parts of a row are exchanged or left out, and the texts that name them with them.
bool edits_parts(const Doing& doing);
// Whether a row's time goes with it to another day.
bool moves_instant(const Doing& doing);

}  // namespace alfred::rules
