// The JSON Schema of a shape, in the subset that all providers take (R3 of contract.h).
#include "base/check.h"
#include "base/json/json_text.h"
#include "contracts/contract.h"

namespace alfred {
namespace {

// Writes the text as it goes: an ask needs no value of it.
class SchemaWriter {
 public:
  explicit SchemaWriter(const SchemaOptions& options) : options_(options) {}

  std::string of(const Shape& shape) {
    static const ShapeField kPlain{};
    value(shape, kPlain);
    out_ += '}';
    return std::move(out_);
  }

 private:
  // Each writes an object and leaves it open, for what its owner adds to it.
  void value(const Shape& shape, const ShapeField& field) {
    switch (shape.kind) {
      case ShapeKind::text: return text(field);
      case ShapeKind::integer: out_ += R"({"type":"integer")"; return;
      case ShapeKind::number: out_ += R"({"type":"number")"; return;
      case ShapeKind::boolean: out_ += R"({"type":"boolean")"; return;
      case ShapeKind::choice: return choice(shape);
      case ShapeKind::object: return object(shape);
      case ShapeKind::any: out_ += '{'; return;
    }
  }

  void object(const Shape& shape) {
    out_ += R"({"type":"object","properties":{)";
    for (const ShapeField& field : shape.fields) {
      append_json_name(out_, field.name);
      member(field);
    }
    out_ += R"(},"required":)";
    names(shape.fields, [](const ShapeField& field) { return std::string_view(field.name); });
    out_ += R"(,"additionalProperties":false)";
  }

  void member(const ShapeField& field) {
    if (field.is_optional) out_ += R"({"anyOf":[)";
    if (field.is_list) out_ += R"({"type":"array","items":)";
    value(*field.shape, field);
    if (field.is_list) out_ += '}';
    if (field.is_optional) out_ += R"(},{"type":"null"}])";
    append_json_name(out_, "description");
    append_json_string(out_, field.says);
    out_ += '}';
  }

  void text(const ShapeField& field) {
    out_ += R"({"type":"string")";
    if (!field.is_ref || options_.refs.empty() || options_.refs.size() > SchemaOptions::kMaxRefs)
      return;
    append_json_name(out_, "enum");
    names(options_.refs, [](const std::string& name) { return std::string_view(name); });
  }

  void choice(const Shape& shape) {
    out_ += R"({"type":"string","enum":)";
    if (shape.name == "Action" && !options_.actions.empty())
      names(options_.actions, [](const std::string& name) { return std::string_view(name); });
    else
      names(shape.choices, [](std::string_view name) { return name; });
  }

  template <class List, class NameOf>
  void names(const List& list, NameOf name_of_one) {
    out_ += '[';
    for (std::string_view mark; const auto& one : list) {
      out_ += mark;
      append_json_string(out_, name_of_one(one));
      mark = ",";
    }
    out_ += ']';
  }

  const SchemaOptions& options_;
  std::string out_;
};

}  // namespace

std::string json_schema_text(const Shape& shape, const SchemaOptions& options) {
  return SchemaWriter(options).of(shape);
}

Json json_schema(const Shape& shape, const SchemaOptions& options) {
  Result<Json> read = parse_json(json_schema_text(shape, options), JsonLimits::none());
  ALFRED_CHECK(read.has_value(), "a schema is JSON");
  return std::move(*read);
}

}  // namespace alfred
