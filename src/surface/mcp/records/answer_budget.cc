#include "surface/mcp/records/answer_budget.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "context/token_estimate.h"
#include "surface/mcp/message.h"

namespace alfred::mcp {
namespace {

constexpr std::size_t kMostInner = 10;  // refs of a list inside an element, where not all fit

bool fits(const std::string& answer, std::size_t tokens) {
  return answer.size() <= tokens || estimate_tokens(answer) <= tokens;  // no byte is two tokens
}

// The answer with the most elements that fits; with none of them where even one is too long.
std::string longest(std::size_t count, std::size_t tokens,
                    const std::function<std::string(std::size_t)>& made) {
  std::size_t least = 0;
  std::size_t most = count;
  while (least < most) {
    const std::size_t middle = least + (most - least + 1) / 2;
    if (fits(made(middle), tokens))
      least = middle;
    else
      most = middle - 1;
  }
  return made(least);
}

JsonArray* list_of(JsonObject& answer, std::string_view name) {
  Json* const found = answer.if_contains(name);
  return found == nullptr ? nullptr : found->if_array();
}

void keep_first(JsonArray& list, std::size_t count) {
  if (list.size() > count) list.resize(count);
}

// Lists in the elements of a list, or beside it: refs of nested rows, and of what goes with a row.
void cut_inner(Json& value) {
  if (JsonArray* const list = value.if_array()) {
    const bool has_refs = !list->empty() && list->front().is_string();
    if (has_refs) keep_first(*list, kMostInner);
    for (Json& one : *list) cut_inner(one);
  } else if (JsonObject* const object = value.if_object()) {
    for (auto& member : *object) cut_inner(member.value());
  }
}

std::string fitting_rows(JsonObject answer, std::string_view member, std::size_t tokens) {
  const std::size_t count = list_of(answer, member)->size();
  for (auto& other : answer)
    if (other.key() != member) cut_inner(other.value());
  for (Json& row : *list_of(answer, member)) cut_inner(row);
  return longest(count, tokens, [&](std::size_t shown) {
    JsonObject cut = answer;
    keep_first(*list_of(cut, member), shown);
    cut["truncated"] = true;
    cut["hint"] = fmt::format(
        "all {} rows are {}; {} of them are named here, and of lists inside at most {} "
        "refs; db_read and working_set show the others",
        count, member, shown, kMostInner);
    return write_json(cut);
  });
}

// R3: lists of a batch's items, those that come first first.
constexpr std::array<std::string_view, 3> kItemLists{"failed", "pending", "completed"};

std::string fitting_items(const JsonObject& answer, std::size_t tokens) {
  JsonObject counts;
  std::size_t total = 0;
  for (const std::string_view name : kItemLists) {
    const Json* const list = answer.if_contains(name);
    const std::size_t size = list != nullptr && list->is_array() ? list->get_array().size() : 0;
    counts[name] = size;
    total += size;
  }
  return longest(total, tokens, [&](std::size_t shown) {
    JsonObject cut = answer;
    std::size_t room = shown;
    for (const std::string_view name : kItemLists) {
      JsonArray* const list = list_of(cut, name);
      if (list == nullptr) continue;
      keep_first(*list, room);
      room -= list->size();
    }
    cut["counts"] = counts;
    cut["truncated"] = true;
    cut["hint"] = fmt::format(
        "{} of {} items are named here, those that failed first; call batch with action status "
        "for the others",
        shown, total);
    return write_json(cut);
  });
}

int rank_of(const Json& item) {
  const JsonString* const status =
      item.is_object() ? text_member(item.get_object(), "status") : nullptr;
  if (status != nullptr && *status == "failed") return 0;
  return status != nullptr && *status == "complete" ? 2 : 1;
}

struct Place {
  int rank = -1;
  std::size_t at = 0;  // in the order the items were declared in
  friend auto operator<=>(const Place&, const Place&) = default;
};

std::optional<Place> read_place(std::string_view cursor) {
  if (cursor.empty()) return Place{};
  Place place;
  const char* const end = cursor.data() + cursor.size();
  const auto rank = std::from_chars(cursor.data(), end, place.rank);
  if (rank.ec != std::errc() || rank.ptr == end || *rank.ptr != '-') return std::nullopt;
  const auto at = std::from_chars(rank.ptr + 1, end, place.at);
  const bool is_whole = at.ec == std::errc() && at.ptr == end;
  return is_whole && place.rank >= 0 && place.rank <= 2 ? std::optional(place) : std::nullopt;
}

Result<void> check_named(const JsonArray& items, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    const bool is_there = std::any_of(items.begin(), items.end(), [&](const Json& item) {
      return std::string_view(item.at("ref").as_string()) == name;
    });
    if (!is_there)
      return fail(ErrorCode::batch_item,
                  fmt::format("{} is no item of this batch.", quoted_text(name)), "items");
  }
  return {};
}

// R3, R4.
std::vector<std::pair<Place, Json>> items_after(const JsonArray& items, const Place& after,
                                                const std::vector<std::string>& wanted) {
  std::vector<std::pair<Place, Json>> found;
  for (std::size_t at = 0; at < items.size(); ++at) {
    const Place place{rank_of(items[at]), at};
    const std::string_view name = items[at].at("ref").as_string();
    const bool is_wanted =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    if (place > after && is_wanted) found.emplace_back(place, items[at]);
  }
  std::sort(found.begin(), found.end(),
            [](const auto& one, const auto& other) { return one.first < other.first; });
  return found;
}

JsonObject counts_of(const JsonArray& items) {
  std::array<std::size_t, 3> counts{};
  for (const Json& item : items) ++counts[static_cast<std::size_t>(rank_of(item))];
  JsonObject out;
  for (std::size_t i = 0; i < counts.size(); ++i) out[kItemLists[i]] = counts[i];
  return out;
}

}  // namespace

std::string fitting_write(std::string answer, std::size_t tokens) {
  if (fits(answer, tokens)) return answer;
  Result<Json> json = parse_json(answer, JsonLimits::none());
  if (!json || !json->is_object()) return answer;
  JsonObject& object = json->get_object();
  if (object.contains("completed")) return fitting_items(object, tokens);
  for (const std::string_view member : {"created", "updated", "deleted"})
    if (list_of(object, member) != nullptr) return fitting_rows(std::move(object), member, tokens);
  return answer;
}

std::string fitting_refs(JsonObject answer, std::size_t tokens) {
  std::string whole = write_json(answer);
  if (fits(whole, tokens)) return whole;
  return longest(list_of(answer, "refs")->size(), tokens, [&](std::size_t shown) {
    JsonObject cut = answer;
    keep_first(*list_of(cut, "refs"), shown);
    cut["has_more"] = true;
    cut["truncated"] = true;
    cut["hint"] = fmt::format("{} refs fit into an answer; narrow it with type", shown);
    return write_json(cut);
  });
}

Result<std::string> fitting_batch(std::string answer, std::size_t tokens, const BatchPart& part) {
  const bool is_whole = part.cursor.empty() && part.items.empty();
  if (is_whole && fits(answer, tokens)) return answer;
  Result<Json> json = parse_json(answer, JsonLimits::none());
  if (!json || !json->is_object() || list_of(json->get_object(), "items") == nullptr) return answer;
  JsonObject& object = json->get_object();
  const JsonArray items = *list_of(object, "items");
  if (Result<void> known = check_named(items, part.items); !known) return Unexpected(known.error());
  const std::optional<Place> after = read_place(part.cursor);
  if (!after)
    return fail(ErrorCode::value,
                "This cursor is none of a batch. Leave it out to begin with what failed.",
                "cursor");
  const std::vector<std::pair<Place, Json>> rest = items_after(items, *after, part.items);
  object["total"] = items.size();
  object["counts"] = counts_of(items);
  for (const std::string_view name : {"retried", "not_retried"})
    if (JsonArray* const list = list_of(object, name)) {
      const std::size_t count = list->size();
      keep_first(*list, kMostInner);
      object[fmt::format("{}_count", name)] = count;
    }
  return longest(rest.size(), tokens, [&](std::size_t shown) {
    JsonObject cut = object;
    JsonArray& list = *list_of(cut, "items");
    list.clear();
    for (std::size_t i = 0; i < shown; ++i) list.push_back(rest[i].second);
    if (shown == rest.size()) return write_json(cut);
    cut["truncated"] = true;
    const JsonString* const said = text_member(object, "hint");
    cut["hint"] = fmt::format(
        "{}{}{} of {} items are shown, those that failed first, then those that are open; go on "
        "with action status and the cursor, or name items",
        said == nullptr ? "" : std::string_view(*said), said == nullptr ? "" : "; ", shown,
        rest.size());
    if (shown > 0) {
      const Place& last = rest[shown - 1].first;
      cut["cursor"] = fmt::format("{}-{}", last.rank, last.at);
    }
    return write_json(cut);
  });
}

}  // namespace alfred::mcp
