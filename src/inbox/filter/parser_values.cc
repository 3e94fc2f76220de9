// The values of an expression: literals, names, lists, objects and calls.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "inbox/filter/parser.h"

namespace alfred::inbox {

Result<NodePtr> ExpressionParser::start() {
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

Result<NodePtr> ExpressionParser::literal(const Token& token, double sign) {
  NodePtr node = node_of(Node::Kind::number);
  node->number = sign * token.number;
  ++at_;
  return node;
}

Result<NodePtr> ExpressionParser::opened() {
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
Result<void> ExpressionParser::list(Node& into, std::string_view close) {
  while (!take(close)) {
    Result<NodePtr> part = expression();
    if (!part) return Unexpected(part.error());
    into.parts.push_back(std::move(*part));
    if (!take(",") && !is_sign(close)) return wrong(fmt::format("`,` or `{}` is missing", close));
  }
  return {};
}

Result<NodePtr> ExpressionParser::object() {
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

Result<NodePtr> ExpressionParser::name() {
  const std::string name = tokens_[at_++].text;
  if (take("(")) return call(name);
  NodePtr node = node_of(Node::Kind::name);
  node->text = name;
  return node;
}

Result<NodePtr> ExpressionParser::call(const std::string& name) {
  const std::span<const FunctionRow> all = functions();
  const auto row = std::find_if(all.begin(), all.end(),
                                [&](const FunctionRow& one) { return one.name == name; });
  if (row == all.end()) return unknown_function(name);
  NodePtr node = node_of(Node::Kind::call);
  node->function = row->function;
  if (Result<void> read = list(*node, ")"); !read) return Unexpected(read.error());
  if (node->parts.size() < row->least || node->parts.size() > row->most)
    return wrong(
        row->least == row->most
            ? fmt::format("{} takes {} value{}", name, row->least, row->least == 1 ? "" : "s")
            : fmt::format("{} takes {} to {} values", name, row->least, row->most));
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

Unexpected ExpressionParser::unknown_function(const std::string& name) {
  std::vector<std::string> known;
  known.reserve(functions().size());
  for (const FunctionRow& row : functions()) known.emplace_back(row.name);
  return fail(ErrorCode::value,
              fmt::format("There is no function {}. Known are: {}.", name, fmt::join(known, ", ")),
              "expr", known);
}

}  // namespace alfred::inbox
