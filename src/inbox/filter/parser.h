// ExpressionParser: the words of an expression as a tree, by recursive descent (expression.h, R1).
// For parser.cc and parser_values.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inbox/filter/node.h"
#include "inbox/filter/tokens.h"

namespace alfred::inbox {

using NodePtr = std::unique_ptr<Node>;

inline NodePtr node_of(Node::Kind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  return node;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  Result<NodePtr> whole();

 private:
  bool is_sign(std::string_view sign) const {
    return now().kind == Token::Kind::sign && now().text == sign;
  }
  bool take(std::string_view sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    return true;
  }
  const Token& now() const { return tokens_[at_]; }
  Unexpected wrong(std::string_view what) const;
  static Unexpected too_deep();
  Result<NodePtr> expression();
  Result<NodePtr> ternary(NodePtr test);
  const OperatorRow* operator_here() const;
  Result<NodePtr> binary(int weakest);
  Result<NodePtr> operand();
  Result<NodePtr> negated();
  Result<NodePtr> first();
  Result<NodePtr> picked(NodePtr subject);

  // Values (parser_values.cc).
  Result<NodePtr> start();
  Result<NodePtr> literal(const Token& token, double sign);
  Result<NodePtr> opened();
  // Expressions with commas between them, up to the closing sign; one comma too many is fine.
  Result<void> list(Node& into, std::string_view close);
  Result<NodePtr> object();
  Result<NodePtr> name();
  Result<NodePtr> call(const std::string& name);
  static Unexpected unknown_function(const std::string& name);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool is_relative_ = false;
};

}  // namespace alfred::inbox
