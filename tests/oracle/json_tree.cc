#include "oracle/json_tree.h"

namespace alfred::oracle {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Node::Kind kind_of(char c) {
  switch (c) {
    case '{': return Node::Kind::object;
    case '[': return Node::Kind::array;
    case '"': return Node::Kind::string;
    case 't':
    case 'f': return Node::Kind::boolean;
    case 'n': return Node::Kind::null;
    default: return c == '-' || is_digit(c) ? Node::Kind::number : Node::Kind::nothing;
  }
}

// How many bytes the UTF-8 sequence at `at` has; 0 when there is none.
std::size_t sequence_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xbf; };
  const unsigned a = byte(0);
  const unsigned b = byte(1);
  if (a < 0x80) return 1;
  if (a >= 0xc2 && a <= 0xdf) return follows(1) ? 2 : 0;
  if (a == 0xe0 && b < 0xa0) return 0;
  if (a == 0xed && b > 0x9f) return 0;
  if (a >= 0xe0 && a <= 0xef) return follows(1) && follows(2) ? 3 : 0;
  if (a == 0xf0 && b < 0x90) return 0;
  if (a == 0xf4 && b > 0x8f) return 0;
  if (a >= 0xf0 && a <= 0xf4) return follows(1) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

std::string utf8_of(unsigned point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 + ((point >> shift) % 64)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 + (point >> 6)), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 + (point >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xf0 + (point >> 18)), tail(12), tail(6), tail(0)};
}

class Reader {
 public:
  Reader(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  Tree read() {
    Tree tree;
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    for (space(); at_ < text_.size() && !fault_; space()) tree.values.push_back(value(1));
    tree.fault = fault_;
    return tree;
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }
  bool is_here(char c) const { return !at_end() && text_[at_] == c; }
  void space() {
    while (is_here(' ') || is_here('\t') || is_here('\n') || is_here('\r')) ++at_;
  }
  bool wrong(ErrorCode code, std::size_t offset) {
    if (!fault_) fault_ = Fault{code, offset};
    return false;
  }
  bool wrong_here() { return wrong(ErrorCode::json, at_); }

  Node value(std::size_t depth) {
    Node node;
    node.kind = kind_of(here());
    node.from = at_;
    node.is_whole = content(node, depth);
    node.upto = at_;
    return node;
  }

  bool content(Node& node, std::size_t depth) {
    switch (node.kind) {
      case Node::Kind::nothing: return wrong_here();
      case Node::Kind::null: return word("null");
      case Node::Kind::boolean: return word(here() == 't' ? "true" : "false");
      case Node::Kind::number: return number();
      case Node::Kind::string: return string(node.string);
      case Node::Kind::array: return array(node, depth);
      case Node::Kind::object: return object(node, depth);
    }
    return false;
  }

  // A wrong word is wrong at its first byte; one that breaks off with the text, at the end.
  bool word(std::string_view wanted) {
    const std::string_view there = text_.substr(at_, wanted.size());
    if (there == wanted) {
      at_ += wanted.size();
      return true;
    }
    const bool breaks_off = at_ + there.size() == text_.size() && wanted.starts_with(there);
    return wrong(ErrorCode::json, breaks_off ? text_.size() : at_);
  }

  bool digits() {
    if (!is_digit(here())) return wrong_here();
    while (is_digit(here())) ++at_;
    return true;
  }
  bool number() {
    if (is_here('-')) ++at_;
    if (is_here('0'))
      ++at_;
    else if (!digits())
      return false;
    if (is_here('.')) {
      ++at_;
      if (!digits()) return false;
    }
    if (!is_here('e') && !is_here('E')) return true;
    ++at_;
    if (is_here('+') || is_here('-')) ++at_;
    return digits();
  }

  void put(NodeString& string, std::string_view bytes, std::size_t raw) {
    string.text += bytes;
    string.raw_at.insert(string.raw_at.end(), bytes.size(), raw);
  }
  bool string(NodeString& string) {
    string.from = at_++;
    while (!is_here('"')) {
      if (at_end()) return wrong_here();
      const std::size_t start = at_;
      if (is_here('\\')) {
        if (!escape(string)) return false;
        continue;
      }
      if (static_cast<unsigned char>(here()) < 0x20) return wrong_here();
      const std::size_t size = sequence_size(text_, at_);
      if (size == 0) return wrong(ErrorCode::utf8, at_);
      at_ += size;
      for (std::size_t i = 0; i < size; ++i) put(string, text_.substr(start + i, 1), start + i);
    }
    string.raw_at.push_back(at_);
    string.upto = ++at_;
    return true;
  }

  bool hex4(unsigned& unit) {
    unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = here();
      if (is_digit(c))
        unit = unit * 16 + static_cast<unsigned>(c - '0');
      else if (c >= 'a' && c <= 'f')
        unit = unit * 16 + static_cast<unsigned>(c - 'a') + 10;
      else if (c >= 'A' && c <= 'F')
        unit = unit * 16 + static_cast<unsigned>(c - 'A') + 10;
      else
        return wrong_here();
    }
    return true;
  }
  bool escape(NodeString& string) {
    const std::size_t start = at_++;
    if (at_end()) return wrong_here();
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t which = kLetters.find(here()); which != std::string_view::npos) {
      ++at_;
      put(string, kMeanings.substr(which, 1), start);
      return true;
    }
    if (!is_here('u')) return wrong(ErrorCode::json, start);
    ++at_;
    unsigned point = 0;
    if (!hex4(point)) return false;
    if (point >= 0xd800 && point <= 0xdfff && !second_half(point, start)) return false;
    put(string, utf8_of(point), start);
    return true;
  }
  bool second_half(unsigned& point, std::size_t start) {
    if (point >= 0xdc00) return wrong(ErrorCode::utf8, start);
    for (const char c : {'\\', 'u'}) {
      if (at_end()) return wrong_here();
      if (!is_here(c)) return wrong(ErrorCode::utf8, start);
      ++at_;
    }
    unsigned low = 0;
    if (!hex4(low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return wrong(ErrorCode::utf8, start);
    point = 0x10000 + (point - 0xd800) * 0x400 + (low - 0xdc00);
    return true;
  }

  bool array(Node& node, std::size_t depth) {
    if (depth > max_depth_) return wrong(ErrorCode::limit, at_);
    ++at_;
    space();
    while (!is_here(']')) {
      if (!node.elements.empty()) {
        if (!is_here(',')) return wrong_here();
        ++at_;
        space();
      }
      if (at_end()) return wrong_here();
      node.elements.push_back(value(depth + 1));
      if (!node.elements.back().is_whole) return false;
      space();
    }
    ++at_;
    return true;
  }

  bool object(Node& node, std::size_t depth) {
    if (depth > max_depth_) return wrong(ErrorCode::limit, at_);
    ++at_;
    space();
    while (!is_here('}')) {
      if (!node.members.empty()) {
        if (!is_here(',')) return wrong_here();
        ++at_;
        space();
      }
      if (!member(node, depth)) return false;
      space();
    }
    ++at_;
    return true;
  }
  bool member(Node& node, std::size_t depth) {
    if (!is_here('"')) return wrong_here();
    Node::Member found;
    if (!string(found.name)) return false;
    space();
    found.has_colon = is_here(':') || wrong_here();
    if (found.has_colon) {
      ++at_;
      space();
      found.value = value(depth + 1);
    }
    node.members.push_back(std::move(found));
    return node.members.back().value.is_whole;
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::size_t at_ = 0;
  std::optional<Fault> fault_;
};

}  // namespace

Tree read_tree(std::string_view text, std::size_t max_depth) {
  return Reader(text, max_depth).read();
}

}  // namespace alfred::oracle
