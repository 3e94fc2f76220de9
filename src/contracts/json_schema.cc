// The JSON Schema of a shape, in the subset that all providers take (R3 of contract.h).
#include "contracts/contract.h"

namespace alfred {
namespace {

JsonArray texts(std::span<const std::string> values) {
  JsonArray out;
  for (const std::string& value : values) out.push_back(Json(value));
  return out;
}

class SchemaWriter {
 public:
  explicit SchemaWriter(const SchemaOptions& options) : options_(options) {}

  Json of(const Shape& shape) {
    static const ShapeField kPlain{};
    return value(shape, kPlain);
  }

 private:
  Json object(const Shape& shape) {
    JsonObject properties;
    JsonArray required;
    for (const ShapeField& field : shape.fields) {
      properties[field.name] = member(field);
      required.push_back(Json(field.name));
    }
    return JsonObject{{"type", "object"},
                      {"properties", std::move(properties)},
                      {"required", std::move(required)},
                      {"additionalProperties", false}};
  }

  Json member(const ShapeField& field) {
    Json schema = value(*field.shape, field);
    if (field.is_list) schema = JsonObject{{"type", "array"}, {"items", std::move(schema)}};
    if (field.is_optional)
      schema = JsonObject{{"anyOf", JsonArray{std::move(schema), JsonObject{{"type", "null"}}}}};
    schema.get_object()["description"] = field.says;
    return schema;
  }

  Json value(const Shape& shape, const ShapeField& field) {
    switch (shape.kind) {
      case ShapeKind::text: return text(field);
      case ShapeKind::integer: return JsonObject{{"type", "integer"}};
      case ShapeKind::number: return JsonObject{{"type", "number"}};
      case ShapeKind::boolean: return JsonObject{{"type", "boolean"}};
      case ShapeKind::choice: return choice(shape);
      case ShapeKind::object: return object(shape);
      case ShapeKind::any: return JsonObject{};
    }
    return JsonObject{};
  }

  Json text(const ShapeField& field) const {
    JsonObject out{{"type", "string"}};
    if (field.is_ref && !options_.refs.empty() && options_.refs.size() <= SchemaOptions::kMaxRefs)
      out["enum"] = texts(options_.refs);
    return out;
  }

  Json choice(const Shape& shape) const {
    JsonArray names;
    for (const std::string_view name : shape.choices) names.push_back(Json(name));
    const bool is_action = shape.name == "Action" && !options_.actions.empty();
    return JsonObject{{"type", "string"},
                      {"enum", is_action ? texts(options_.actions) : std::move(names)}};
  }

  const SchemaOptions& options_;
};

}  // namespace

Json json_schema(const Shape& shape, const SchemaOptions& options) {
  return SchemaWriter(options).of(shape);
}

}  // namespace alfred
