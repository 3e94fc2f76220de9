#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "inbox/filter/expression.h"
#include "inbox/filter/node.h"
#include "inbox/filter/tokens.h"

namespace alfred::inbox {
namespace {

using NodePtr = std::unique_ptr<Node>;

NodePtr node_of(Node::Kind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  return node;
}

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<NodePtr> whole() {
    Result<NodePtr> node = expression();
    if (node && now().kind != Token::Kind::end) return wrong("something stands behind its end");
    return node;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  bool is_sign(std::string_view sign) const {
    return now().kind == Token::Kind::sign && now().text == sign;
  }
  bool take(std::string_view sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    return true;
  }
  Unexpected wrong(std::string_view what) const {
    return fail(ErrorCode::value,
                fmt::format("The expression does not parse at byte {}: {}.", now().at, what),
                "expr");
  }
  Unexpected too_deep() const {
    return fail(ErrorCode::limit, "The expression is nested too deeply. Make it flatter.", "expr");
  }

  Result<NodePtr> expression() {
    if (++depth_ > kMaxExpressionDepth) return too_deep();
    Result<NodePtr> test = binary(0);
    if (test && take("?")) test = ternary(std::move(*test));
    --depth_;
    return test;
  }

  Result<NodePtr> ternary(NodePtr test) {
    NodePtr node = node_of(Node::Kind::ternary);
    node->parts.push_back(std::move(test));
    node->parts.push_back(nullptr);
    if (!is_sign(":")) {
      Result<NodePtr> consequent = expression();
      if (!consequent) return consequent;
      node->parts.back() = std::move(*consequent);
    }
    if (!take(":")) return wrong("a `?` needs its `:`");
    Result<NodePtr> alternate = expression();
    if (!alternate) return alternate;
    node->parts.push_back(std::move(*alternate));
    return node;
  }

  const OperatorRow* operator_here() const {
    if (now().kind != Token::Kind::sign) return nullptr;
    for (const OperatorRow& row : operators())
      if (row.sign == now().text) return &row;
    return nullptr;
  }

  Result<NodePtr> binary(int weakest) {
    Result<NodePtr> left = operand();
    std::size_t height = 0;
    while (left) {
      const OperatorRow* const row = operator_here();
      if (row == nullptr || row->strength <= weakest) return left;
      // A long row of operators is a deep tree to the left.
      if (++height + depth_ > 4 * kMaxExpressionDepth) return too_deep();
      ++at_;
      Result<NodePtr> right = binary(row->strength);
      if (!right) return right;
      NodePtr node = node_of(Node::Kind::binary);
      node->op = row->op;
      node->parts.push_back(std::move(*left));
      node->parts.push_back(std::move(*right));
      left = std::move(node);
    }
    return left;
  }

  Result<NodePtr> operand() {
    if (++depth_ > kMaxExpressionDepth) return too_deep();
    Result<NodePtr> node = take("!") ? negated() : first();
    --depth_;
    return node;
  }
  Result<NodePtr> negated() {
    Result<NodePtr> inner = operand();
    if (!inner) return inner;
    NodePtr node = node_of(Node::Kind::negate);
    node->parts.push_back(std::move(*inner));
    return node;
  }

  Result<NodePtr> first() {
    Result<NodePtr> node = start();
    while (node) {
      if (take(".")) {
        if (now().kind != Token::Kind::name) return wrong("a name is missing behind the dot");
        NodePtr member = node_of(Node::Kind::member);
        member->text = tokens_[at_++].text;
        member->parts.push_back(std::move(*node));
        node = std::move(member);
      } else if (take("[")) {
        node = picked(std::move(*node));
      } else if (is_sign("|")) {
        return wrong("there are no transforms");
      } else {
        return node;
      }
    }
    return node;
  }

  Result<NodePtr> picked(NodePtr subject) {
    const bool outer = std::exchange(is_relative_, false);
    Result<NodePtr> by = expression();
    const bool is_relative = std::exchange(is_relative_, outer);
    if (!by) return by;
    if (!take("]")) return wrong("a `[` needs its `]`");
    NodePtr node = node_of(is_relative ? Node::Kind::choose : Node::Kind::pick);
    node->parts.push_back(std::move(subject));
    node->parts.push_back(std::move(*by));
    return node;
  }

  Result<NodePtr> start() {
    const Token token = now();
    switch (token.kind) {
      case Token::Kind::number: return literal(token, 1);
      case Token::Kind::text: {
        NodePtr node = node_of(Node::Kind::text);
        node->text = token.text;
        ++at_;
        return node;
      }
      case Token::Kind::flag: {
        NodePtr node = node_of(Node::Kind::flag);
        node->flag = token.text == "true";
        ++at_;
        return node;
      }
      case Token::Kind::name: return name();
      case Token::Kind::sign: return opened();
      case Token::Kind::end: return wrong("it ends too early");
    }
    return wrong("it ends too early");
  }
  Result<NodePtr> literal(const Token& token, double sign) {
    NodePtr node = node_of(Node::Kind::number);
    node->number = sign * token.number;
    ++at_;
    return node;
  }

  Result<NodePtr> opened() {
    if (take("(")) {
      Result<NodePtr> inner = expression();
      if (inner && !take(")")) return wrong("a `(` needs its `)`");
      return inner;
    }
    if (take("[")) {
      NodePtr node = node_of(Node::Kind::array);
      if (Result<void> read = list(*node, "]"); !read) return Unexpected(read.error());
      return node;
    }
    if (take("{")) return object();
    if (take("-")) {
      if (now().kind == Token::Kind::number) return literal(now(), -1);
      return wrong("a minus stands before a number, or between two values");
    }
    if (take(".")) {
      if (now().kind != Token::Kind::name) return wrong("a name is missing behind the dot");
      is_relative_ = true;
      NodePtr node = node_of(Node::Kind::name);
      node->is_relative = true;
      node->text = tokens_[at_++].text;
      return node;
    }
    return wrong("a value is missing");
  }

  // Expressions with commas between them, up to the closing sign; one comma too many is fine.
  Result<void> list(Node& into, std::string_view close) {
    while (!take(close)) {
      Result<NodePtr> part = expression();
      if (!part) return Unexpected(part.error());
      into.parts.push_back(std::move(*part));
      if (!take(",") && !is_sign(close)) return wrong(fmt::format("`,` or `{}` is missing", close));
    }
    return {};
  }

  Result<NodePtr> object() {
    NodePtr node = node_of(Node::Kind::object);
    while (!take("}")) {
      if (now().kind != Token::Kind::name) return wrong("the name of a member is missing");
      node->keys.push_back(tokens_[at_++].text);
      if (!take(":")) return wrong("a member needs its `:`");
      Result<NodePtr> part = expression();
      if (!part) return part;
      node->parts.push_back(std::move(*part));
      if (!take(",") && !is_sign("}")) return wrong("`,` or `}` is missing");
    }
    return node;
  }

  Result<NodePtr> name() {
    const std::string name = tokens_[at_++].text;
    if (take("(")) return call(name);
    NodePtr node = node_of(Node::Kind::name);
    node->text = name;
    return node;
  }

  Result<NodePtr> call(const std::string& name) {
    const std::span<const FunctionRow> all = functions();
    const auto row = std::find_if(all.begin(), all.end(),
                                  [&](const FunctionRow& one) { return one.name == name; });
    if (row == all.end()) return unknown_function(name);
    NodePtr node = node_of(Node::Kind::call);
    node->function = row->function;
    if (Result<void> read = list(*node, ")"); !read) return Unexpected(read.error());
    if (node->parts.size() < row->least || node->parts.size() > row->most)
      return wrong(fmt::format("{} takes {} to {} values", name, row->least, row->most));
    const bool is_glob = row->function == Function::glob;
    const bool has_pattern = is_glob || row->function == Function::matches;
    if (has_pattern && node->parts[1]->kind == Node::Kind::text) {
      auto pattern = Pattern::compile(is_glob ? Pattern::Kind::glob : Pattern::Kind::expression,
                                      node->parts[1]->text);
      if (!pattern) return Unexpected(pattern.error());
      node->pattern = std::move(*pattern);
    }
    return node;
  }
  static Unexpected unknown_function(const std::string& name) {
    std::vector<std::string> known;
    known.reserve(functions().size());
    for (const FunctionRow& row : functions()) known.emplace_back(row.name);
    return fail(
        ErrorCode::value,
        fmt::format("There is no function {}. Known are: {}.", name, fmt::join(known, ", ")),
        "expr", known);
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool is_relative_ = false;
};

}  // namespace

Result<std::unique_ptr<Node>> parse_expression(std::string_view text) {
  if (text.size() > kMaxExpressionBytes)
    return fail(ErrorCode::limit,
                fmt::format("An expression has at most {} bytes.", kMaxExpressionBytes), "expr");
  Result<std::vector<Token>> tokens = read_tokens(text);
  if (!tokens) return Unexpected(tokens.error());
  return Parser(std::move(*tokens)).whole();
}

}  // namespace alfred::inbox
