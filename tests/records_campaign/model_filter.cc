// What filters hold for, and which refs in them are none.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {
namespace {

// The characters of a text, each with its bytes.
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80 && !out.empty())
      out.back() += c;
    else
      out.emplace_back(1, c);
  }
  return out;
}

bool is_like(const std::vector<std::string>& text, std::size_t at,
             const std::vector<std::string>& pattern, std::size_t from) {
  if (from == pattern.size()) return at == text.size();
  if (pattern[from] == "%")
    return is_like(text, at, pattern, from + 1) ||
           (at < text.size() && is_like(text, at + 1, pattern, from));
  if (at == text.size()) return false;
  if (pattern[from] == "_") return is_like(text, at + 1, pattern, from + 1);
  const bool is_escaped = pattern[from] == "\\";
  return text[at] == pattern[from + (is_escaped ? 1 : 0)] &&
         is_like(text, at + 1, pattern, from + (is_escaped ? 2 : 1));
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out{""};
  for (const char c : folded(text)) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    if (is_letter)
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

bool has(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

// The value a filter means: as it is stored.
Json meant(const Field& field, const Json& given) {
  if (!given.is_string()) return given;
  const auto alias = field.value_aliases.find(text_of(given));
  return alias == field.value_aliases.end() ? given : Json(alias->second);
}

bool holds_part(const Field& field, const Json& value, const Json& wanted) {
  if (field.type != FieldType::list)
    return folded(text_of(value)).find(folded(text_of(wanted))) != std::string::npos;
  return std::any_of(value.as_array().begin(), value.as_array().end(),
                     [&](const Json& one) { return one == wanted; });
}

bool compare_holds(std::string_view op, int order) {
  if (op == "=") return order == 0;
  if (op == "!=") return order != 0;
  if (op == ">") return order > 0;
  if (op == ">=") return order >= 0;
  if (op == "<") return order < 0;
  return order <= 0;
}

bool value_holds(const Field& field, const std::string& op, const Json& value, const Json& given) {
  const auto among = [&] {
    return std::any_of(given.as_array().begin(), given.as_array().end(), [&](const Json& one) {
      return compare_json(value, meant(field, one)) == 0;
    });
  };
  if (op == "in") return among();
  if (op == "not_in") return !among();
  if (op == "between")
    return compare_json(value, meant(field, given.as_array()[0])) >= 0 &&
           compare_json(value, meant(field, given.as_array()[1])) <= 0;
  if (op == "contains") return holds_part(field, value, given);
  if (op == "contains_any")
    return std::any_of(given.as_array().begin(), given.as_array().end(),
                       [&](const Json& one) { return holds_part(field, value, one); });
  if (op == "like") return is_like(characters(text_of(value)), 0, characters(text_of(given)), 0);
  if (op == "ilike")
    return is_like(characters(folded(text_of(value))), 0, characters(folded(text_of(given))), 0);
  return compare_holds(op, compare_json(value, meant(field, given)));
}

}  // namespace

std::string folded(std::string_view text) {
  std::string out;
  for (const std::string& character : characters(text)) {
    if (character.size() == 1 && character[0] >= 'A' && character[0] <= 'Z')
      out += static_cast<char>(character[0] - 'A' + 'a');
    else
      out += character == "É" ? "é" : character == "Б" ? "б" : character;
  }
  return out;
}

int compare_json(const Json& a, const Json& b) {
  const auto sign = [](auto x, auto y) { return x < y ? -1 : (y < x ? 1 : 0); };
  if (a.is_string() && b.is_string()) return sign(text_of(a).compare(text_of(b)), 0);
  if (a.is_bool() && b.is_bool()) return sign(int{a.as_bool()}, int{b.as_bool()});
  if (a.is_int64() && b.is_int64()) return sign(a.as_int64(), b.as_int64());
  // Its 64 bits hold every integer and every double.
  const auto exact = [](const Json& json) -> long double {
    if (json.is_int64()) return static_cast<long double>(json.get_int64());
    return json.to_number<double>();
  };
  return sign(exact(a), exact(b));
}

bool Model::all_hold(ModelSession& session, const Table& table, const JsonObject& params,
                     const ModelRow& row) const {
  const auto met = [&](const Json& filter) { return holds(session, table, filter, row); };
  const Json* const filters = params.if_contains("filters");
  const Json* const either = params.if_contains("or_filters");
  if (filters != nullptr &&
      !std::all_of(filters->as_array().begin(), filters->as_array().end(), met))
    return false;
  return either == nullptr || either->as_array().empty() ||
         std::any_of(either->as_array().begin(), either->as_array().end(), met);
}

bool Model::holds(ModelSession& session, const Table& table, const Json& filter,
                  const ModelRow& row) const {
  const JsonObject& test = filter.as_object();
  const auto met = [&](const Json& part) { return holds(session, table, part, row); };
  if (const Json* any = test.if_contains("any"))
    return std::any_of(any->as_array().begin(), any->as_array().end(), met);
  if (const Json* all = test.if_contains("all"))
    return std::all_of(all->as_array().begin(), all->as_array().end(), met);
  const std::string op = text_of(test.at("op"));
  const std::string name = text_of(test.at("field"));
  if (op == "similar") return score(table, test, row) > 0;
  const Field* const field = table.find(name);
  const bool is_key = field == nullptr || name == key_column(table);
  const Json value = is_key ? Json(row.key) : row.value(name);
  if (op == "is_null") return value.is_null();
  if (value.is_null()) return false;
  if (op == "is_not_null") return true;
  const Json& given = test.at("value");
  if (!is_key && !field->link) return value_holds(*field, op, value, given);
  const Table& target = is_key ? table : *schema_.find(field->link->table);
  Faults ignored;
  const auto is_meant = [&](const Json& ref) {
    const std::optional<std::string> key = resolve(session, target, ref, ignored);
    return key && value == Json(*key);
  };
  if (op == "=") return is_meant(given);
  if (op == "!=") return !is_meant(given);
  const bool is_among = std::any_of(given.as_array().begin(), given.as_array().end(), is_meant);
  return op == "in" ? is_among : !is_among;
}

// Twice the mean of the words found, and one more for a text that is the words. The campaign's
// words are so unlike each other that one is there or it is not.
int Model::score(const Table& table, const JsonObject& test, const ModelRow& row) const {
  const std::string name = text_of(test.at("field"));
  std::vector<std::string> texts;
  const auto add = [&](const Json& value) {
    if (value.is_string()) texts.push_back(text_of(value));
  };
  add(row.value(name));
  if (name == table.label && table.name == "albums") {
    const auto& albums = tables_.at("albums");
    const Json parent = row.value("parent_id");
    if (!parent.is_null()) add(albums.at(text_of(parent))->value("name"));
    for (const RowPtr& track : children(row, table.relations[0], row.owner))
      add(track->value("title"));
  }
  const std::vector<std::string> wanted = words(text_of(test.at("value")));
  std::size_t matched = 0;
  bool is_whole = false;
  for (const std::string& word : wanted)
    matched += std::any_of(texts.begin(), texts.end(),
                           [&](const std::string& text) { return has(words(text), word); });
  for (const std::string& text : texts) is_whole = is_whole || words(text) == wanted;
  if (matched == 0 || matched * 2 < wanted.size()) return 0;
  return static_cast<int>(200 * matched / wanted.size()) + (is_whole ? 1 : 0);
}

namespace {

// Of a filter, or of a group and all groups in it.
std::size_t tests_in(const Json& filter) {
  std::size_t count = 0;
  for (const char* group : {"any", "all"})
    if (const Json* parts = filter.as_object().if_contains(group)) {
      for (const Json& part : parts->as_array()) count += tests_in(part);
      return count;
    }
  return 1;
}

}  // namespace

void Model::check_filter_refs(ModelSession& session, const Table& table, const Json& filter,
                              Faults& faults) const {
  const JsonObject& test = filter.as_object();
  for (const char* group : {"any", "all"})
    if (const Json* parts = test.if_contains(group)) {
      for (const Json& part : parts->as_array()) check_filter_refs(session, table, part, faults);
      return;
    }
  const std::string name = text_of(test.at("field"));
  const Field* const field = table.find(name);
  const bool is_key = field == nullptr || name == key_column(table);
  const Json* const value = test.if_contains("value");
  if (value == nullptr || value->is_null() || (!is_key && !field->link)) return;
  const Table& target = is_key ? table : *schema_.find(field->link->table);
  if (!value->is_array()) resolve(session, target, *value, faults);
  if (value->is_array())
    for (const Json& one : value->as_array()) resolve(session, target, one, faults);
}

void Model::check_refs(ModelSession& session, const Table& table, const JsonObject& params,
                       Faults& faults) const {
  for (const auto& [list, most] : {std::pair{"filters", 20U}, {"or_filters", 10U}})
    if (const Json* filters = params.if_contains(list)) {
      std::size_t tests = 0;
      for (const Json& filter : filters->as_array()) {
        check_filter_refs(session, table, filter, faults);
        tests += tests_in(filter);
      }
      if (tests > most) faults.insert(ErrorCode::limit);
    }
}

}  // namespace alfred::campaign
