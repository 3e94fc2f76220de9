#include "interpreter/rules/doing/told_lists.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/steps.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::size_t kMostPlaces = 10;
constexpr std::size_t kLineChars = 60;
constexpr std::size_t kRecordChars = 240;
constexpr std::string_view kItem = "- ";
constexpr std::string_view kCut = "…";
constexpr std::string_view kMade = "Made:";
constexpr std::string_view kUnsaved = "Not saved yet:";
constexpr std::string_view kWhole = "You have everything for:";
constexpr std::string_view kAlmost = "Almost:";
constexpr std::string_view kOfMade = "Nothing of this is saved yet.";
constexpr std::string_view kReply = " Alfred: ";           // in the story of older turns …
constexpr std::string_view kMessage = " The user said: ";  // … where the next one begins

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

bool is_title(std::string_view line) {
  return line.size() > 4 && line.starts_with("**") && line.ends_with("**");
}

// The places of a list that can be named, a line each.
std::string short_list(std::string_view header, const std::vector<std::string_view>& lines) {
  std::string out(header);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (at >= kMostPlaces && at + 1 < lines.size()) {
      if (at == kMostPlaces) out.append("\n").append(kCut);
      continue;
    }
    const std::string_view name = lines[at].substr(0, lines[at].find(": "));
    out.append("\n").append(kItem).append(cut_code_points(name, kLineChars));
  }
  return out + "\n";
}

}  // namespace

std::string record_of(std::string_view reply) {
  const std::vector<std::string_view> lines = lines_in(reply);
  std::vector<std::string_view> names;
  if (reply.find(kOfMade) != std::string_view::npos) {
    for (const std::string_view line : lines)
      if (is_title(line)) names.push_back(line.substr(2, line.size() - 4));
    if (names.size() > 1) return short_list(kMade, names);
  }
  std::string out;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    names.clear();
    const std::string_view header = lines[at];
    while (header.ends_with(':') && at + 1 < lines.size() && lines[at + 1].starts_with(kItem))
      names.push_back(lines[++at].substr(kItem.size()));
    const bool is_part = header.find(' ') == std::string_view::npos && header != kAlmost;
    if (!names.empty() && !is_part) out += short_list(header, names);
  }
  return out.empty() ? std::string(cut_code_points(reply, kRecordChars)) : out;
}

ToldLists::ToldLists(const Book& book, const Facts& facts) : book_(book), facts_(facts) {
  take(facts.story, false);
  for (const SaidTurn& one : facts.talk) take(one.reply, one.turn + 1 == facts.turn);
}

ToldLists::List ToldLists::begun_by(std::string_view line) const {
  const PackRules& rules = book_.lexicon.pack().rules;
  if (const std::size_t behind = line.rfind(kReply); behind != std::string_view::npos)
    line.remove_prefix(behind + kReply.size());
  if (line == kMade || line == kUnsaved)
    return {.type = text_of(rules.wishes, "type"), .is_made = true, .is_batch = line == kMade};
  const auto of = [&](const Table* table) {
    return List{.type = table == nullptr ? std::string() : table->ref};
  };
  if (line == kWhole) return of(book_.lexicon.schema().find(text_of(rules.parts, "of")));
  const Tokens tokens = read_tokens(line);
  const auto number = std::find_if(tokens.begin(), tokens.end(), [](const Token& one) {
    return one.kind == Token::Kind::number;
  });
  if (!line.ends_with(':') || number == tokens.end() || number - tokens.begin() > 2) return {};
  const std::string_view rest = line.substr(number->end);
  for (const Table& table : book_.lexicon.schema().tables())
    for (const std::string& name :
         {name_of_rows(book_, table.name), name_of_one(book_, table.name)})
      if (rest == " " + name + ":" || rest.starts_with(" " + name + " (")) return of(&table);
  return {};
}

void ToldLists::take(std::string_view text, bool is_last) {
  List list;
  const auto end = [&] {
    list.is_last = is_last;
    if (!list.type.empty() && list.lines.size() > 1) lists_.push_back(list);
    if (!list.type.empty() && list.lines.size() == 1 && is_last) alone_.push_back(list);
    list = {};
  };
  const bool is_made = text.find(kOfMade) != std::string_view::npos;
  if (is_made) list = begun_by(kMade);
  for (const std::string_view line : lines_in(text)) {
    if (is_made && is_title(line)) {
      list.lines.emplace_back(line.substr(2, line.size() - 4));
    } else if (!is_made && line.starts_with(kItem)) {
      const std::size_t next = line.find(kMessage);
      list.lines.emplace_back(line.substr(kItem.size(), next - kItem.size()));
      if (next == std::string_view::npos) continue;
      end();
      list = begun_by(line);
    } else if (!is_made && line == kCut) {
      list.is_cut = true;
    } else if (!is_made && !(line == kAlmost && !list.lines.empty())) {
      end();
      list = begun_by(line);
    }
  }
  end();
}

const ToldLists::List* ToldLists::newest(std::string_view type) const {
  const auto found = std::find_if(lists_.rbegin(), lists_.rend(),
                                  [&](const List& one) { return one.type == type; });
  return found == lists_.rend() ? nullptr : &*found;
}

bool ToldLists::is_generated(const std::string& ref) const {
  return std::any_of(facts_.known.begin(), facts_.known.end(),
                     [&](const Known& one) { return one.ref == ref && one.is_generated; });
}

std::string ToldLists::ref_in(const List& list, std::size_t place) const {
  const std::string& line = list.lines[place];
  const Known* found = nullptr;
  for (const Known& one : facts_.known) {
    if (one.type != list.type || one.is_background || one.label.empty()) continue;
    const std::string name(cut_code_points(one.label, kLineChars));
    const std::string_view behind =
        std::string_view(line).substr(std::min(line.size(), name.size()));
    const bool is_named =
        line.starts_with(name) && (behind.empty() || behind.starts_with(": ") ||
                                   behind.starts_with(", ") || behind.starts_with(" ("));
    if (!is_named) continue;
    if (found != nullptr && found->label.size() == one.label.size()) return "";
    if (found == nullptr || found->label.size() < one.label.size()) found = &one;
  }
  return found == nullptr ? "" : found->ref;
}

std::string ToldLists::ref_beside(const List& list, std::size_t place) const {
  if (!list.is_batch) return "";
  for (std::size_t other = 0; other < list.lines.size(); ++other) {
    const std::string ref = ref_in(list, other);
    if (!is_generated(ref)) continue;
    const std::size_t number = number_in(ref) + place - other;
    std::string beside = ref.substr(0, ref.rfind('_') + 1) + std::to_string(number);
    if (is_generated(beside)) return beside;
  }
  return "";
}

std::vector<std::string> ToldLists::left_of(const List& list) const {
  std::vector<std::string> out;
  for (std::size_t place = 0; place < list.lines.size(); ++place) {
    std::string ref = ref_in(list, place);
    if (ref.empty()) ref = ref_beside(list, place);
    if (is_generated(ref)) out.push_back(std::move(ref));
  }
  return out;
}

std::string ToldLists::told_alone(std::string_view type) const {
  return alone_.size() == 1 && alone_.front().type == type && !alone_.front().is_made
             ? ref_in(alone_.front(), 0)
             : "";
}

std::vector<std::string> ToldLists::refs_at(const Target& target) const {
  constexpr std::array<std::string_view, 6> kOne{"it",       "that",     "this",
                                                 "that one", "this one", "the one"};
  if (target.is_pointing && is_among(kOne, target.said)) {
    std::string ref = told_alone(target.type);
    return ref.empty() ? std::vector<std::string>() : std::vector{std::move(ref)};
  }
  const List* list = target.is_pointing ? newest(target.type) : nullptr;
  if (list == nullptr) return {};
  if (const std::string but = said_but(target.said); !but.empty()) return all_but(*list, but);
  std::vector<std::string> out;
  for (const std::string& said : pointers(target.said)) {
    if (list->is_made && is_plural_pointer(said)) {
      std::vector<std::string> left = left_of(*list);
      const bool is_count = !said.starts_with("both") || left.size() == 2;
      return is_count ? left : std::vector<std::string>();
    }
    const std::size_t place = place_said(said, list->lines.size());
    if (place == 0) return {};
    const bool is_there = place <= list->lines.size() &&
                          (!list->is_cut || place <= kMostPlaces || place == list->lines.size());
    std::string ref = is_there ? ref_in(*list, place - 1) : "";
    if (ref.empty() && is_there) ref = ref_beside(*list, place - 1);
    if (ref.empty() && said.starts_with("the last") && !list->is_cut)  // the last that is there
      for (std::size_t before = place - 1; before > 0 && ref.empty(); --before)
        ref = ref_in(*list, before - 1);
    if (ref.empty() && (list->is_last || list->is_made)) return {};  // by what the turn knows
    out.push_back(ref.empty() ? target.type + "_999999999" : std::move(ref));
  }
  return out;
}

std::vector<std::string> ToldLists::all_but(const List& list, const std::string& but) const {
  std::vector<std::string> out;
  std::vector<std::size_t> left_out;
  for (const std::string& said : pointers(but)) {
    left_out.push_back(place_said(said, list.lines.size()));
    if (left_out.back() == 0 || left_out.back() > list.lines.size() || list.is_cut) return {};
  }
  for (std::size_t place = 1; place <= list.lines.size(); ++place) {
    if (std::find(left_out.begin(), left_out.end(), place) != left_out.end()) continue;
    std::string ref = ref_in(list, place - 1);
    if (ref.empty()) ref = ref_beside(list, place - 1);
    if (list.is_made && !is_generated(ref)) continue;  // saved, or dropped
    if (ref.empty()) return {};
    out.push_back(std::move(ref));
  }
  return out;
}

std::vector<std::string> ToldLists::places_in(const List& list) const {
  std::vector<std::string> out;
  for (std::size_t place = 0; place < list.lines.size(); ++place)
    if (place < kMostPlaces || place + 1 == list.lines.size())
      if (std::string ref = ref_in(list, place); !ref.empty() && !is_generated(ref))
        out.push_back(std::move(ref));
  return out;
}

std::vector<std::string> ToldLists::listed_anew() const {
  std::vector<std::string> out;
  for (const List& one : lists_)
    if (one.is_last || (one.is_made && &one == newest(one.type)))
      for (std::string& ref : places_in(one)) out.push_back(std::move(ref));
  return out;
}

std::vector<std::string> ToldLists::listed() const {
  std::vector<std::string> out;
  for (const List& one : lists_)
    if (&one == newest(one.type))
      for (std::string& ref : places_in(one)) out.push_back(std::move(ref));
  return out;
}

}  // namespace alfred::rules
