// RowsPass: the reading half of a translation, one pass over a text. What it meets goes to
// RowsOutput.
//
// R1 every function that reads takes the place where it starts and returns the place after what it
//    read, or null when something is wrong: then error_ or the scanner says what.
// R2 rows of one table look alike: a row is first read as the one before it was, with few checks;
//    whatever differs from it is read the long way, and is the next row's pattern.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_scanner.h"
#include "base/wide_masks.h"
#include "records/to_refs/prose_mask.h"
#include "records/to_refs/row_plan.h"
#include "records/to_refs/rows_output.h"
#include "records/to_refs/rows_to_refs.h"

namespace alfred {

class RowsPass {
 public:
  RowsPass(RefRegistry& registry, RowPlans& plans, ProseMask& mask, const RowsOptions& options,
           std::string_view json, ByteBuffer& out);

  Result<void> run(RowPlan& plan);
  // A link to a row that was deleted, and may have been read again since.
  bool met_tombstone() const { return output_.met_tombstone(); }

 private:
  using Member = RowPlan::Member;
  struct Label {
    std::string_view raw;
    StringTraits traits;
    std::int16_t rank = ColumnPlan::kNoRank;  // of its column
  };
  struct Row : RowEntity {  // what is known of the row being read
    RowPlan& plan;
    std::size_t depth;
    Label label;
    std::size_t out_start = 0;  // where its ref is inserted
    bool is_element = false;    // of an array, with nothing to be put in front of it
    int ref_place = -1;         // the last that a column of its own has (RowPlan::ref_place)
    std::vector<std::optional<RecordKey>>* key_parts = nullptr;
    Row(RowPlan& of, std::size_t at_depth) : plan(of), depth(at_depth) {}
    void begin_next() {  // the next of its table, at the same place
      static_cast<RowEntity&>(*this) = {};
      label = {};
    }
  };

  struct Learned {  // the columns of a row that is read the long way
    std::vector<Member> members;
    std::set<std::string> names;  // once they are many
    bool has(const std::string& name);
  };

  // Rows and their columns: rows_pass.cc.
  const char* rows(const char* at, RowPlan& plan, std::size_t depth, bool takes_others);
  const char* row(const char* at, RowPlan& plan, std::size_t depth, bool is_element);
  const char* row_without_own_key(const char* at, Row& row);
  const char* members(const char* at, Row& row);
  static void note_label(const char* at, const char* after, const ColumnPlan& column, Row& row);
  // Written once, compiled for any processor and for one with wide masks.
  template <bool kMasks, class Masks>
  const char* alike_by(const char* at, Row& row, std::size_t& known, bool& is_left);
  const char* alike(const char* at, Row& row, std::size_t& known, bool& is_left);
  const char* alike_wide(const char* at, Row& row, std::size_t& known, bool& is_left);
  template <bool kMasks, class Masks>
  const char* guessed_value(const char* at, const Member& member, Row& row, bool trusts_strings);
  const char* end_row(const char* at, Row& row);

  // The long way: row_members.cc.
  const char* members_anew(const char* at, Row& row, std::size_t known);
  const char* learn_member(const char* at, Row& row, Learned& learned);
  const char* value(const char* at, const Member& member, Row& row);
  const char* nested(const char* at, RowPlan& plan, std::size_t depth);
  const char* open_value(const char* at, const Member& member, Row& row);
  const char* plain(const char* at, const ColumnPlan& column, Row& row);
  const char* plain_value(const char* at, std::size_t depth);
  const char* without_repeats(const char* from, const char* after);
  const char* texts(const char* at, std::size_t depth);
  // Those at its beginning that are plain, as alike().
  template <bool kMasks, class Masks>
  const char* plain_texts_by(const char* at);
  const char* plain_texts(const char* at);
  const char* plain_texts_wide(const char* at);
  const char* text(const char* at, StringTraits& traits);

  // Keys and labels: row_keys.cc.
  const char* key(const char* at, ColumnPlan& column, Row& row);
  const char* read_key(const char* at, std::string& storage, std::optional<KeyView>& key);
  std::optional<std::string> spelt_as_its_row(const ColumnPlan& column, const KeyView& link) const;
  bool note_key_part(const char* at, const ColumnPlan& column, Row& row);
  bool hide_part(const char* at, const char*& after);
  bool name_row(Row& row);
  bool insert_ref(const char* at, Row& row);

  void note_long_texts();
  const char* stop(Error error);
  // A value that may not stand here.
  const char* refuse(const char* at, std::string message, ErrorCode code = ErrorCode::schema);

  RefRegistry& registry_;
  RowPlans& plans_;
  ProseMask& mask_;
  const RowsOptions& options_;
  JsonScanner scanner_;
  RowsOutput output_;
  const char* guess_upto_;  // behind it too little text is left to read it with few checks
  bool is_wide_;            // the processor has wide masks
  bool masks_all_;          // every string must be looked into, not only suspicious ones
  std::optional<Error> error_;
};

}  // namespace alfred
