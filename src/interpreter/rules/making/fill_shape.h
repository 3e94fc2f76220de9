// A shape with its slots filled: content as the pack declares it.
//
// R1 what is required and no slot holds is added, with the step that uses it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "interpreter/rules/making/make.h"

namespace alfred::rules {

using Chosen = std::map<std::string, const TemplateChoice*, std::less<>>;

class ShapeFiller {
 public:
  // `is_avoided`: what a member of a category must not be.
  ShapeFiller(const Book& book, std::string type, double servings,
              std::vector<std::string> required,
              std::function<bool(const TemplateChoice&)> is_avoided);

  JsonObject filled(const RuleTemplate& shape, const Chosen& chosen) const;
  void put_tag(JsonObject& content, const std::string& field, const std::string& value) const;

 private:
  void add_part(JsonArray& parts, std::string_view name, double amount, const std::string& unit,
                const std::string& notes) const;
  JsonArray parts_of(const Json* declared, const Chosen& chosen) const;
  void add_required(JsonArray& parts, JsonArray& steps) const;
  std::string member_of(const std::string& category) const;
  void add_tags(JsonObject& content, const Chosen& chosen) const;

  const Book& book_;
  const PackRules& rules_;
  std::string type_;
  double servings_;
  std::vector<std::string> required_;
  std::function<bool(const TemplateChoice&)> is_avoided_;
  std::string label_;      // of what is made
  std::string parts_;      // its parts …
  std::string part_name_;  // … and what they are called by
  std::string steps_;      // how it is made
  std::string portions_;   // for how many
};

}  // namespace alfred::rules
