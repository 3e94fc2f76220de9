#include "surface/mcp/records/node_prompts.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "context/shown_text.h"
#include "contracts/contract.h"

namespace alfred::mcp {
namespace {

struct ArgumentRow {
  std::string_view name;
  std::string_view meaning;
  bool is_required;
};
constexpr ArgumentRow kMessage[] = {{"message", "What the user says", true}};
constexpr ArgumentRow kTurn[] = {
    {"message", "What the user said, and what was done and replied", true}};
constexpr ArgumentRow kStep[] = {
    {"task", "What the step is to do", true},
    {"step_type", "read, write, analyze or generate", true},
    {"subdomain", "Where it works; adds what the pack says of that", false},
    {"ref", "A row that it is about", false}};

struct NodeRow {
  Node node;
  std::string_view title;
  std::string_view description;
  std::span<const ArgumentRow> arguments;
};
constexpr NodeRow kNodes[] = {
    {Node::understand, "Understand a message", "Turns a message into signals", kMessage},
    {Node::think, "Plan", "Decides what is to be done about a message, in steps", kMessage},
    {Node::act, "Carry out a step", "Works on one step of a plan with the tools", kStep},
    {Node::reply, "Reply", "Tells the user what happened", kTurn},
    {Node::summarize, "Summarize a turn", "Keeps the record of a turn in a sentence", kTurn},
};

const NodeRow* row_of(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kNodes), std::end(kNodes),
                   [&](const NodeRow& row) { return name_of(row.node) == name; });
  return found == std::end(kNodes) ? nullptr : found;
}

std::string given(const JsonObject& arguments, std::string_view name) {
  const JsonString* const text = text_member(arguments, name);
  return text == nullptr ? std::string() : std::string(*text);
}

RpcResult<void> check_value(std::string_view name, const std::string& value,
                            const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return {};
  return rpc_fail(RpcCode::invalid_params,
                  fmt::format("arguments.{} is {}. It is one of: {}.", name, quoted_text(value),
                              fmt::join(allowed, ", ")));
}

RpcResult<void> check_texts(const NodeRow& row, const JsonObject& arguments) {
  for (const ArgumentRow& one : row.arguments) {
    const bool is_there = arguments.contains(one.name);
    if (is_there ? text_member(arguments, one.name) == nullptr : one.is_required)
      return rpc_fail(RpcCode::invalid_params, fmt::format("arguments.{} is a text.", one.name));
  }
  return {};
}

std::vector<std::string> step_types() {
  const auto& names = Named<StepType>::names;
  return {names.begin(), names.end()};
}

void add_section(std::string& text, std::string_view heading, std::string_view body) {
  if (body.empty()) return;
  if (!text.empty()) text += "\n";
  text.append("## ").append(heading).append("\n").append(body);
  if (!body.ends_with('\n')) text += "\n";
}

// What the node answers in, where that is no plain text.
std::string contract_text(Node node) {
  const Contract* const contract = contract_of(node);
  return contract == nullptr ? "" : fenced(json_schema_text(*contract->shape), "json");
}

}  // namespace

JsonArray NodePrompts::listed() {
  JsonArray all;
  for (const NodeRow& row : kNodes) {
    JsonArray arguments;
    for (const ArgumentRow& one : row.arguments)
      arguments.push_back(JsonObject{
          {"name", one.name}, {"description", one.meaning}, {"required", one.is_required}});
    all.push_back(JsonObject{{"name", name_of(row.node)},
                             {"title", row.title},
                             {"description", row.description},
                             {"arguments", std::move(arguments)}});
  }
  return all;
}

bool NodePrompts::has(std::string_view name) { return row_of(name) != nullptr; }

std::vector<std::string> NodePrompts::subdomains() const {
  std::vector<std::string> names;
  for (const Subdomain& one : texts_.pack().subdomains)
    if (!one.tables.empty() && schema_.find(one.tables.front()) != nullptr)
      names.push_back(one.name);
  return names;
}

std::string NodePrompts::types() const {
  const std::vector<std::string> known = subdomains();
  std::string out;
  for (const Subdomain& one : texts_.pack().subdomains) {
    if (std::find(known.begin(), known.end(), one.name) == known.end()) continue;
    out += "- " + one.name + ":";
    for (const std::string& name : one.tables)
      if (const Table* const table = schema_.find(name)) out += " `" + table->ref + "`";
    out += "\n";
  }
  return out;
}

std::string NodePrompts::constraint_types() const {
  std::string out;
  for (const ConstraintType& type : texts_.pack().constraint_types)
    out += fmt::format("- `{}` {}\n", type.name, fmt::join(type.fields, " "));
  return out;
}

std::string NodePrompts::act_texts(std::string_view subdomain, std::string_view step_type) const {
  std::string out(texts_.pack_text(fmt::format("subdomains/{}", subdomain)));
  for (const std::string_view kind : {"personas", "examples"}) {
    const std::string_view more =
        texts_.pack_text(fmt::format("{}/{}.{}", kind, subdomain, step_type));
    if (!more.empty()) out.append(out.empty() ? "" : "\n").append(more);
  }
  return out;
}

RpcResult<NodePrompt> NodePrompts::get(std::string_view name, const JsonObject& arguments) const {
  const NodeRow& row = *row_of(name);
  if (RpcResult<void> texts = check_texts(row, arguments); !texts) return RpcFailure(texts.error());
  NodePrompt out{.description = std::string(row.description)};
  if (row.node == Node::act) {
    const std::string type = given(arguments, "step_type");
    const std::string subdomain = given(arguments, "subdomain");
    if (RpcResult<void> known = check_value("step_type", type, step_types()); !known)
      return RpcFailure(known.error());
    if (!subdomain.empty())
      if (RpcResult<void> known = check_value("subdomain", subdomain, subdomains()); !known)
        return RpcFailure(known.error());
    out.core = texts_.act_system(type);
    if (!subdomain.empty()) add_section(out.pack, subdomain, act_texts(subdomain, type));
    add_section(out.asked, "Task", given(arguments, "task"));
    add_section(out.asked, "About", given(arguments, "ref"));
  } else {
    if (row.node == Node::reply) out.core = texts_.core("system") + "\n";
    out.core += texts_.core(name);
    if (row.node == Node::understand || row.node == Node::think)
      add_section(out.pack, "Types of Things", types());
    if (row.node == Node::understand) add_section(out.pack, "Constraint Types", constraint_types());
    add_section(out.asked, "Message", fenced(given(arguments, "message"), ""));
  }
  add_section(out.core, "Your Answer Is JSON of This Schema", contract_text(row.node));
  return out;
}

std::vector<std::string> NodePrompts::complete(std::string_view argument,
                                               std::string_view begin) const {
  std::vector<std::string> found;
  if (argument == "subdomain") found = subdomains();
  if (argument == "step_type") found = step_types();
  std::erase_if(found, [&](const std::string& one) { return !one.starts_with(begin); });
  return found;
}

}  // namespace alfred::mcp
