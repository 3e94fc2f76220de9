// What becomes of a column's value: a ref becomes its key, lit_n its text; and what an error says.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/json/json.h"
#include "base/utf8.h"
#include "records/to_keys/params_walk.h"
#include "refs/hiding/model_text.h"

namespace alfred {
namespace {

constexpr std::size_t kMaxPathBytes = 200;
constexpr std::size_t kMaxNamedBytes = 240;  // of bad refs in one message

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A name that stands in a path as it is; any other stands in quotes.
bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word);
}

// The bad refs of a list, as many as a message has room for.
std::string named(const std::vector<std::string>& bad) {
  std::string out;
  for (const std::string& one : bad) {
    if (out.size() + one.size() > kMaxNamedBytes) return out + " …";
    out += (out.empty() ? "" : ", ") + one;
  }
  return out;
}

}  // namespace

std::optional<std::string> ParamsToKeys::text_of(const Member& member) {
  if (*member.value_at != '"') return std::nullopt;
  const auto size = static_cast<std::size_t>(member.value_end - member.value_at);
  return decode_json_string({member.value_at + 1, size - 2});
}

// Names of members come from outside: one that is a key, or holds a piece of one, is not repeated.
// Plain words are, unless they hold a whole key: a key such as customer-17 hides no customer_id.
bool ParamsToKeys::is_secret(std::string_view name) {
  if (is_key_name(name, pieces_)) return true;
  for (std::size_t i = 0; i < registry_.type_count(); ++i)
    if (registry_.keys().find(static_cast<TypeNo>(i), KeyView::text(name)) != kNoEntity)
      return true;
  return false;
}

std::string ParamsToKeys::shown_path(std::string_view path) {
  if (path.empty()) return "";
  std::string shown;
  while (true) {
    const std::size_t end = path.find(kStep);
    std::string_view step = path.substr(0, end);
    const std::string_view name = step.substr(0, step.find(kIndex));
    shown += is_secret(name) ? "…" : is_plain_name(name) ? std::string(name) : quoted_name(name);
    step.remove_prefix(name.size());
    for (const char c : step)
      if (c != kIndex) shown += c;
    if (end == std::string_view::npos) break;
    shown += '.';
    path.remove_prefix(end + 1);
  }
  if (shown.size() <= kMaxPathBytes) return shown;
  return std::string(cut_utf8(shown, kMaxPathBytes)) + "…";
}

Result<EntityNo> ParamsToKeys::resolve(const char* at, const char* after, const Wanted& wanted) {
  if (*at != '"')
    return fail(ErrorCode::ref_syntax,
                "a key column takes a ref in quotes, exactly as it was shown; keys and numbers are "
                "not accepted",
                {}, registry_.known_refs(wanted.type));
  const std::string text = decode_json_string({at + 1, static_cast<std::size_t>(after - at) - 2});
  Result<EntityNo> entity = registry_.resolve(text, wanted.type, pieces_);
  if (entity && RecordKey(registry_.key(*entity)).parts().size() != wanted.parts)
    return fail(ErrorCode::schema,
                fmt::format("{} was read with another key than this table has here. Use the "
                            "declarations it was read with.",
                            registry_.ref(*entity).text()));
  return entity;
}

const char* ParamsToKeys::ref_value(const char* at, const Wanted& wanted, const std::string& path) {
  const char* const after =
      scanner_.value(at, [](const char*, const char*, const StringTraits&) {});
  const Result<EntityNo> entity = resolve(at, after, wanted);
  if (!entity) return stop(entity.error(), path);
  ++report_.refs;
  writer_.replace(at, after, key_text(*entity));
  return after;
}

void ParamsToKeys::add_to(RefList& list, const char* at, const char* after, const Wanted& wanted,
                          const std::string& path) {
  ++list.count;
  const Result<EntityNo> entity = resolve(at, after, wanted);
  if (entity) {
    if (list.seen.insert(*entity).second)
      list.keys += (list.keys.empty() ? "" : ",") + key_text(*entity);
    return;
  }
  if (!list.first_error) {
    list.first_error = entity.error();
    list.first_path = path;
  }
  const bool is_text = *at == '"';
  const Result<Ref> ref =
      Ref::parse(is_text ? std::string_view(at + 1, static_cast<std::size_t>(after - at) - 2) : "");
  // A ref is named when its own error names it: a key may read like one.
  const bool is_named = ref && entity.error().message.find(ref->text()) != std::string::npos;
  list.bad.push_back(fmt::format(
      "{} ({})", is_named ? std::string(ref->text()) : fmt::format("number {}", list.count),
      error_name(entity.error().code)));
}

// A list of refs. Every bad one is named; one that stands twice is taken once.
const char* ParamsToKeys::ref_list(const char* at, const Wanted& wanted, const std::string& path) {
  RefList list;
  const char* const after = each_element(at, path, [&](const char* from, const std::string& where) {
    const char* const end = scanner_.value(from, [](const char*, const char*, const auto&) {});
    add_to(list, from, end, wanted, where);
    return end;
  });
  if (after == nullptr) return nullptr;
  if (list.count > options_.max_list)
    return stop(ErrorCode::limit,
                fmt::format("{} refs stand in one list; at most {} may. Split it.", list.count,
                            options_.max_list),
                path);
  if (list.bad.size() == 1) return stop(*list.first_error, list.first_path);
  if (!list.bad.empty()) {
    list.first_error->message = fmt::format(
        "{} of {} refs cannot be used, so nothing was done: {}. Use refs that were "
        "shown.",
        list.bad.size(), list.count, named(list.bad));
    return stop(*list.first_error, path);
  }
  report_.refs += list.seen.size();
  report_.collapsed += list.count - list.seen.size();
  writer_.replace(at, after, "[" + list.keys + "]");
  return after;
}

// Puts the texts back that lit_n stand for, in every string of a value (D7).
const char* ParamsToKeys::restore_texts(const char* at, const std::string& path) {
  bool is_good = true;
  const char* const after =
      scanner_.value(at, [&](const char* first, const char* last, const StringTraits& traits) {
        const std::string_view raw(first, static_cast<std::size_t>(last - first));
        is_good = is_good && restore_string(raw, traits, path);
      });
  return is_good ? after : nullptr;
}

// Word by word, so that the rest of the string keeps its escapes.
bool ParamsToKeys::restore_string(std::string_view raw, const StringTraits& traits,
                                  const std::string& path) {
  constexpr std::string_view kName = "lit_";
  if (!traits.has_escape && raw.find(kName) == std::string_view::npos) return true;
  std::vector<std::size_t> positions;
  const std::string text = decode_json_string(raw, &positions);
  for (std::size_t at = text.find(kName); at != std::string::npos;) {
    std::size_t from = at;
    std::size_t upto = at;
    while (from > 0 && is_word(text[from - 1])) --from;
    while (upto < text.size() && is_word(text[upto])) ++upto;
    const std::string word = text.substr(from, upto - from);
    const Result<std::string> restored = LiteralMask::restore(registry_, word);
    if (!restored) return stop(restored.error(), path) != nullptr;
    if (*restored != word) {
      std::string quoted;
      append_json_string(quoted, *restored);
      writer_.replace(raw.data() + positions[from], raw.data() + positions[upto],
                      std::string_view(quoted).substr(1, quoted.size() - 2));
    }
    at = text.find(kName, upto);
  }
  return true;
}

void ParamsToKeys::append_key(std::string& out, const RecordKey& key) {
  const KeyDoor door;
  const KeyView view = key.view();
  switch (key.kind()) {
    case KeyKind::integer:
      out += std::to_string(static_cast<std::int64_t>(view.bits(door).high));
      break;
    case KeyKind::uuid: append_json_string(out, uuid_text(view.bits(door), door)); break;
    case KeyKind::text: append_json_string(out, view.bytes(door)); break;
    case KeyKind::composite:
      for (std::string_view mark = "["; const RecordKey& part : key.parts()) {
        out += mark;
        append_key(out, part);
        mark = ",";
      }
      out += "]";
      break;
  }
}

std::string ParamsToKeys::key_text(EntityNo entity) const {
  std::string text;
  append_key(text, RecordKey(registry_.key(entity)));
  return text;
}

}  // namespace alfred
