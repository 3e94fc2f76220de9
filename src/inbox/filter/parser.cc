#include "inbox/filter/parser.h"

#include <fmt/format.h>

#include "inbox/filter/expression.h"

namespace alfred::inbox {

Result<NodePtr> ExpressionParser::whole() {
  Result<NodePtr> node = expression();
  if (node && now().kind != Token::Kind::end) return wrong("something stands behind its end");
  return node;
}

Unexpected ExpressionParser::wrong(std::string_view what) const {
  return fail(ErrorCode::value,
              fmt::format("The expression does not parse at byte {}: {}.", now().at, what), "expr");
}

Unexpected ExpressionParser::too_deep() {
  return fail(ErrorCode::limit, "The expression is nested too deeply. Make it flatter.", "expr");
}

Result<NodePtr> ExpressionParser::expression() {
  if (++depth_ > kMaxExpressionDepth) return too_deep();
  Result<NodePtr> test = binary(0);
  if (test && take("?")) test = ternary(std::move(*test));
  --depth_;
  return test;
}

Result<NodePtr> ExpressionParser::ternary(NodePtr test) {
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

const OperatorRow* ExpressionParser::operator_here() const {
  if (now().kind != Token::Kind::sign) return nullptr;
  for (const OperatorRow& row : operators())
    if (row.sign == now().text) return &row;
  return nullptr;
}

Result<NodePtr> ExpressionParser::binary(int weakest) {
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

Result<NodePtr> ExpressionParser::operand() {
  if (++depth_ > kMaxExpressionDepth) return too_deep();
  Result<NodePtr> node = take("!") ? negated() : first();
  --depth_;
  return node;
}

Result<NodePtr> ExpressionParser::negated() {
  Result<NodePtr> inner = operand();
  if (!inner) return inner;
  NodePtr node = node_of(Node::Kind::negate);
  node->parts.push_back(std::move(*inner));
  return node;
}

Result<NodePtr> ExpressionParser::first() {
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

Result<NodePtr> ExpressionParser::picked(NodePtr subject) {
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

Result<std::unique_ptr<Node>> parse_expression(std::string_view text) {
  if (text.size() > kMaxExpressionBytes)
    return fail(ErrorCode::limit,
                fmt::format("An expression has at most {} bytes.", kMaxExpressionBytes), "expr");
  Result<std::vector<Token>> tokens = read_tokens(text);
  if (!tokens) return Unexpected(tokens.error());
  return ExpressionParser(std::move(*tokens)).whole();
}

}  // namespace alfred::inbox
