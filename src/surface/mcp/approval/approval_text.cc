#include "surface/mcp/approval/approval_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "context/shown_text.h"
#include "refs/hiding/model_text.h"
#include "surface/mcp/message.h"

namespace alfred::mcp {
namespace {

constexpr std::size_t kMostNamed = 5;    // rows by their labels
constexpr std::size_t kMostFields = 12;  // of a row
constexpr std::size_t kMostNow = 3;      // values that a field has
constexpr std::size_t kMostChars = 80;   // of a value

std::string quoted(std::string_view text) {
  return quoted_cell(shortened(visible_text(text), kMostChars));
}

std::string shown(const Json& value) {
  if (value.is_null()) return "nothing";
  if (const JsonString* const text = value.if_string()) return quoted(*text);
  return shortened(visible_text(write_json(value)), kMostChars);
}

std::string rows(std::size_t count) { return count == 1 ? "1 row" : fmt::format("{} rows", count); }

const JsonArray& list_member(const JsonObject& object, std::string_view name) {
  static const JsonArray none;
  const Json* const found = object.if_contains(name);
  return found != nullptr && found->is_array() ? found->get_array() : none;
}

std::string_view ref_of(const Json& row) {
  const JsonString* const ref =
      row.is_object() ? text_member(row.get_object(), "ref") : row.if_string();
  return ref == nullptr ? std::string_view() : std::string_view(*ref);
}

// R1: "Dune" (book_1), "Emma" (book_2) and 3 more.
std::string named(const ApprovalSubject& subject, const JsonArray& refs) {
  std::string out;
  for (std::size_t i = 0; i < std::min(refs.size(), kMostNamed); ++i) {
    const std::string_view ref = ref_of(refs[i]);
    const std::string label = subject.label ? subject.label(ref) : "";
    out += i == 0 ? ": " : ", ";
    out += label.empty() ? visible_text(ref)
                         : fmt::format("{} ({})", quoted(label), visible_text(ref));
  }
  if (refs.size() > kMostNamed) out += fmt::format(" and {} more", refs.size() - kMostNamed);
  return out;
}

// What goes with it, by table: {"loans":{"count":2}}.
std::string beside(const JsonObject& outcome, std::string_view member, std::string_view words) {
  const JsonObject* const sides = object_member(outcome, member);
  if (sides == nullptr) return {};
  std::string out;
  for (const auto& [table, side] : *sides) {
    const Json* const count = side.is_object() ? side.get_object().if_contains("count") : nullptr;
    out += fmt::format("{}{} of {}", out.empty() ? " " : ", ",
                       count == nullptr ? "rows" : rows(count->to_number<std::size_t>()),
                       visible_text(table));
  }
  return out.empty() ? out : fmt::format(" {}{}.", words, out);
}

std::string now(const JsonArray& before, std::string_view field) {
  std::string out;
  std::size_t count = 0;
  for (const Json& row : before) {
    const Json* const value = row.is_object() ? row.get_object().if_contains(field) : nullptr;
    if (value == nullptr) continue;
    if (++count > kMostNow) return out + ", …)";
    out += (out.empty() ? " (now " : ", ") + shown(*value);
  }
  return out.empty() ? out : out + ")";
}

std::string fields(const JsonObject& row, std::string_view between, const JsonArray& before) {
  std::string out;
  std::size_t count = 0;
  for (const auto& [name, value] : row) {
    if (++count > kMostFields) return out + fmt::format(", and {} more", row.size() - kMostFields);
    const bool is_list =
        value.is_array() && !value.get_array().empty() && value.get_array().front().is_object();
    out += fmt::format("{}{}{}{}{}", out.empty() ? "" : ", ", visible_text(name), between,
                       is_list ? rows(value.get_array().size()) : shown(value), now(before, name));
  }
  return out;
}

// What a row or a ref of a batch's call calls its item.
std::string_view item_of(const Json& given) {
  if (const JsonString* const ref = given.if_string()) return *ref;
  if (!given.is_object()) return {};
  const JsonString* const own = text_member(given.get_object(), "_ref");
  const JsonString* const item = own == nullptr ? text_member(given.get_object(), "ref") : own;
  return item == nullptr ? std::string_view() : std::string_view(*item);
}

const JsonArray& items_given(const JsonObject& arguments) {
  return list_member(arguments, arguments.contains("refs") ? "refs" : "data");
}

bool is_among(const JsonArray& items, std::string_view name) {
  return std::any_of(items.begin(), items.end(),
                     [&](const Json& one) { return !name.empty() && ref_of(one) == name; });
}

JsonArray without(const JsonArray& given, const JsonArray& failed) {
  JsonArray left;
  for (const Json& one : given)
    if (!is_among(failed, item_of(one))) left.push_back(one);
  return left;
}

std::string not_done(const JsonArray& failed) {
  if (failed.empty()) return {};
  std::string out =
      failed.size() == 1
          ? " 1 item cannot be done, and will be said to have failed"
          : fmt::format(" {} items cannot be done, and will be said to have failed", failed.size());
  for (std::size_t i = 0; i < std::min(failed.size(), kMostNow); ++i) {
    const JsonString* const error = text_member(failed[i].as_object(), "error");
    out += fmt::format("{}{} ({})", i == 0 ? ": " : ", ", quoted(ref_of(failed[i])),
                       error == nullptr ? "" : shortened(visible_text(*error), kMostChars));
  }
  if (failed.size() > kMostNow) out += fmt::format(" and {} more", failed.size() - kMostNow);
  return out + ".";
}

std::string created(const JsonArray& data, std::string_view table) {
  std::string out = fmt::format("Add {} to {}:", rows(data.size()), table);
  for (std::size_t i = 0; i < std::min(data.size(), kMostNamed); ++i)
    if (const JsonObject* const row = data[i].if_object())
      out += (i == 0 ? " " : "; ") + fields(*row, " ", {});
  if (data.size() > kMostNamed) out += fmt::format("; and {} more", data.size() - kMostNamed);
  return out + ".";
}

}  // namespace

JsonArray failed_items(const JsonObject& outcome, const JsonObject& arguments) {
  const JsonArray& given = items_given(arguments);
  JsonArray failed;
  for (const Json& one : list_member(outcome, "failed"))
    if (std::any_of(given.begin(), given.end(),
                    [&](const Json& item) { return item_of(item) == ref_of(one); }))
      failed.push_back(one);
  return failed;
}

std::string approval_text(const ApprovalSubject& subject) {
  const JsonString* const name = text_member(subject.arguments, "table");
  const std::string table = name == nullptr ? "?" : visible_text(*name);
  const JsonString* const batch = text_member(subject.arguments, "batch");
  const std::string begin = batch == nullptr ? "" : "In batch " + visible_text(*batch) + ": ";
  const JsonArray failed =
      batch == nullptr ? JsonArray() : failed_items(subject.outcome, subject.arguments);
  if (subject.tool == "db_create")
    return begin + created(without(list_member(subject.arguments, "data"), failed), table) +
           not_done(failed);
  const bool is_update = subject.tool == "db_update";
  const JsonArray refs = batch == nullptr
                             ? list_member(subject.outcome, is_update ? "updated" : "deleted")
                             : without(list_member(subject.arguments, "refs"), failed);
  std::string text = fmt::format("{}{} {} of {}{}.", begin, is_update ? "Change" : "Delete",
                                 rows(refs.size()), table, named(subject, refs));
  if (is_update)
    if (const JsonObject* const values = object_member(subject.arguments, "data"))
      text += " Set " + fields(*values, " to ", subject.before) + ".";
  text += beside(subject.outcome, "also_deleted", "With that go");
  text += beside(subject.outcome, "also_updated", "That also changes");
  text += not_done(failed);
  const JsonArray gone = list_member(subject.outcome, "gone");
  const std::size_t missed = list_member(subject.outcome, "not_matched").size() - gone.size();
  if (missed > 0)
    text += fmt::format(" {} named but left as they are, since the filters do not fit them.",
                        rows(missed));
  if (!gone.empty())
    text += fmt::format(" {} named {} not there any more.", rows(gone.size()),
                        gone.size() == 1 ? "is" : "are");
  return text;
}

}  // namespace alfred::mcp
