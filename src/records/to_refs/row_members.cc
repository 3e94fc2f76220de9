// The columns of a row, read the long way: as nobody expected them.
#include <algorithm>
#include <cstring>

#include "base/json/json_members.h"
#include "records/to_refs/rows_pass.h"

#include <fmt/format.h>

namespace alfred {
namespace {

using Use = ColumnPlan::Use;
using Guess = RowPlan::Member::Guess;

Guess guess_of(const RowPlan& plan, const ColumnPlan& column, const RowsOptions& options) {
  if (plan.inserts_ref || column.is_part || column.use == Use::nested) return Guess::anything;
  if (column.use == Use::link && options.spellings != nullptr) return Guess::anything;
  if (column.use == Use::own_key) return Guess::own_uuid;
  if (column.use == Use::link) return Guess::linked_uuid;
  return column.label_rank == ColumnPlan::kNoRank ? Guess::plain : Guess::label;
}

}  // namespace

// Reads the rest of a row's columns, and remembers the row's shape.
const char* RowsPass::members_anew(const char* at, Row& row, std::size_t known) {
  std::vector<Member>& shape = row.plan.shape;
  Learned learned{{shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(known)}, {}};
  std::vector<Member>& members = learned.members;
  while (true) {
    const char* const lead = at;
    at = scanner_.space(at);
    if (scanner_.peek(at) == '}') break;
    if (!members.empty()) at = scanner_.punctuation(at, ',');
    if (at != nullptr) at = learn_member(at, row, learned);
    if (at == nullptr) return nullptr;
    members.back().lead = Lead({lead, static_cast<std::size_t>(at - lead)});
    at = value(at, members.back(), row);
    if (at == nullptr) return nullptr;
  }
  if (row.plan.open_rows > 1) return at + 1;
  const auto secret = std::find_if(members.begin(), members.end(),
                                   [](const Member& member) { return !member.is_plain; });
  members.erase(secret, members.end());
  shape = std::move(members);
  return at + 1;
}

// Whether a column of this name was there before. A few are looked through, many looked up.
bool RowsPass::Learned::has(const std::string& name) {
  constexpr std::size_t kFew = 32;
  if (members.size() < kFew)
    return std::any_of(members.begin(), members.end(),
                       [&](const Member& other) { return other.name == name; });
  if (names.empty())
    for (const Member& other : members) names.insert(other.name);
  return !names.insert(name).second;
}

// The name of the next column, up to where its value starts.
const char* RowsPass::learn_member(const char* at, Row& row, Learned& learned) {
  at = scanner_.space(at);
  if (scanner_.peek(at) != '"') return scanner_.fail(JsonFault::unexpected_byte, at);
  const char* const quote = at;
  StringTraits traits;
  at = scanner_.string(at, traits);
  if (at == nullptr) return nullptr;
  const std::string_view raw(quote + 1, static_cast<std::size_t>(at - quote) - 2);
  std::string name = traits.has_escape ? decode_json_string(raw) : std::string(raw);
  const bool may_hide =
      options_.masks_prose && options_.masks_names && mask_.hides_name(name);  // in every row anew
  if (may_hide && !mask_.mask(raw, traits, output_)) return stop(mask_.error());
  if (learned.has(name)) return scanner_.fail(JsonFault::duplicate_key, quote);
  at = scanner_.punctuation(at, ':');
  if (at == nullptr) return nullptr;
  const Result<ColumnPlan*> column = plans_.column(row.plan, name);
  if (!column) return stop(column.error());
  Member& member = learned.members.emplace_back();
  member.name = std::move(name);
  member.column = *column;
  member.is_plain = !may_hide;
  member.guess = guess_of(row.plan, **column, options_);
  return scanner_.space(at);
}

const char* RowsPass::value(const char* at, const Member& member, Row& row) {
  at = scanner_.space(at);  // this row may have more of it than the last one had
  ColumnPlan& column = *member.column;
  if (row.plan.inserts_ref)
    row.ref_place = std::max(row.ref_place, row.plan.ref_place(member.name));
  switch (column.use) {
    case Use::own_key:
    case Use::link: return key(at, column, row);
    case Use::nested: return nested(at, *column.rows, row.depth);
    case Use::open:
      if (scanner_.peek(at) == '{' || scanner_.peek(at) == '[') return open_value(at, member, row);
      break;
    case Use::copy: break;
  }
  return plain(at, column, row);
}

const char* RowsPass::nested(const char* at, RowPlan& plan, std::size_t depth) {
  const char c = scanner_.peek(at);
  if (c == '{' || c == '[') return rows(at, plan, depth, false);
  if (c == 'n') return scanner_.word(at);
  return refuse(at, fmt::format("this member must hold rows of {}, or null", plan.table));
}

// A member of an undeclared table that holds an object or an array.
const char* RowsPass::open_value(const char* at, const Member& member, Row& row) {
  ColumnPlan& column = *member.column;
  if (column.rows == nullptr) {
    const Result<RowPlan*> rows = plans_.of_member(row.plan, member.name);
    if (!rows) return stop(rows.error());
    column.rows = *rows;
  }
  return rows(at, *column.rows, row.depth, true);
}

// A column that is no key: copied, its key-shaped text masked, its text kept when it names the row.
const char* RowsPass::plain(const char* at, const ColumnPlan& column, Row& row) {
  if (column.key_part >= 0 && !note_key_part(at, column, row)) return nullptr;
  if (column.is_part && options_.masks_prose) {
    const char* after = nullptr;
    if (!hide_part(at, after)) return nullptr;
    if (after != nullptr) return after;
  }
  const char c = scanner_.peek(at);
  if (c == '[') return texts(at, row.depth);
  if (c != '"') return plain_value(at, row.depth);
  StringTraits traits;
  const char* const after = text(at, traits);
  const bool is_empty = after == at + 2;  // names nothing
  if (after != nullptr && !is_empty && column.label_rank < row.label.rank)
    row.label = {{at + 1, static_cast<std::size_t>(after - at) - 2}, traits, column.label_rank};
  return after;
}

// A string, masked where it must be.
const char* RowsPass::text(const char* at, StringTraits& traits) {
  const char* const after = scanner_.string(at, traits);
  if (after == nullptr || !options_.masks_prose) return after;
  const std::string_view raw(at + 1, static_cast<std::size_t>(after - at) - 2);
  return mask_.mask(raw, traits, output_) ? after : stop(mask_.error());
}

const char* RowsPass::plain_value(const char* at, std::size_t depth) {
  bool is_masked = true;
  const auto mask = [&](const char* first, const char* last, const StringTraits& traits) {
    if (options_.masks_prose && is_masked)
      is_masked = mask_.mask({first, static_cast<std::size_t>(last - first)}, traits, output_);
  };
  const char* const after = scanner_.value(at, mask, depth);
  if (!is_masked) return stop(mask_.error());
  return after == nullptr ? nullptr : without_repeats(at, after);
}

// What is copied names no member twice either.
const char* RowsPass::without_repeats(const char* from, const char* after) {
  const auto size = static_cast<std::size_t>(after - from);
  if (std::memchr(from, '{', size) == nullptr) return after;
  const char* const repeated = find_repeated_member({from, size});
  return repeated == nullptr ? after : scanner_.fail(JsonFault::duplicate_key, repeated);
}

// Plain strings with a comma and nothing else between them. Returns where the first one stands that
// is none, or the first place where something else follows.
template <bool kMasks, class Masks>
[[gnu::always_inline]] inline const char* RowsPass::plain_texts_by(const char* at) {
  const char* const end = scanner_.end();
  while (end - at >= JsonScanner::kReads) {
    const char* const after = scanner_.plain_string<kMasks, Masks>(at);
    if (after == nullptr) return at;
    if (end - after < 2 || after[0] != ',' || after[1] != '"') return after;
    at = after + 1;
  }
  return at;
}
[[gnu::noinline]] const char* RowsPass::plain_texts(const char* at) {
  return options_.masks_prose ? plain_texts_by<true, NativeMasks>(at)
                              : plain_texts_by<false, NativeMasks>(at);
}
ALFRED_WIDE [[gnu::noinline]] const char* RowsPass::plain_texts_wide(const char* at) {
  return options_.masks_prose ? plain_texts_by<true, WideMasks>(at)
                              : plain_texts_by<false, WideMasks>(at);
}

// An array, most likely of strings.
const char* RowsPass::texts(const char* at, std::size_t depth) {
  if (depth >= options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  at = scanner_.space(at + 1);
  if (scanner_.peek(at) == ']') return at + 1;
  while (scanner_.peek(at) == '"') {
    if (scanner_.trusts_strings()) at = is_wide_ ? plain_texts_wide(at) : plain_texts(at);
    if (scanner_.peek(at) == '"') {
      StringTraits traits;
      at = text(at, traits);
      if (at == nullptr) return nullptr;
    }
    at = scanner_.space(at);
    if (scanner_.peek(at) == ']') return at + 1;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
    at = scanner_.space(at);
  }
  bool is_masked = true;
  const auto mask = [&](const char* first, const char* last, const StringTraits& traits) {
    if (options_.masks_prose && is_masked)
      is_masked = mask_.mask({first, static_cast<std::size_t>(last - first)}, traits, output_);
  };
  const char* const after = scanner_.elements(at, mask, depth);
  if (!is_masked) return stop(mask_.error());
  return after == nullptr ? nullptr : without_repeats(at, after);
}

}  // namespace alfred
