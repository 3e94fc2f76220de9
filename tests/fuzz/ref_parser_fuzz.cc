// Any bytes as a ref. Holds: nothing crashes; what is accepted is what a checker that follows the
// grammar letter by letter accepts; a ref's text parses to the same ref; an error repeats no key;
// looking up and masking any text is safe, and masking loses nothing.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "alfred/refs.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"
#include "refs/ref_grammar.h"
#include "refs/registry/ref_registry.h"

namespace {

using namespace alfred;

void require(bool holds) {
  if (!holds) std::abort();
}

// Takes letters off the front of text.
std::string take(std::string& text, std::string_view letters, std::size_t most) {
  std::string taken;
  while (!text.empty() && taken.size() < most && letters.find(text[0]) != std::string_view::npos) {
    taken += text[0];
    text.erase(0, 1);
  }
  return taken;
}

struct Naive {
  std::string type;
  std::string number;
  bool is_generated = false;
  bool is_ref = false;
};

// [gen_|ref_] word (_ word)* _ number, by cutting at every underscore.
Naive naive_ref(std::string text) {
  Naive naive;
  std::string words[64];
  std::size_t count = 0;
  for (; count < 64; ++count) {
    words[count] = take(text, "abcdefghijklmnopqrstuvwxyz0123456789", 99);
    if (words[count].empty()) return naive;
    if (text.empty()) break;
    if (text[0] != '_') return naive;
    text.erase(0, 1);
  }
  if (!text.empty() || count == 64) return naive;
  naive.number = words[count];
  std::size_t first = 0;
  naive.is_generated = words[0] == "gen";
  if (naive.is_generated || words[0] == "ref") first = 1;
  if (first >= count || words[first] == "gen" || words[first] == "ref" || words[first] == "lit")
    return naive;
  for (std::size_t i = first; i < count; ++i) naive.type += (i == first ? "" : "_") + words[i];
  std::string rest = naive.number;
  const bool begins_with_digit = !take(rest, "123456789", 1).empty();
  take(rest, "0123456789", 8);
  const bool is_number = begins_with_digit && rest.empty();
  const bool begins_with_letter = naive.type[0] >= 'a' && naive.type[0] <= 'z';
  naive.is_ref = is_number && begins_with_letter && naive.type.size() <= 40;
  return naive;
}

void check_parser(std::string_view text) {
  const Naive naive = naive_ref(std::string(text));
  RefParts parts;
  const bool is_ref = split_ref(text, parts);
  const Result<Ref> parsed = Ref::parse(text);
  require(is_ref == naive.is_ref);
  require(parsed.has_value() == naive.is_ref);
  if (!parsed) {
    require(parsed.error().code == ErrorCode::ref_syntax);
    require(!has_key_shape(parsed.error().message));
    for (const std::string& meant : parsed.error().allowed) require(Ref::parse(meant).has_value());
    return;
  }
  require(parts.type == naive.type && parsed->type() == naive.type);
  require(std::to_string(parts.number) == naive.number && parsed->number() == parts.number);
  require(parts.is_generated == naive.is_generated && parsed->is_generated() == naive.is_generated);
  require(parsed->text() == text || "ref_" + std::string(parsed->text()) == text);
  require(Ref::parse(parsed->text()).value() == *parsed);
}

RefRegistry known_registry() {
  RefRegistry registry;
  const TypeNo book = registry.type_named("book", "books").value();
  for (std::int64_t i = 0; i < 20; ++i) {
    const KeyView key = KeyView::integer(123456780 + i);
    if (!registry.register_read(book, key)) std::abort();
  }
  if (!registry.register_generated(book, "label", {})) std::abort();
  registry.mark_deleted(2);
  return registry;
}

void check_registry(std::string_view text) {
  static RefRegistry registry = known_registry();
  const EntityNo found = registry.find(text);
  require(found == kNoEntity || found < registry.size());
  const Result<EntityNo> resolved = registry.resolve(text, "book");
  require(!resolved || *resolved == found);
  if (found == kNoEntity) require(!has_key_shape(resolved.error().message));
  registry.begin();
  const Result<MaskedText> masked = LiteralMask(registry).mask(text);
  require(LiteralMask::restore(registry, masked.value().view()).value() == text);
  registry.rollback();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  check_parser(text);
  check_registry(text);
  return 0;
}
