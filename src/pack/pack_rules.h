// What a pack tells an interpreter that has no model: the words of its domain, what can be done in
// it and how people ask for that, and templates of what can be made. All of it data; the
// interpreter knows no domain.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace alfred {

// Words and what they stand for. One of: rows of a table (all of them, or those of `where`), a
// field of it, a value of that field, an order of rows ("longest"), or other words.
struct RuleWord {
  std::vector<std::string> says;
  std::string table;
  std::map<std::string, Json> where;
  std::string field;
  std::optional<Json> value;
  std::string order;  // "pages desc"
  std::string means;  // other words
  std::string place;  // file:line:column
};

// How people say that something is to be done: phrases with slots, and what is done with them.
struct RuleIntent {
  std::vector<std::string> phrases;
  std::string does;  // a primitive
  std::string table;
  JsonObject with;  // what the primitive takes
  std::string place;
};

// Something that can go into a slot of a template.
struct TemplateChoice {
  std::string name;
  double amount = 0;  // for one portion
  std::string unit;
  std::string notes;
  std::vector<std::string> tags;  // "cuisine:thai"; what it brings into the result
};

// A shape of what can be made: slots, and content in which they are filled in.
struct RuleTemplate {
  std::string type;                                       // of entity
  std::string title;                                      // "{protein} with {side}"
  std::vector<std::string> called;                        // "soup": who asks for one gets these
  std::map<std::string, std::vector<std::string>> slots;  // slot → names of lists
  JsonObject content;
  std::string place;
};
struct TemplateList {
  std::string name;
  std::vector<TemplateChoice> choices;
  std::string place;
};

struct PackRules {
  std::string things;  // the table that "do I have …" asks about
  std::map<std::string, std::map<std::string, Json>> usual;  // table → what a list of it leaves out
  std::map<std::string, std::string> dates;                  // table → the day its rows are about
  std::vector<std::string> merged;    // tables where more of a thing adds to the row there is
  std::vector<std::string> examples;  // what to try
  std::string speaks;                 // how it greets
  std::map<std::string, std::vector<std::string>> extras;  // numbers said beside anything: phrases
  JsonObject wishes;    // what people ask of things that are made
  JsonObject parts;     // what things are made of, and where it is kept
  JsonObject portions;  // for how many
  std::vector<RuleWord> words;
  std::vector<RuleIntent> intents;
  std::vector<RuleTemplate> templates;
  std::vector<TemplateList> lists;
};

}  // namespace alfred
