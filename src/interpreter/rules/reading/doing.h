// Doing: one thing that a message wants, in the pack's terms, before anybody has looked at a row.
// It follows from the message and the names of what is in play alone, so every node of a turn reads
// the same from the same message.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "contracts/constraint.h"
#include "interpreter/rules/words/amounts.h"

namespace alfred::rules {

enum class Verb : std::uint8_t {
  list,      // rows of a table
  show,      // one row with its parts
  add,       // new rows
  set,       // other values for rows that are there
  adjust,    // more or less of what is there
  remove,    // rows
  missing,   // what of a thing's parts is not there
  makeable,  // which things have all their parts there
  prefer,    // a member of a list in the one row about the user
  generate,  // new things, not saved
  edit,      // what was generated
  save,      // what was generated
  wish,      // what the user wants of things to be made
  forget,    // what was generated, and the goal
  undo,      // the last change
  added,     // say what was done last
  unsaved,   // say what is not saved
  saved,     // show what was saved lately
  accept,    // yes
  reject,    // no
  greet,
  thank,
  idle,     // small talk
  leave,    // goodbye
  help,     // what can be said
  unknown,  // not understood
};
std::string_view verb_name(Verb verb);

// A condition on rows, as db_read takes it.
struct Cond {
  std::string field{};
  std::string op = "=";
  Json value{};
};

// Rows that are there, by the words for them.
struct Target {
  std::string said{};        // "the thai curry", "them"
  std::string type{};        // the ref's word: "book"
  bool is_pointing = false;  // it, them, the first: known from the talk, not by name
  bool is_all = false;       // every row that `where` leaves
  bool is_kind = false;      // every row of that kind: "all the herbs"
};

// A value for a field; or the row that a link leads to.
struct FieldSet {
  std::string field{};
  Json value{};
  std::optional<Target> link{};
};

// Of things that are made at once, so many with wishes of their own.
struct Share {
  int count = 1;
  std::vector<Constraint> wishes{};
};

struct Doing {
  Verb verb = Verb::unknown;
  std::string table{};
  std::vector<Cond> where{};
  std::vector<Cond>
      also{};  // held against rows after they were read: "prep_time_minutes+cook_time_minutes"
  std::vector<Cond> whether{};       // show: asked of it, "is it easy?"
  std::vector<std::string> lacks{};  // things that must not be in them: "without dairy"
  std::string search{};              // words that rows are found by
  std::string order{};
  int limit = 0;
  bool is_count = false;
  bool is_one = false;      // one row is meant: shown with all there is of it
  bool with_parts = false;  // its nested rows were asked for
  std::vector<Target> targets{};
  std::vector<Item> items{};
  std::vector<FieldSet> values{};
  std::string
      how{};  // adjust: minus, plus, half, double; prefer: add, remove; missing: add; list: more
  std::string ask{};      // what has to be known first
  std::string note{};     // an assumption that is said
  std::string refusal{};  // why it is not done; read_message makes it unknown
  std::vector<Constraint> wishes{};
  std::vector<Constraint> overrides{};
  std::vector<Share> shares{};  // generate: "one with A and one with B"
  int count = 0;                // of things to be made
  int minute = -1;              // set with how = time: of the day
  int days = 0;                 // set with how = later: by how many
  bool is_reset = false;        // the goal before it is over
  bool is_anywhere = false;     // add: nobody said among which rows
  std::string name{};           // a new name
  std::string swap_from{};      // edit: what goes …
  std::string swap_to{};        // … and what comes
  std::string intent{};         // by which phrase it was read
  std::string said{};           // its part of the message
  std::vector<std::pair<std::string, std::string>> slots{};  // of the phrase, with their words
  std::vector<std::string> unread{};                         // words that say nothing here
  JsonObject with{};                                         // of the pack's intent
};

struct Program {
  std::vector<Doing> doings{};

  bool only(Verb verb) const { return doings.size() == 1 && doings[0].verb == verb; }
};

}  // namespace alfred::rules
