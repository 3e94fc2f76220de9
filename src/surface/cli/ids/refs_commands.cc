#include "surface/cli/ids/refs_commands.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "base/files/file.h"
#include "base/json/json.h"
#include "records/to_keys/params_to_keys.h"
#include "records/to_refs/rows_to_refs.h"
#include "refs/hiding/model_text.h"
#include "refs/registry/registry_json.h"

namespace alfred::cli {
namespace {

constexpr int kLockTimeoutMs = 5000;

Result<EntityTypes> read_types(const Arguments& arguments) {
  if (!arguments.has("--types")) return EntityTypes();
  const std::string path = arguments.text("--types");
  const Result<std::string> text = read_file(path);
  if (!text) return Unexpected(text.error());
  return read_entity_types(*text, path);
}

// A file that does not exist yet is an empty registry where one may begin.
Result<RefRegistry> read_registry_file(const std::string& path, bool may_begin) {
  std::error_code unknown;  // then reading says what is wrong
  if (may_begin && !std::filesystem::exists(path, unknown) && !unknown) return RefRegistry();
  const Result<std::string> text = read_file(path);
  if (!text) return Unexpected(text.error());
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorCode::schema,
                fmt::format("{} is empty, and so no registry. Remove it to begin a new one, or put "
                            "the registry back that it was.",
                            path));
  Result<RefRegistry> registry = RegistryJson::read(*text);
  if (!registry) registry.error().message = fmt::format("{}: {}", path, registry.error().message);
  return registry;
}

Result<std::string> rows_out(const Arguments& arguments, const Streams& streams) {
  const Result<EntityTypes> types = read_types(arguments);
  if (!types) return Unexpected(types.error());
  const Result<std::string> rows = read_stream(streams.in);
  if (!rows) return Unexpected(rows.error());
  const std::string path = arguments.text("--registry");
  if (path.empty()) return fail(ErrorCode::usage, "--registry needs the name of a file");
  const Result<FileLock> lock = lock_file(path, kLockTimeoutMs);
  if (!lock) return Unexpected(lock.error());
  Result<RefRegistry> registry = read_registry_file(path, true);
  if (!registry) return Unexpected(registry.error());
  ByteBuffer out;
  const Result<void> done =
      translate_read_output(*registry, *types, arguments.text("--table"), *rows, out);
  if (!done) return Unexpected(done.error());
  // Saved before anything is shown: a ref that somebody saw is a ref that will be known.
  const Result<void> saved = write_file_atomically(path, RegistryJson::write(*registry));
  if (!saved) return Unexpected(saved.error());
  return std::string(out.view());
}

Result<std::string> params_in(const Arguments& arguments, const Streams& streams) {
  const Result<EntityTypes> types = read_types(arguments);
  if (!types) return Unexpected(types.error());
  // The input first: in a pipeline, who wrote it may have just made the registry.
  const Result<std::string> params = read_stream(streams.in);
  if (!params) return Unexpected(params.error());
  Result<RefRegistry> registry = read_registry_file(arguments.text("--registry"), false);
  if (!registry) return Unexpected(registry.error());
  ByteBuffer out;
  const Result<ParamsReport> report =
      translate_params(*registry, *types, arguments.text("--table"), *params, out);
  if (!report) return Unexpected(report.error());
  if (report->collapsed > 0)
    streams.err << fmt::format("alfred: {} repeated refs were taken once\n", report->collapsed);
  return std::string(out.view());
}

int print(const Result<std::string>& text, const Streams& streams) {
  if (!text) return report(text.error(), streams.err);
  streams.out << *text << std::flush;
  if (streams.out) return kDone;
  return report({ErrorCode::file,
                 "the output could not be written to standard output; make room, or read it to the "
                 "end.",
                 {},
                 {},
                 {}},
                streams.err);
}

// A key or a literal on its line: as JSON where its bytes would break the line or its reader's
// eyes.
std::string one_line(std::string_view text) {
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '"' || c == '\\';
  });
  if (is_plain) return std::string(text);
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

// A line a row: what people see of an entity, tombstones too, and its key when they asked for it.
// What not every row has comes last, so that each column has its place.
std::string line_for(const RefRegistry& registry, EntityNo entity, KeyPieces& pieces,
                     const KeysForPeople* keys) {
  const RefEntry entry = registry.entry(entity);
  std::string line = fmt::format("{}\t{}\t{}", entry.ref.text(), status_name(entry.status),
                                 ModelText().add_label(registry, entity, pieces).view());
  if (keys != nullptr)
    line += entry.key ? "\t" + one_line(RegistryJson::key_for_people(entry.key->view(), *keys))
                      : "\t(no row)";
  if (entry.alias) line += fmt::format("\tsaved from {}", entry.alias->text());
  return line + "\n";
}

}  // namespace

int run_refs_out(const Arguments& arguments, const Streams& streams) {
  return print(rows_out(arguments, streams), streams);
}

int run_refs_in(const Arguments& arguments, const Streams& streams) {
  return print(params_in(arguments, streams), streams);
}

int run_refs_show(const Arguments& arguments, const Streams& streams) {
  const Result<RefRegistry> registry = read_registry_file(arguments.text("--registry"), false);
  if (!registry) return report(registry.error(), streams.err);
  const KeysForPeople asked;
  const KeysForPeople* const keys = arguments.has("--keys") ? &asked : nullptr;
  std::string text;
  KeyPieces pieces(registry->keys());
  for (EntityNo entity = 0; entity < registry->size(); ++entity)
    text += line_for(*registry, entity, pieces, keys);
  for (std::uint32_t number = 1; number <= registry->literals().size(); ++number) {
    text += fmt::format("lit_{}\tliteral\t", number);
    if (keys != nullptr)
      text += "\t" + one_line(RegistryJson::literal_for_people(*registry, number, *keys));
    text += '\n';
  }
  return print(text, streams);
}

}  // namespace alfred::cli
