// docs/contracts.md, from the declarations.
#include <map>

#include "contracts/act_answer.h"
#include "contracts/contract.h"

namespace alfred {
namespace {

std::string type_text(const ShapeField& field) {
  std::string out;
  switch (field.shape->kind) {
    case ShapeKind::text: out = "text"; break;
    case ShapeKind::integer: out = "whole number"; break;
    case ShapeKind::number: out = "number"; break;
    case ShapeKind::boolean: out = "true or false"; break;
    case ShapeKind::choice:
      for (const std::string_view name : field.shape->choices)
        out += (out.empty() ? "`" : " `") + std::string(name) + "`";
      break;
    case ShapeKind::object: out = std::string(field.shape->name); break;
    case ShapeKind::any: out = "JSON"; break;
  }
  if (field.is_list) out = "list of " + out;
  if (field.is_optional) out += ", or nothing";
  if (field.max_chars != JsonLimits::kNone)
    out += (field.is_cut ? ", cut to " : ", at most ") + std::to_string(field.max_chars) +
           " characters";
  return out;
}

void write_fields(const Shape& shape, std::string& out) {
  out += "\n| field | holds | says |\n|---|---|---|\n";
  for (const ShapeField& field : shape.fields)
    out += "| `" + std::string(field.name) + "` | " + type_text(field) + " | " +
           std::string(field.says) + " |\n";
}

// Objects inside, each once, in the order in which they are met.
void collect_inner(const Shape& shape, std::vector<const Shape*>& found) {
  for (const ShapeField& field : shape.fields) {
    if (field.shape->kind != ShapeKind::object) continue;
    bool is_known = false;
    for (const Shape* known : found) is_known = is_known || known == field.shape;
    if (is_known) continue;
    found.push_back(field.shape);
    collect_inner(*field.shape, found);
  }
}

void write_contract(const Contract& contract, std::vector<const Shape*>& inner, std::string& out) {
  out += "\n## " + std::string(name_of(contract.node)) + "\n" + std::string(contract.says) +
         " It does not";
  for (std::size_t i = 0; i < contract.does_not.size(); ++i)
    out += (i == 0                              ? " "
            : i + 1 == contract.does_not.size() ? " or "
                                                : ", ") +
           std::string(contract.does_not[i]);
  out += ".\n";
  write_fields(*contract.shape, out);
  out += "\nRefused, because it belongs to somebody else:";
  for (const ForeignField& field : contract.refused) out += " `" + std::string(field.name) + "`";
  out += "\n";
  collect_inner(*contract.shape, inner);
}

void write_actions(std::string& out) {
  out += "\n## Actions by step type\n| step type | actions |\n|---|---|\n";
  for (std::size_t i = 0; i < Named<StepType>::names.size(); ++i) {
    const auto type = static_cast<StepType>(i);
    out += "| " + std::string(name_of(type)) + " |";
    for (const Action action : actions_of(type)) out += " `" + std::string(name_of(action)) + "`";
    out += " |\n";
  }
}

}  // namespace

std::string contracts_markdown() {
  std::string out =
      "# Contracts: what each node answers\n\n"
      "Made by `scripts/docs` from the declarations in `src/contracts/`; do not edit. `reply` is "
      "plain text and has none.\nA field that nobody knows is ignored and noted; one that another "
      "node owns refuses the answer.\n";
  std::vector<const Shape*> inner;
  for (const Node node :
       {Node::understand, Node::think, Node::act, Node::act_quick, Node::summarize})
    write_contract(*contract_of(node), inner, out);
  write_actions(out);
  out += "\n## The objects inside\n";
  for (const Shape* shape : inner) {
    out += "\n### " + std::string(shape->name);
    write_fields(*shape, out);
  }
  return out;
}

}  // namespace alfred
