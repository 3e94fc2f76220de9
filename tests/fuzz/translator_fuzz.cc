// Any bytes as rows. The first three choose the declared types, the table and the options; the rest
// is a document, or several into the same registry, separated by 0x1E. Holds: the translator and
// its oracle agree on every byte, on the registry afterwards and on every error.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "oracle/comparison.h"

namespace {

using namespace alfred;

constexpr std::array<std::string_view, 8> kTables = {"books",  "authors", "loans", "profiles",
                                                     "places", "box",     "boxes", "logs"};

std::vector<EntityType> declarations() {
  return {
      {"books", "", {"id"}, "title", {{"author_id", "authors"}}, {{"loans", "loans"}}},
      {"authors", "writer", {"id"}, "name", {{"mentor", "authors"}}, {{"pupils", "authors"}}},
      {"loans", "", {"book", "author_id"}, "", {{"author_id", "authors"}}, {{"books", "books"}}},
      {"profiles", "", {"author_id"}, "note", {{"author_id", "authors"}}, {}},
      {"places", "", {"a", "id"}, "name", {}, {{"places", "places"}}},
      {"logs", "", {}, "", {{"author_id", "authors"}}, {}},
  };
}

// With each bit of `choice` one declaration less; what then leads nowhere is left out as well.
EntityTypes choose_types(std::uint8_t choice) {
  std::vector<EntityType> chosen;
  const std::vector<EntityType> all = declarations();
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((choice >> i & 1) == 0) chosen.push_back(all[i]);
  const auto is_missing = [&](const auto& way) {
    return std::none_of(chosen.begin(), chosen.end(),
                        [&](const EntityType& type) { return type.table == way.table; });
  };
  for (EntityType& type : chosen) {
    std::erase_if(type.links, is_missing);
    std::erase_if(type.nested, is_missing);
  }
  Result<EntityTypes> types = EntityTypes::make(std::move(chosen));
  if (!types) std::abort();
  return std::move(*types);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 3) return 0;
  const EntityTypes types = choose_types(bytes[0]);
  oracle::Question question;
  question.table = kTables[bytes[1] % kTables.size()];
  question.options.masks_prose = (bytes[2] & 1) == 0;
  if ((bytes[2] & 2) != 0) question.options.max_depth = 3;
  if ((bytes[2] & 4) != 0) question.limits.max_entities = 2;
  RefRegistry registry(question.limits);
  std::string_view rest(reinterpret_cast<const char*>(bytes + 3), size - 3);
  for (bool is_last = false; !is_last;) {
    const std::size_t end = rest.find('\x1E');
    is_last = end == std::string_view::npos;
    question.json = rest.substr(0, end);
    const std::string differs = oracle::difference(registry, types, question);
    if (!differs.empty()) {
      std::fprintf(stderr, "rows of %.*s: %s\n", static_cast<int>(question.table.size()),
                   question.table.data(), differs.c_str());
      std::abort();
    }
    if (!is_last) rest.remove_prefix(end + 1);
    if ((bytes[2] & 8) != 0 && registry.size() > 0) {
      registry.begin();
      registry.mark_deleted(0);
    }
  }
  return 0;
}
