// How generated content (an artifact) becomes rows, as data. The payload compiler in records/ reads
// these rules and nothing else of a domain; the same artifact gives the same rows.
//
// R1 a field of an artifact goes to the column of its own name, or to the one `renames` names; the
//    first that is there wins. A field without a column becomes a discrepancy.
// R2 a value is coerced as the column's rule says, then by the field's value aliases, then checked.
// R3 a default is used where the artifact says nothing.
// R4 the elements of a linked member become rows of the child table, in order; the child's column
//    leads to the parent's ref. An element is an object, or a text that `text` says how to read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace alfred {

// What may be made of a value that a column does not take as it is. A value that cannot be coerced
// stays as it is and fails the column's own check.
enum class Coercion : std::uint8_t {
  none,
  text,     // a scalar as its text; a list of texts as lines
  integer,  // 4.0, "4", "4 servings" → 4
  number,   // "1.5", "1/2", "1 1/2", "½" → 1.5, 0.5, 1.5, 0.5
  boolean,  // "yes", "no", "true", "false"
  list,     // "a, b" → ["a", "b"]; a scalar as a list of one
  lines,    // a text by its lines, without "1." or "-" before them
  minutes,  // "1 h 20 min", "25 minutes", 25 → 80, 25, 25
  lower,    // lower case
  unit,     // a word for a unit as the unit's name: "Cups" → "cup"; others in lower case
};

// What a text in the place of an object means.
enum class TextShape : std::uint8_t {
  whole,          // all of it is the value of `text_column`
  quantity_unit,  // "2 cups rice, rinsed" → quantity 2, unit cup, name rice, notes rinsed
};

struct ColumnRules {
  std::map<std::string, std::string, std::less<>> renames;  // artifact field → column
  std::map<std::string, Coercion, std::less<>> coercions;   // by column
  std::map<std::string, Json, std::less<>> defaults;        // by column
};

struct LinkedRules {
  std::vector<std::string> members;  // what the artifact may call it; the first is the relation's
  std::string table;
  std::string column;  // of the child; leads to the parent
  ColumnRules columns;
  TextShape text_shape = TextShape::whole;
  std::string text_column;      // where a text goes, or what is left of it
  std::string quantity_column;  // quantity_unit: where its parts go
  std::string unit_column;
  std::string notes_column;
};

// What people write for the pack's units, in lower case → the unit's name.
using UnitWords = std::map<std::string, std::string, std::less<>>;

struct CompileRules {
  ColumnRules columns;
  std::vector<LinkedRules> linked;
  UnitWords units;  // the pack's, the same for all its tables
};

}  // namespace alfred
