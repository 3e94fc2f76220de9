// A JSON text as a tree that remembers where everything stands, for the oracle: plain recursive
// descent, written without a look at the scanner it is compared with.
//
// R1 strict RFC 8259; UTF-8 and surrogate pairs are checked; a byte order mark in front is skipped.
// R2 a text that breaks off, or is wrong somewhere, still gives a tree of what stands before, so
//    that whoever walks it in order meets the first fault of any kind first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"

namespace alfred::oracle {

struct Fault {
  ErrorCode code = ErrorCode::json;
  std::size_t offset = 0;
};

struct Node;

struct NodeString {
  std::size_t from = 0;             // of its opening quote
  std::size_t upto = 0;             // behind its closing quote
  std::string text;                 // without escapes
  std::vector<std::size_t> raw_at;  // where each byte of text stands in the input, and the end
};

struct Node {
  // By the first byte alone; `nothing` cannot begin a value.
  enum class Kind { nothing, null, boolean, number, string, array, object };
  struct Member;

  Kind kind = Kind::nothing;
  std::size_t from = 0;
  std::size_t upto = 0;
  bool is_whole = false;  // false: the fault lies in it
  NodeString string;
  std::vector<Node> elements;
  std::vector<Member> members;
};

struct Node::Member {
  NodeString name;
  bool has_colon = false;  // false: the fault comes right behind the name
  Node value;
};

struct Tree {
  std::vector<Node> values;    // one after the other
  std::optional<Fault> fault;  // none: every node is whole
};

Tree read_tree(std::string_view text, std::size_t max_depth);

}  // namespace alfred::oracle
