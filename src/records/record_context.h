// What every call on records needs: the schema, the registry that its refs live in, the caller, and
// the ports for time and chance. Values and references only; made by the engine for each call.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/random.h"
#include "base/json/json.h"
#include "base/time/clock.h"
#include "pack/schema.h"
#include "records/record_limits.h"
#include "refs/registry/ref_registry.h"
#include "storage/store.h"

namespace alfred {

// What a domain knows of its words; the pack's categories behind a port, none by default.
class WordCategories {
 public:
  virtual ~WordCategories() = default;
  // The words a category stands for, itself and its sub-categories' words; empty: no category.
  virtual std::vector<std::string> members_of(std::string_view category) const = 0;
  // Words that hold one of the category's and are none of it: "coconut milk" for milk.
  virtual std::vector<std::string> near_misses(std::string_view) const { return {}; }
  // Whether these words are known as one thing.
  virtual bool is_known(std::string_view) const { return false; }
};

struct RecordContext {
  const Schema& schema;
  RefRegistry& registry;
  Caller caller;
  const Clock& clock;
  Random& random;
  RecordLimits limits{};
  const WordCategories* categories = nullptr;
  RefOrigin origin = RefOrigin::system;  // who changes rows: the system, or the user by hand
  std::uint32_t keys_made = 0;           // for rows of this call, in order
  // All items of this call are known to fail: where one would not, nothing is done.
  bool is_only_to_fail = false;
  // The content of something generated and not saved, for reads of gen_ refs; null when unknown.
  std::function<const JsonObject*(std::string_view gen_ref)> artifact{};
  // How many items of a batch's call are done; a call that is run again begins again.
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

// One row that a call changed, with what it was and what it became: the source of an undo and of
// the journal. In keys; it never reaches a model.
struct RowEffect {
  enum class Kind : std::uint8_t { created, updated, deleted };
  Kind kind = Kind::created;
  const Table* table = nullptr;
  RecordKey key;
  std::string item;           // the item of a batch it belongs to; empty: none
  std::optional<Row> before;  // in the order of table->fields
  std::optional<Row> after;
  std::string mark{};  // of a created row that was kept without what it is (effects_json.h, R3)
};

// What a call did. The registry's own changes are in the registry (changes()).
struct RecordOutcome {
  std::string answer;  // canonical JSON in refs, for the model
  std::vector<RowEffect> effects;
};

}  // namespace alfred
