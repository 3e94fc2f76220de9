#include "records/to_refs/rows_pass.h"

#include <fmt/format.h>

#include <cstring>

namespace alfred {
namespace {

using Guess = RowPlan::Member::Guess;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Asks for the memory of a few rows ahead: a processor that does so by itself stops at every page.
[[gnu::always_inline]] inline void expect_text(const char* at) {
  constexpr int kAhead = 2048;
  constexpr int kRow = 320;
  for (int i = 0; i < kRow; i += 64) __builtin_prefetch(at + kAhead + i);
}

}  // namespace

RowsPass::RowsPass(RefRegistry& registry, RowPlans& plans, ProseMask& mask,
                   const RowsOptions& options, std::string_view json, ByteBuffer& out)
    : registry_(registry),
      plans_(plans),
      mask_(mask),
      options_(options),
      scanner_(json, options.max_depth, options.masks_prose),
      output_(registry, json, out),
      guess_upto_(json.size() < Lead::kReads ? nullptr : scanner_.end() - Lead::kReads),
      is_wide_(has_wide_masks()),
      masks_all_(false) {
  note_long_texts();
}

void RowsPass::note_long_texts() {
  masks_all_ = options_.masks_prose && mask_.hides_anywhere();
  if (masks_all_) scanner_.distrust_strings();
}

Result<void> RowsPass::run(RowPlan& plan) {
  const std::string_view text(scanner_.begin(), scanner_.offset(scanner_.end()));
  const char* at = scanner_.begin();
  if (text.starts_with(kByteOrderMark)) at += kByteOrderMark.size();
  at = scanner_.space(at);
  while (at != nullptr && at != scanner_.end()) {
    at = *at == '[' || *at == '{'
             ? rows(at, plan, 0, false)
             : refuse(at, "rows must be a JSON object or an array of objects, or several of these");
    if (at != nullptr) at = scanner_.space(at);
  }
  if (at != nullptr && output_.finish()) return {};
  // What waits stands before the fault: if it is wrong as well, it is what comes first.
  if (!output_.has_failed()) static_cast<void>(output_.settle_before_fault());
  if (output_.has_failed()) return Unexpected(output_.error());
  return Unexpected(error_ ? *error_ : scanner_.error());
}

const char* RowsPass::stop(Error error) {
  if (!error_) error_ = std::move(error);
  return nullptr;
}

const char* RowsPass::refuse(const char* at, std::string message, ErrorCode code) {
  constexpr std::string_view kBeginnings = "{[\"-0123456789tfn";
  // What begins no value is not JSON at all.
  if (at == scanner_.end() || kBeginnings.find(*at) == std::string_view::npos)
    return scanner_.fail(JsonFault::unexpected_byte, at);
  return stop(Error{code, std::move(message), fmt::format("byte {}", scanner_.offset(at)), {}, {}});
}

// A row, or an array of rows. With takes_others, elements that are no objects are copied.
const char* RowsPass::rows(const char* at, RowPlan& plan, std::size_t depth, bool takes_others) {
  if (*at == '{') return row(at, plan, depth + 1, false);
  if (depth >= options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  at = scanner_.space(at + 1);
  if (scanner_.peek(at) == ']') return at + 1;
  while (true) {
    at = scanner_.space(at);
    if (scanner_.peek(at) == '{')
      at = row(at, plan, depth + 2, true);
    else if (!takes_others)
      at = refuse(at, fmt::format("an array of {} holds something that is no row; every element "
                                  "must be a JSON object",
                                  plan.table));
    else
      at = scanner_.peek(at) == '[' ? rows(at, plan, depth + 1, true) : plain_value(at, depth + 1);
    if (at == nullptr) return nullptr;
    at = scanner_.space(at);
    if (scanner_.peek(at) == ']') return at + 1;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
  }
}

// An element that is followed by others like it takes them with it.
const char* RowsPass::row(const char* at, RowPlan& plan, std::size_t depth, bool is_element) {
  if (depth > options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  expect_text(at);
  Row row(plan, depth);
  if (plan.inserts_ref) return row_without_own_key(at + 1, row);
  row.is_element = is_element;
  ++plan.open_rows;
  // A row inside one of its own table would disturb that one's pattern.
  at = plan.open_rows > 1 ? members_anew(at + 1, row, 0) : members(at + 1, row);
  --plan.open_rows;
  return at == nullptr ? nullptr : end_row(at, row);
}

// The ref of a row whose key is no column of its own goes in front of its columns.
const char* RowsPass::row_without_own_key(const char* at, Row& row) {
  std::vector<std::optional<RecordKey>> key_parts(row.plan.key.size());
  row.key_parts = &key_parts;
  if (!output_.copy_upto(at, row.out_start)) return nullptr;
  ++row.plan.open_rows;
  at = row.plan.open_rows > 1 ? members_anew(at, row, 0) : members(at, row);
  --row.plan.open_rows;
  if (at == nullptr || !insert_ref(at, row)) return nullptr;
  return end_row(at, row);
}

// A plain string, quotes included, that may name the row.
[[gnu::always_inline]] inline void RowsPass::note_label(const char* at, const char* after,
                                                        const ColumnPlan& column, Row& row) {
  if (after != at + 2 && column.label_rank < row.label.rank)
    row.label = {{at + 1, static_cast<std::size_t>(after - at) - 2}, {}, column.label_rank};
}

// The value of a member that stands where it is expected: at least Lead::kBehind bytes are there.
// Null when it is not as guessed, or when the output has failed.
template <bool kMasks, class Masks>
[[gnu::always_inline]] inline const char* RowsPass::guessed_value(const char* at,
                                                                  const Member& member, Row& row,
                                                                  bool trusts_strings) {
  const char c = *at;
  if (member.guess <= Guess::label) [[likely]] {
    if (c == '"') [[likely]] {
      if (!trusts_strings) [[unlikely]]
        return nullptr;
      const char* const after = scanner_.plain_string<kMasks, Masks>(at);
      if (member.guess == Guess::label && after != nullptr)
        note_label(at, after, *member.column, row);
      return after;
    }
    if (is_digit(c)) return JsonScanner::usual_number(at);
    if (c != '[') return JsonScanner::inner_word(at);
    // Where nobody declared it, it may hold rows.
    return member.column->use == ColumnPlan::Use::copy ? texts(at, row.depth) : nullptr;
  }
  if (member.guess == Guess::anything || c != '"' || at[37] != '"') return nullptr;
  const char* const after = at + 38;
  ColumnPlan& column = *member.column;
  const bool is_link = member.guess == Guess::linked_uuid;
  if (is_link) {
    if (column.last_key != nullptr && is_same_uuid_text(at + 1, column.last_key))
      return output_.same_link(column, at, after) ? after : nullptr;
    if (const RefEnd* const end = column.links.find(at + 1)) {
      column.last_key = at + 1;
      return output_.known_link(column, *end, at, after) ? after : nullptr;
    }
  }
  UuidBits bits;
  if (!read_inner_uuid(at + 1, bits) || column.ref_start.size == 0) return nullptr;
  const KeyView key = KeyView::uuid(bits);
  if (!is_link) return output_.own_key(row, column, key, at, after) ? after : nullptr;
  if (!output_.link(column, key, at, after)) return nullptr;
  column.last_key = at + 1;
  return after;
}

[[gnu::always_inline]] inline const char* RowsPass::end_row(const char* at, Row& row) {
  const StringTraits& traits = row.label.traits;
  const bool hides = masks_all_ || traits.is_suspicious || traits.has_unicode_escape;
  const bool is_plain = !traits.has_escape && !(hides && options_.masks_prose);
  if (!is_plain && !name_row(row)) return nullptr;
  return output_.end_row(row, is_plain ? row.label.raw : std::string_view()) ? at : nullptr;
}

// Reads columns from the known-th on, and rows that follow. is_left: the value of the one it stops
// at is left to read.
template <bool kMasks, class Masks>
[[gnu::always_inline]] inline const char* RowsPass::alike_by(const char* at, Row& row,
                                                             std::size_t& known, bool& is_left) {
  const Member* const first = row.plan.shape.data();
  const Member* const last = first + row.plan.shape.size();
  const Member* member = first + known;
  const char* const guess_upto = guess_upto_;
  const bool trusts_strings = scanner_.trusts_strings();  // no key of text is read in here
  const char* const end = scanner_.end();
  is_left = false;
  while (true) {
    for (; member != last; ++member) {
      if (at > guess_upto || !member->lead.stands_at(at, end)) break;
      at += member->lead.size();
      const char* const after = guessed_value<kMasks, Masks>(at, *member, row, trusts_strings);
      if (after == nullptr) {
        is_left = true;
        break;
      }
      at = after;
    }
    if (member != last || !row.is_element || at > guess_upto || std::memcmp(at, "},{", 3) != 0)
      break;
    if (end_row(at, row) == nullptr) return nullptr;
    row.begin_next();
    at += 3;
    expect_text(at);
    member = first;
  }
  known = static_cast<std::size_t>(member - first);
  return at;
}

[[gnu::noinline]] const char* RowsPass::alike(const char* at, Row& row, std::size_t& known,
                                              bool& is_left) {
  return options_.masks_prose ? alike_by<true, NativeMasks>(at, row, known, is_left)
                              : alike_by<false, NativeMasks>(at, row, known, is_left);
}
ALFRED_WIDE [[gnu::noinline]] const char* RowsPass::alike_wide(const char* at, Row& row,
                                                               std::size_t& known, bool& is_left) {
  return options_.masks_prose ? alike_by<true, WideMasks>(at, row, known, is_left)
                              : alike_by<false, WideMasks>(at, row, known, is_left);
}

// As long as this row's columns stand where the last one's stood, their names need not be read
// again (and cannot repeat). What may nest is read here and not in alike(), whose frame is large.
[[gnu::always_inline]] inline const char* RowsPass::members(const char* at, Row& row) {
  std::size_t known = 0;
  bool is_left = false;
  while (true) {
    at = is_wide_ ? alike_wide(at, row, known, is_left) : alike(at, row, known, is_left);
    if (at == nullptr) return nullptr;
    if (!is_left) break;
    // What is wrong is wrong, and what was written of it must not be written again.
    if (output_.has_failed() || error_ || scanner_.fault() != JsonFault::none) return nullptr;
    at = value(at, row.plan.shape[known], row);
    if (at == nullptr) return nullptr;
    ++known;
  }
  return scanner_.peek(at) == '}' ? at + 1 : members_anew(at, row, known);
}

}  // namespace alfred
