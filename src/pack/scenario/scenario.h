// Scenario: what must come out right, as a page of Markdown that comes with a pack. Prose is for
// people; fenced blocks are the steps, in order:
//
//   ```call db_read          a tool call in refs, JSON
//   ```expect                what its answer holds, JSON; or ```refused CODE
//   ```rows TABLE            the rows that are in the database then
//
//   ```user                  a message; a turn begins
//   ```model NODE            what the model answers, in the order it is asked
//   ```reply                 what the reply holds; ```prompt NODE, ```calls, ```turn, ```state
//   likewise
//
// docs/scenarios.md lists all kinds. Here pages are read and checked; engine/scenario runs them.
//
// R1 a block of an unknown kind, with words or options it does not take, or with a body that is not what
//    its kind takes, is an error.
// R2 every call is followed by what is expected of it, unless the process is killed in it; answers of the model
//    follow the message they are for.
// R3 errors name file and line.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"
#include "pack/pack.h"

namespace alfred {

enum class StepKind : std::uint8_t {
  given,     // rows of a table that are there before, made by somebody else
  generate,  // content that is not saved, of a table; it gets gen_ refs
  call,      // a tool call
  expect,    // of the last call: its answer
  refused,   // of the last call: its error
  rows,      // of a table, as they are now
  reject,    // from now on the database refuses rows of a table with these values
  accept,    // it does no longer
  outside,   // SQL of somebody else on the same database
  restart,   // of the process
  user,      // says something: a turn
  model,     // of the last message: what a node answers
  reply,     // of the last turn: what the user is told
  prompt,    // of the last turn: what a node was shown
  calls,     // of the last turn: the calls of its steps
  turn,      // of the last turn: who was asked, how it ended
  state,     // of the session, as it is now
};

struct ScenarioStep {
  StepKind kind = StepKind::call;
  std::string name;  // the tool, table, node or error code
  std::map<std::string, std::string, std::less<>> options;
  std::string text;      // the body
  Json json;             // the same, of kinds that take JSON
  std::size_t line = 0;  // where the block begins
};

std::string_view step_word(StepKind kind);  // what a block of this kind begins with

// The value of an option that is a number, from 1; 0: it is not given.
int number_of(const ScenarioStep& step, std::string_view option);

struct Scenario {
  std::string file;
  std::string title;  // the page's heading
  std::vector<ScenarioStep> steps;
};

Result<Scenario> read_scenario(const PackFile& file);

// Every scenario of the pack can be read and names tables that the pack declares.
Result<void> check_scenarios(const Pack& pack);

}  // namespace alfred
