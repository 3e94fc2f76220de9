// One entity whole, as 002 shows it: its ref and label, lines of fields, nested rows with their
// refs, lists numbered where order matters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_buffer.h"
#include "pack/layout.h"
#include "pack/schema.h"

namespace alfred {

// A layout for a table that declares none: label apart, short fields on a line, then lists and
// nested rows.
EntityLayout default_layout(const Table& table, const Schema& schema);

// The names of a row's members, in their order.
class MemberOrder {
 public:
  bool is_of(const JsonObject& row) const;
  void take(const JsonObject& row);

 private:
  std::string names_{};
  std::vector<std::size_t> sizes_{};
};

// A layout, read once for many rows. Rows of a table look alike, so it remembers where they have
// their members, as long as one has the names of the one before: one thread at a time uses it.
class RowFormat {
 public:
  RowFormat() = default;
  explicit RowFormat(const EntityLayout& layout);

  // The lines below the heading, each indented by two.
  void append(ByteBuffer& out, const JsonObject& row) const;

  // A place for a value, with the text before it.
  struct Piece {
    enum class Kind : std::uint8_t { field, sum, word };
    std::string before{};
    Kind kind = Kind::field;
    std::string names{};                // "a", "a/b"
    std::string word{};                 // for a field that is true
    std::vector<Piece> terms{};         // of a sum
    std::vector<std::size_t> places{};  // of its names, those that the row before had
  };
  struct Segment {
    std::vector<Piece> pieces{};
    std::string after{};
  };
  using Line = std::vector<Segment>;
  struct List {
    LayoutList list{};
    mutable Piece member{};  // of the row: where the list stands
    mutable Line item{};
    mutable Piece id{};  // of an element
    mutable MemberOrder order{};
  };

 private:
  void follow(const JsonObject& row) const;

  mutable std::vector<Line> lines_;
  mutable MemberOrder order_;
  std::vector<List> lists_;
};

std::string format_row(const JsonObject& row, const EntityLayout& layout);

}  // namespace alfred
