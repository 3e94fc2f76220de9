// What content says at the places that a check names: "name", "parts/pieces.name/title".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace alfred {

struct PlaceTexts {
  std::vector<std::string> texts{};
  bool is_list = false;  // one of the places holds a list
};

// An element that is a text in the place of an object counts itself.
PlaceTexts texts_at(const Json& content, const std::vector<std::string>& places);

// The sum of the numbers there; none when there is none.
std::optional<double> sum_at(const Json& content, const std::vector<std::string>& places);

// A number, or the one a text begins with, where nothing but words follows: "30 minutes".
std::optional<double> number_in(const Json& value);

}  // namespace alfred
