// The names of linked rows: every row that an answer leads to, once, with the label people know it
// by (D6, read_rows.h R6).
//
// R1 one query per table, whatever number of rows lead there.
// R2 a row that is not there any more, or not for this caller, keeps the label it had, or gets a placeholder.
// R3 labels are masked before they are kept or shown.
#pragma once

#include <string>
#include <vector>

#include "records/read/found_rows.h"
#include "records/to_refs/rows_to_refs.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

inline constexpr std::string_view kGoneLabel = "(no longer there)";

// Collects what rows lead to; then names it.
class LinkedLabels {
 public:
  LinkedLabels(RecordContext& context, const LinkSpellings& spellings)
      : context_(context), spellings_(spellings), mask_(context.registry) {}

  void add(const RowFields& fields, const std::vector<const Field*>& columns, const Row& row);
  // Needs an open transaction of the registry, in which the rows were registered.
  Result<void> fetch(Tx& tx);
  // {"author_1":"Ann",…} in the order they were met; empty where nothing has a name.
  const JsonObject& labels() const { return labels_; }

 private:
  struct Target {
    const Table* table = nullptr;
    std::vector<Value> keys{};
    std::map<std::string, std::string, std::less<>> label_of{};  // by value_text; raw
  };
  Result<void> fetch(Tx& tx, Target& target);
  Result<void> name(const Target& target, const Value& key);

  RecordContext& context_;
  const LinkSpellings& spellings_;
  LiteralMask mask_;
  std::vector<Target> targets_;
  std::map<const Table*, std::map<std::string, bool, std::less<>>> seen_;
  JsonObject labels_;
};

// Gives rows their labels when the label's column was not among those shown.
Result<void> keep_own_labels(RecordContext& context, const FoundRows& found, std::size_t rows);

}  // namespace alfred
