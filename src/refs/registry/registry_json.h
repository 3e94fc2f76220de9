// The canonical JSON of a registry: what a session keeps on disk. Holds keys, so it is state, never
// context.
//
// R1 read(write(r)) equals r, and write(read(text)) equals text.
// R2 equal registries give equal bytes in each form; refs, not hashes, decide every order.
// R3 reading goes through fold(), so a file that breaks a registry's rules is refused, not repaired.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "refs/registry/ref_registry.h"

namespace alfred {
namespace cli {
class Arguments;
struct Streams;
int run_refs_show(const Arguments& arguments, const Streams& streams);
}  // namespace cli

// The right to show keys to people: that of `alfred refs show --keys`, which they typed.
class KeysForPeople {
  KeysForPeople() = default;
  friend int cli::run_refs_show(const cli::Arguments&, const cli::Streams&);
#ifdef ALFRED_TESTING
  friend struct KeyDoorForTests;
#endif
};

class RegistryJson {
 public:
  static std::string write(const RefRegistry& registry);  // ends with a newline
  // The same with rows that are alike told together; for machines. read() takes both.
  static std::string write_compact(const RefRegistry& registry);
  static Result<RefRegistry> read(std::string_view text, RefLimits limits = {});

  // Changes as the journal keeps them, both ways; an array, one object a change or for many rows.
  static std::string write_changes(const RefChanges& changes);
  static Result<RefChanges> read_changes(const Json& json);

  // A key as people read it, for who asked to see keys; never for a model.
  static std::string key_for_people(const KeyView& key, KeysForPeople) { return key_text(key); }
  // What a lit_n stands for, the same way.
  static std::string literal_for_people(const RefRegistry& registry, std::uint32_t number,
                                        KeysForPeople);

 private:
  static std::string key_text(const KeyView& key);
  static void append_head(std::string& out, const RefRegistry& registry);
  static void append_literals(std::string& out, const RefRegistry& registry);
  static void append_key(std::string& out, const KeyView& key);
  static void append_type(std::string& out, const TypeDeclared& declared);
  static void append_entry(std::string& out, const RefEntry& entry);
  // A uuid as a text, an integer as a number, any other as append_key() has it.
  static void append_row_key(std::string& out, const KeyView& key);
  static void append_change(std::string& out, const RefChange& change);

  // Rows that come one after the other and differ in ref, key and label only, as one object
  // {"alike":{"status":…,"origin":…,"turn_created":…,"turn_last_referenced":…,"rows":[[ref,key,label]…]}}
  // in the list that `out` ends with.
  class AlikeRows {
   public:
    explicit AlikeRows(std::string& out) : out_(out) {}
    bool add(const RefEntry& entry);  // false: it has more than such rows have
    void end();

   private:
    struct Alike {
      RefStatus status;
      RefOrigin origin;
      std::uint32_t turn_created;
      std::uint32_t turn_last_referenced;
      friend bool operator==(const Alike&, const Alike&) = default;
    };
    std::string& out_;
    std::optional<Alike> alike_;  // of the rows that are open
  };
};

}  // namespace alfred
