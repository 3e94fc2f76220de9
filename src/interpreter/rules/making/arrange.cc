#include "interpreter/rules/making/arrange.h"

#include <algorithm>
#include <set>

#include "interpreter/rules/doing/targets.h"

namespace alfred::rules {
namespace {

class Arranger {
 public:
  Arranger(const Book& book, const Facts& facts, const Doing& doing,
           const std::vector<std::string>& disliked)
      : book_(book),
        facts_(facts),
        doing_(doing),
        disliked_(disliked),
        table_(*book.lexicon.schema().find(doing.table)),
        day_(text_of(doing.with, "day")),
        link_(text_of(doing.with, "fill")) {}

  Made arrange(const std::vector<const JsonObject*>& things,
               const std::vector<const JsonObject*>& taken) const {
    const std::vector<std::string> days = free_days(taken);
    const std::vector<const JsonObject*> chosen = chosen_things(things, taken);
    auto wanted = static_cast<std::size_t>(std::max(doing_.count, 0));
    if (!says_count(doing_) && !days.empty() && !chosen.empty())
      wanted = std::min({wanted, days.size(), chosen.size()});
    if (wanted > days.size() || wanted > chosen.size()) return {{}, refusal(days, chosen), {}};
    Made out;
    if (!says_count(doing_)) out.note = left_out(taken);
    for (std::size_t i = 0; i < wanted; ++i) out.artifacts.push_back(made(days[i], *chosen[i]));
    return out;
  }

 private:
  const Field& link() const { return *table_.find(link_); }

  std::string refusal(const std::vector<std::string>& days,
                      const std::vector<const JsonObject*>& chosen) const {
    const std::string things = book_.lexicon.name_of_rows(link().link->table);
    if (days.empty())
      return "None of these days is still free. Name what is to be put there instead, or other "
             "days.";
    if (days.size() < static_cast<std::size_t>(doing_.count))
      return "Only " + std::to_string(days.size()) +
             " of these days are still free. Ask for that many, or for other days.";
    return "I know only " + std::to_string(chosen.size()) + " " + things +
           " that may be taken. Ask for that many.";
  }

  // Days that were asked for and have something already.
  std::string left_out(const std::vector<const JsonObject*>& taken) const {
    std::string out;
    for (const JsonObject* row : taken) {
      const std::optional<std::int64_t> day = read_iso_day(text_of(*row, day_));
      if (!day || *day < facts_.now.day || !is_same_place(*row)) continue;
      out += (out.empty() ? "" : ", ") + day_name(*day, facts_.now) + " (" + iso_day(*day) + ")";
    }
    return out.empty() ? "" : "Left out, because something is planned then: " + out + ".";
  }

  std::vector<std::string> free_days(const std::vector<const JsonObject*>& taken) const {
    std::optional<std::int64_t> from;
    std::optional<std::int64_t> last;
    for (const Cond& one : doing_.where) {
      if (one.field != day_ || !one.value.is_string()) continue;
      (one.op == ">=" ? from : last) = read_iso_day(one.value.get_string());
    }
    std::vector<std::string> out;
    if (!from || !last) return out;
    for (std::int64_t day = std::max(*from, facts_.now.day); day <= *last; ++day)
      if (const std::string text = iso_day(day);
          std::none_of(taken.begin(), taken.end(), [&](const JsonObject* row) {
            return text_of(*row, day_) == text && is_same_place(*row);
          }))
        out.push_back(text);
    return out;
  }
  // Whether the row stands where the new one would, its day apart.
  bool is_same_place(const JsonObject& row) const {
    return std::all_of(doing_.values.begin(), doing_.values.end(), [&](const FieldSet& one) {
      const Json* had = member(row, one.field);
      return had != nullptr && *had == one.value;
    });
  }

  std::vector<const JsonObject*> chosen_things(const std::vector<const JsonObject*>& things,
                                               const std::vector<const JsonObject*>& taken) const {
    std::vector<const JsonObject*> out;
    for (const JsonObject* thing : things)
      if (may_be_taken(*thing) && !is_taken(*thing, taken)) out.push_back(thing);
    std::stable_partition(out.begin(), out.end(),
                          [&](const JsonObject* one) { return comes_first(*one); });
    std::stable_partition(out.begin(), out.end(),
                          [&](const JsonObject* one) { return is_liked(*one); });
    return out;
  }
  bool may_be_taken(const JsonObject& thing) const {
    return holds_all(book_, thing, facts_.permanent) &&
           std::all_of(facts_.constraints.begin(), facts_.constraints.end(),
                       [&](const Constraint& one) {
                         return !is_exclusion(book_, one) || holds(book_, thing, one);
                       });
  }
  bool is_liked(const JsonObject& thing) const {
    const std::string excluded = text_of(book_.lexicon.pack().rules.wishes, "excluded");
    return std::all_of(disliked_.begin(), disliked_.end(), [&](const std::string& part) {
      return holds(book_, thing, {excluded, "", Json(part), 1.0});
    });
  }
  bool is_taken(const JsonObject& thing, const std::vector<const JsonObject*>& taken) const {
    const std::string name = label_of(book_, link().link->table, thing);
    return std::any_of(taken.begin(), taken.end(), [&](const JsonObject* row) {
      const Json* to = member(*row, link_);
      return to != nullptr && to->is_object() && text_of(to->get_object(), "label") == name;
    });
  }
  bool comes_first(const JsonObject& thing) const {
    const Json* first = member(doing_.with, "first");
    if (first == nullptr || !first->is_object()) return false;
    return std::all_of(first->get_object().begin(), first->get_object().end(),
                       [&](const auto& one) {
                         const Json* had = member(thing, one.key());
                         if (had == nullptr) return false;
                         if (!had->is_array()) return *had == one.value();
                         const JsonArray& list = had->get_array();
                         return std::find(list.begin(), list.end(), one.value()) != list.end();
                       });
  }

  // For as many as the thing is for (R4).
  void put_portions(JsonObject& content, const JsonObject& thing) const {
    const JsonObject& portions = book_.lexicon.pack().rules.portions;
    const std::string field = text_of(portions, "field");
    if (field.empty() || table_.find(field) == nullptr || content.contains(field)) return;
    const Json* own = member(thing, field);
    if (own == nullptr || own->is_null()) own = member(portions, "default");
    if (own != nullptr) content[field] = *own;
  }

  Artifact made(const std::string& day, const JsonObject& thing) const {
    const std::string& to = link().link->table;
    JsonObject content{{day_, day}, {link_, ref_of(book_, to, thing)}};
    std::string label = day;
    for (const FieldSet& one : doing_.values) {
      content[one.field] = one.value;
      if (one.value.is_string()) label += " " + std::string(one.value.get_string());
    }
    put_portions(content, thing);
    return {table_.ref, label + ": " + label_of(book_, to, thing), {}, Json(std::move(content))};
  }

  const Book& book_;
  const Facts& facts_;
  const Doing& doing_;
  const std::vector<std::string>& disliked_;
  const Table& table_;
  std::string day_;   // the field of its day …
  std::string link_;  // … and of what is put there
};

}  // namespace

bool says_count(const Doing& doing) {
  return std::any_of(doing.slots.begin(), doing.slots.end(),
                     [](const auto& one) { return one.first == "n"; });
}

Made arrange_things(const Book& book, const Facts& facts, const Doing& doing,
                    const std::vector<const JsonObject*>& things,
                    const std::vector<const JsonObject*>& taken,
                    const std::vector<std::string>& disliked) {
  return Arranger(book, facts, doing, disliked).arrange(things, taken);
}

}  // namespace alfred::rules
