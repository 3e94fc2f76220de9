#include "state/content_places.h"

#include <charconv>
#include <functional>

#include "pack/layout.h"

namespace alfred {
namespace {

using Leaf = std::function<void(const Json&, bool is_in_list)>;

void visit(const Json& json, std::string_view place, bool is_in_list, const Leaf& leaf) {
  if (const JsonArray* list = json.if_array()) {
    for (const Json& one : *list) visit(one, place, true, leaf);
    return;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) {
    if (!json.is_null()) leaf(json, is_in_list);
    return;
  }
  if (place.empty()) return;
  const std::size_t dot = place.find('.');
  if (const Json* member = find_member(*object, place.substr(0, dot)))
    visit(*member, dot == std::string_view::npos ? "" : place.substr(dot + 1), is_in_list, leaf);
}

}  // namespace

PlaceTexts texts_at(const Json& content, const std::vector<std::string>& places) {
  PlaceTexts out;
  if (!content.is_object()) return out;
  for (const std::string& place : places)
    visit(content, place, false, [&](const Json& value, bool is_in_list) {
      const JsonString* text = value.if_string();
      if (text == nullptr || text->empty()) return;
      out.texts.emplace_back(*text);
      out.is_list = out.is_list || is_in_list;
    });
  return out;
}

std::optional<double> sum_at(const Json& content, const std::vector<std::string>& places) {
  std::optional<double> sum;
  if (!content.is_object()) return sum;
  for (const std::string& place : places)
    visit(content, place, false, [&](const Json& value, bool) {
      if (const std::optional<double> number = number_in(value)) sum = sum.value_or(0) + *number;
    });
  return sum;
}

std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.to_number<double>();
  const JsonString* text = value.if_string();
  if (text == nullptr) return std::nullopt;
  const char* const end = text->data() + text->size();
  double number = 0;
  const auto [rest, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc()) return std::nullopt;
  // "1 h 20 min", "1 hour" and "2-3" are not understood, so they say nothing here.
  std::string_view words(rest, static_cast<std::size_t>(end - rest));
  while (words.starts_with(' ')) words.remove_prefix(1);
  if (words.starts_with('h') || words.find_first_of("0123456789-/") != std::string_view::npos)
    return std::nullopt;
  return number;
}

}  // namespace alfred
