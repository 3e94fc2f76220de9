// What of a thing's parts is at hand, where it is made of what is there (make.h, R6).
//
// R1 a part is at hand where something of the stock serves for it, or where it is a cut of something there: "cod
//    fillet" where there is cod. What is at hand near is not looked for elsewhere.
// R2 the pack's staples, and what it never counts as missing, are near wherever they are kept, and taken to be
//    there where they are not.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "interpreter/rules/making/make.h"

namespace alfred::rules {

class AtHand {
 public:
  enum class Place : std::uint8_t { near, elsewhere, staple, nowhere };

  AtHand(const Book& book, const Stock& stock);

  Place place_of(const std::string& part) const;
  // Names of the content's parts that are at this place.
  std::vector<std::string> parts_at(Place place, const JsonObject& content) const;
  // What of these things is not near, for people.
  std::string note(const std::vector<Artifact>& made) const;

 private:
  bool is_served(const std::vector<std::string>& names, const std::string& part) const;

  const Book& book_;
  const Stock& stock_;
  std::set<std::string> staples_;
  mutable std::map<std::string, Place, std::less<>> known_;
};

}  // namespace alfred::rules
