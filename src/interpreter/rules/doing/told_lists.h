// What was listed to the user, by the record of the talk: a place in a list counts the one that was
// told last and fits the kind that is asked for, however many turns ago that was.
//
// R1 the record of a reply keeps its lists by their names: the first ten places and the last one.
// R2 a list has two lines or more; what was made at once, and what is told to be unsaved, is one too.
//    One row that a reply told of alone, out of several, is "that one".
// R3 whose place it was and who is gone stays gone: the place is nobody's, and those behind do not move up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// A reply in short, for the record of its turn (R1).
std::string record_of(std::string_view reply);

class ToldLists {
 public:
  ToldLists(const Book& book, const Facts& facts);

  // Who stands at the places that the words say, by refs; of what was made also "them", "both" and
  // "all". Empty: they say no place, or no list of that kind was told. A place that is nobody's has
  // a ref that nobody has.
  std::vector<std::string> refs_at(const Target& target) const;
  // Those that lists have at places that can be named, of each kind in the last list.
  std::vector<std::string> listed() const;
  // Those of them that the turn before listed, or saved.
  std::vector<std::string> listed_anew() const;

 private:
  struct List {
    std::string type{};
    bool is_made = false;
    bool is_batch = false;             // made at once, so that its refs follow each other
    bool is_last = false;              // told by the turn before
    bool is_cut = false;               // between its tenth place and its last
    std::vector<std::string> lines{};  // each begins with a name
  };
  void take(std::string_view text, bool is_last);
  // Of what a line above a list says that it is; empty: of nothing that is known.
  List begun_by(std::string_view line) const;
  const List* newest(std::string_view type) const;
  // The one whose name the line begins with; empty: nobody, or several.
  std::string ref_in(const List& list, std::size_t place) const;
  // The same where the name was changed since, by who was made before or behind it.
  std::string ref_beside(const List& list, std::size_t place) const;
  bool is_generated(const std::string& ref) const;
  // The one that the reply before told of alone; empty: it told of several, or of a change.
  std::string told_alone(std::string_view type) const;
  std::vector<std::string> left_of(const List& list) const;
  std::vector<std::string> all_but(const List& list, const std::string& but) const;
  std::vector<std::string> places_in(const List& list) const;

  const Book& book_;
  const Facts& facts_;
  std::vector<List> lists_;  // the oldest first
  std::vector<List> alone_;  // of one line, told by the turn before
};

}  // namespace alfred::rules
