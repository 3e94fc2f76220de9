#include "surface/cli/ids/id_commands.h"

#include <charconv>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "alfred/ids.h"
#include "alfred/random.h"
#include "base/ids/mint.h"
#include "base/quoted_text.h"

namespace alfred::cli {
namespace {

constexpr std::uint32_t kMaxCount = 1'000'000;

Result<IdKind> kind_asked_for(const std::string& text) {
  if (const std::optional<IdKind> kind = find_id_kind(text)) return *kind;
  std::string known;
  for (const IdKindRow& row : id_kinds()) known += fmt::format(" {}={}", row.prefix, row.name);
  return fail(ErrorCode::usage,
              fmt::format("{} is neither a prefix nor a kind of id. Known are:{}.",
                          quoted_text(text), known));
}

Result<std::uint32_t> count_asked_for(const Arguments& arguments) {
  if (!arguments.has("--count")) return 1u;
  const std::string text = arguments.text("--count");
  std::uint32_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop != end || count < 1 || count > kMaxCount)
    return fail(ErrorCode::usage,
                fmt::format("--count {} is not allowed; give a whole number from 1 "
                            "to {}.",
                            quoted_text(text), kMaxCount));
  return count;
}

// Returns whether the id is good.
bool check_one(const std::string& text, const Streams& streams) {
  const Result<IdKind> kind = identify_id(text);
  if (kind) {
    streams.out << text << '\t' << id_kind_row(*kind).name << '\n';
    return true;
  }
  report(kind.error(), streams.err);
  const std::string meant = normalize_typed_id(text);
  if (identify_id(meant)) streams.err << "  did you mean " << meant << "?\n";
  return false;
}

}  // namespace

int run_id_new(const Arguments& arguments, const Streams& streams) {
  const Result<IdKind> kind = kind_asked_for(arguments.text("kind"));
  if (!kind) return report(kind.error(), streams.err);
  const Result<std::uint32_t> count = count_asked_for(arguments);
  if (!count) return report(count.error(), streams.err);
  OsRandom random;
  std::set<std::string> given;  // of one run no two are the same
  const auto is_new = [&](std::string_view id) -> Result<bool> { return given.emplace(id).second; };
  for (std::uint32_t i = 0; i < *count && streams.out.good();) {
    if (*kind == IdKind::agent) {
      const Result<AgentId> id =
          mint_agent_id(random, [&](const AgentId& made) { return is_new(made.view()); });
      if (!id) return report(id.error(), streams.err);
      streams.out << id->view() << '\n';
      ++i;
      continue;
    }
    const ShortIdText text = new_short_id_text(*kind, random);
    const std::string_view id(text.data(), text.size());
    if (!*is_new(id)) continue;
    streams.out << id << '\n';
    ++i;
  }
  if (!streams.out.flush())
    return report({ErrorCode::file,
                   "the ids could not all be written to standard output; make room "
                   "or read them to the end.",
                   {},
                   {},
                   {}},
                  streams.err);
  return kDone;
}

int run_id_check(const Arguments& arguments, const Streams& streams) {
  bool all_good = true;
  for (const std::string& text : arguments.all("id")) all_good &= check_one(text, streams);
  return all_good ? kDone : kBadInput;
}

}  // namespace alfred::cli
