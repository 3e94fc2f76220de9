#include "oracle/comparison.h"

#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/wide_masks.h"
#include "oracle/leaks.h"

namespace alfred::oracle {
namespace {

constexpr std::string_view kBefore = "what stood there";

std::string path_of(const OracleError& error) {
  return error.offset ? fmt::format("byte {}", *error.offset) : "";
}

std::string shown(const Error& error) {
  return fmt::format("{} at \"{}\": {}", error_name(error.code), error.path, error.message);
}

// A full registry is noticed when it suits the translator; what has a place in the input is exact.
bool is_same(const Error& got, const OracleError& wanted) {
  if (got.path.empty() && !wanted.offset) return got.code == wanted.code;
  if (!wanted.offset) return wanted.code == ErrorCode::limit;
  return got.code == wanted.code && got.path == path_of(wanted);
}

// The changes of a translation, folded into the registry as it was, must give the registry as it
// is.
std::string fold_difference(const RefRegistry& before, const RefRegistry& after) {
  RefRegistry folded = before;
  for (const RefChange& change : after.changes())
    if (const Result<void> done = folded.fold(change); !done)
      return "a change does not fold in: " + done.error().message;
  const RegistryModel wanted(after);
  const RegistryModel got(folded);
  return got == wanted ? "" : "changes() folded give" + got.shown() + "\nnot " + wanted.shown();
}

std::string compare(const Result<void>& done, std::string_view out, const OracleAnswer& answer) {
  if (answer.error && done)
    return fmt::format("the oracle refuses ({} at \"{}\"), the translator writes {}",
                       error_name(answer.error->code), path_of(*answer.error), out);
  if (!done && !answer.error)
    return fmt::format("the translator refuses ({}), the oracle writes {}", shown(done.error()),
                       answer.out);
  if (!done && !is_same(done.error(), *answer.error))
    return fmt::format("the translator refuses with {}, the oracle with {} at \"{}\"",
                       shown(done.error()), error_name(answer.error->code), path_of(*answer.error));
  if (done && out != answer.out) return fmt::format("output\n{}\nwanted\n{}", out, answer.out);
  return "";
}

// What a processor without wide masks would write, where this one has them.
std::string narrow_difference(RefRegistry registry, const EntityTypes& types,
                              const Question& question, const OracleAnswer& answer) {
  if (!has_wide_masks()) return "";
  ByteBuffer out;
  use_wide_masks_for_tests(false);
  const Result<void> done =
      translate_read_output(registry, types, question.table, question.json, out, question.options);
  use_wide_masks_for_tests(true);
  std::string differs = compare(done, out.view(), answer);
  if (!differs.empty()) return "without wide masks: " + differs;
  return RegistryModel(registry) == answer.registry ? "" : "without wide masks: another registry";
}

}  // namespace

std::string difference(RefRegistry& registry, const EntityTypes& types, const Question& question) {
  const RefRegistry before = registry;
  const OracleAnswer answer = translate_rows(RegistryModel(before, question.limits), types,
                                             question.table, question.json, question.options);
  if (std::string differs = narrow_difference(before, types, question, answer); !differs.empty())
    return differs;
  // A heap block of exactly this size: the sanitizer sees a read past its end.
  const auto exact = std::make_unique<char[]>(question.json.size());
  if (!question.json.empty()) std::memcpy(exact.get(), question.json.data(), question.json.size());
  ByteBuffer out;
  out.append(kBefore);
  const Result<void> done = translate_read_output(
      registry, types, question.table, {exact.get(), question.json.size()}, out, question.options);
  if (!out.view().starts_with(kBefore)) return "what stood in the buffer before is gone";
  const std::string_view added = out.view().substr(kBefore.size());
  if (std::string differs = compare(done, added, answer); !differs.empty()) return differs;
  if (!done && !added.empty()) return "an error left something in the buffer";
  if (!done && !registry.changes().empty()) return "an error left changes";
  const RegistryModel after(registry);
  if (!(after == answer.registry))
    return fmt::format("registry {}\nwanted {}", after.shown(), answer.registry.shown());
  if (!done) return "";
  if (question.options.masks_prose)
    if (std::string leaked = leak(registry, question.json, added); !leaked.empty())
      return fmt::format("the output shows {}:\n{}", leaked, added);
  return fold_difference(before, registry);
}

}  // namespace alfred::oracle
