// What was made: saved, dropped, changed; and parts of what is saved, exchanged.
#include <algorithm>
#include <array>

#include "interpreter/rules/reading/builder.h"

namespace alfred::rules {

// What the same message has made, whoever that will be: all of it, or one by its place, which the
// step says (D13: code tells of whom it speaks). Nothing else: who would be saved by mistake is not
// known yet.
bool Builder::saves_what_is_made() const {
  constexpr std::array<std::string_view, 17> kAll{
      "",           "the",      "all the",   "it",          "this",         "that",
      "them",       "all",      "all of it", "all of them", "all of these", "all of those",
      "everything", "them all", "these",     "those",       "the lot"};
  constexpr std::array<std::string_view, 5> kPlaces{"the first", "the second", "the third",
                                                    "the fourth", "the fifth"};
  if (world_.makes.empty()) return false;
  std::string which = without_kind(world_.type_of(world_.makes));
  if (constexpr std::string_view kOne = " one"; which.ends_with(kOne))
    which.resize(which.size() - kOne.size());
  const auto place = std::find(kPlaces.begin(), kPlaces.end(), which);
  if (place != kPlaces.end()) return place - kPlaces.begin() < world_.made;
  if (which == "both" || which == "both of them") return world_.made == 2;
  return std::find(kAll.begin(), kAll.end(), which) != kAll.end();
}

std::vector<Doing> Builder::save() {
  if (saves_what_is_made()) {
    const std::string which = without_kind(world_.type_of(world_.makes));
    if (says_place(which)) out_.how = which;
    if (const Captured* name = slot("name")) out_.name = said(*name);
    out_.table = world_.makes;
    return {out_};
  }
  if (!world_.makes.empty())
    return refused(
        "I cannot do that in one go. Say first what to make, and then which of it to "
        "save, or how to call it.");
  if (!world_.has_generated() && !world_.has_saved)
    return refused("There is nothing to save: nothing that I made is unsaved.");
  const std::string type = world_.last_type(true);
  const std::string pointing = without_kind(type);
  out_.targets = slot("what") == nullptr ? std::vector<Target>{make_target(world_, "it", "")}
                 : is_pointing(pointing) ? std::vector<Target>{make_target(world_, pointing, "")}
                                         : targets_of("what");
  for (Target& one : out_.targets) one.type = type;
  // A plan of several is "it" as a whole.
  const bool is_plan = type != text_of(world_.pack().rules.wishes, "type");
  if (is_plan && world_.made_last() > 1 && out_.targets.size() == 1 &&
      out_.targets.front().said == "it")
    out_.targets.front().said = "them";
  out_.table = world_.table_of(type);
  const Captured* name = slot("name");
  if (name == nullptr || out_.targets.size() != 1) return {out_};
  Doing named = out_;  // "save it as …": called so first
  named.verb = Verb::edit;
  named.how = "name";
  named.name = said(*name);
  return {named, out_};
}

std::string Builder::without_kind(std::string_view type) const {
  const Captured* what = slot("what");
  if (what == nullptr) return "";
  std::string out;
  for (const Token& token : tokens_of(*what)) {
    const std::vector<Meaning>* found = world_.lexicon.find_key(token.stem);
    const Meaning* rows = found == nullptr ? nullptr : Span{0, 0, found}.find(Meaning::Kind::rows);
    if (rows == nullptr || rows->table != world_.table_of(type))
      out += (out.empty() ? "" : " ") + token.text;
  }
  return out;
}

// "drop the third", where things were made last and are not saved: only that one is forgotten.
std::vector<Doing> Builder::drop_made() const {
  const std::string type = world_.last_type(true);
  const std::string what = without_kind(type);
  if (!found_.intent->table.empty() || !says_place(what) || !world_.is_made_latest(type)) return {};
  Doing out{.verb = Verb::forget, .table = world_.table_of(type), .intent = out_.intent};
  out.said = out_.said;
  out.targets.push_back(make_target(world_, what, ""));
  out.targets.front().type = type;
  return {out};
}

// Whether the words mean what was made: pointing at it where it was spoken of last, or by its name.
bool Builder::is_made(const std::string& what, const std::string& type) const {
  if (is_pointing(what)) return world_.is_made_latest(type);
  const std::vector<const Known*> found = world_.find(what, type);
  const Tokens tokens = read_tokens(what);
  return !found.empty() && (tokens.front().is("the") || tokens.front().is("that")) &&
         std::all_of(found.begin(), found.end(),
                     [](const Known* one) { return one->is_generated || one->is_background; }) &&
         std::any_of(found.begin(), found.end(),
                     [](const Known* one) { return one->is_generated; });
}

std::vector<Doing> Builder::edit() {
  std::vector<Doing> out = edit_made();
  const bool is_of_parts = out_.how == "swap" || out_.how == "leave";
  return out.empty() && is_of_parts ? swap_part() : out;
}

// "swap the egg for tofu in the soup", "leave the egg out of the soup": a part of a thing that is
// saved. Where it is not said of which, both are things that the pack knows, and one thing was
// spoken of last.
std::vector<Doing> Builder::swap_part() {
  const std::string of = text_of(world_.pack().rules.parts, "of");
  const std::string type = world_.type_of(of);
  const Captured* from = slot("from");
  const Captured* to = slot("to");
  const Captured* what = slot("what");
  const bool is_left_out = out_.how == "leave";
  if (type.empty() || from == nullptr || is_pointing(said(*from))) return {};
  if (is_left_out ? what == nullptr || is_pointing(said(*what)) || !is_noun(*from) : to == nullptr)
    return {};
  if (what == nullptr && (!is_noun(*from) || !is_noun(*to) || world_.last_type() != type))
    return {};
  Target target = make_target(world_, what == nullptr ? "it" : said(*what), of);
  if (is_left_out && target.is_pointing) return {};  // "out of it": by its own phrase
  if (target.type != type || (!target.is_pointing && world_.find(target.said, type).empty()))
    return {};
  Doing out{.verb = Verb::set, .table = of, .how = out_.how, .intent = out_.intent};
  out.said = out_.said;
  out.slots = out_.slots;
  out.targets.push_back(std::move(target));
  out.swap_from = said(*from);
  if (to != nullptr) out.swap_to = said(*to);
  return {out};
}

bool Builder::is_noun(const Captured& captured) const {
  const std::vector<Meaning>* found =
      world_.lexicon.find_key(phrase_key(without_articles(tokens_of(captured))));
  return found != nullptr && Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr;
}

std::vector<Doing> Builder::edit_made() {
  if (!world_.has_generated()) return {};
  const std::string type = world_.last_type(true);
  std::string what = "it";
  if (slot("what") != nullptr) {
    what = without_kind(type);
    if (!is_made(what, type)) return {};
  }
  out_.targets.push_back(make_target(world_, what, is_pointing(what) ? "" : world_.table_of(type)));
  out_.targets[0].type = type;
  out_.table = world_.table_of(type);
  if (const Captured* from = slot("from")) out_.swap_from = said(*from);
  if (is_pointing(out_.swap_from)) return {};  // "drop those": not a part of them
  if (const Captured* to = slot("to")) out_.swap_to = said(*to);
  if (const Captured* items = slot("items"))
    out_.items = read_items(clause_.message, tokens_of(*items), world_.lexicon);
  if (const Captured* name = slot("name")) out_.name = said(*name);
  if (const Captured* portions = slot("n"))
    out_.overrides.push_back({text_of(world_.pack().rules.portions, "field"), "",
                              Json(static_cast<std::int64_t>(portions->number)), 1.0});
  return {out_};
}

}  // namespace alfred::rules
