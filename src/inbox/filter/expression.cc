#include "inbox/filter/expression.h"

#include <algorithm>
#include <cmath>

#include "inbox/filter/functions.h"
#include "inbox/filter/node.h"
#include "inbox/filter/script/script_value.h"

namespace alfred::inbox {
namespace {

double power(double base, double exponent) {
  if (std::isnan(exponent)) return exponent;
  if (std::fabs(base) == 1 && std::isinf(exponent)) return std::nan("");
  return std::pow(base, exponent);
}

constexpr std::int64_t kStepsOfPattern = 100;  // one that is compiled while it runs

// One run of an expression on an event.
class Run {
 public:
  explicit Run(const EventView& event) : event_(event) {}

  ScriptValue value(const Node& node) {
    if (error_ || ++steps_ > kMaxSteps) {
      stop("The expression takes too many steps on this event.");
      return {};
    }
    switch (node.kind) {
      case Node::Kind::number: return ScriptValue::of_number(node.number);
      case Node::Kind::text: return ScriptValue::of_text(node.text);
      case Node::Kind::flag: return ScriptValue::of_flag(node.flag);
      case Node::Kind::array: return array(node);
      case Node::Kind::object: return object(node);
      case Node::Kind::name: return name(node);
      case Node::Kind::member: return member(node);
      case Node::Kind::pick: return pick(node);
      case Node::Kind::choose: return choose(node);
      case Node::Kind::negate: return ScriptValue::of_flag(!is_truthy(value(*node.parts[0])));
      case Node::Kind::binary: return binary(node);
      case Node::Kind::ternary: return ternary(node);
      case Node::Kind::call: return call(node);
    }
    return {};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  // Before a value is looked through, turned into a text or copied. False: the run is over.
  bool spend(const ScriptValue& value) { return spend(weight_of(value, kMaxSteps - steps_)); }
  bool spend(std::int64_t steps) {
    steps_ += steps;
    if (steps_ > kMaxSteps) stop("The expression takes too many steps on this event.");
    return !error_;
  }
  void stop(std::string_view why) {
    if (!error_) error_ = Error{ErrorCode::limit, std::string(why), "expr", {}, {}};
  }

  ScriptValue array(const Node& node) {
    JsonArray out;
    for (const auto& part : node.parts) out.push_back(copy(value(*part)));
    return keep(std::move(out));
  }
  ScriptValue object(const Node& node) {
    JsonObject out;
    for (std::size_t i = 0; i < node.parts.size(); ++i)
      out[node.keys[i]] = copy(value(*node.parts[i]));
    return keep(std::move(out));
  }
  Json copy(const ScriptValue& value) { return spend(value) ? json_of(value) : Json(); }
  ScriptValue keep(Json tree) {
    made_ += tree.is_array() ? tree.get_array().size() : tree.get_object().size();
    if (made_ > 10'000) stop("The expression makes too large a list on this event.");
    return scratch_.keep(std::move(tree));
  }

  ScriptValue context(std::string_view name) const {
    if (name == "metadata") return ScriptValue::of(event_.metadata);
    if (name == "payload") return ScriptValue::of(event_.payload);
    if (name == "eventVariant") return ScriptValue::of_text(event_.variant);
    if (name == "sourceType") return ScriptValue::of_text(event_.source_type);
    if (name == "sourceKey") return ScriptValue::of_text(event_.source_key);
    return {};
  }
  ScriptValue name(const Node& node) {
    if (!node.is_relative || !relative_ || !is_truthy(*relative_)) return context(node.text);
    return property(*relative_, node.text);
  }
  // A text is looked through for its units.
  ScriptValue property(const ScriptValue& subject, std::string_view name) {
    if (subject.kind == ScriptValue::Kind::text && !spend(subject)) return {};
    return property_of(subject, name, scratch_);
  }
  ScriptValue member(const Node& node) {
    ScriptValue subject = value(*node.parts[0]);
    if (const JsonArray* const elements = subject.array()) {
      if (elements->empty()) return {};
      subject = ScriptValue::of(elements->front());
    }
    return property(subject, node.text);
  }
  ScriptValue pick(const Node& node) {
    const ScriptValue subject = value(*node.parts[0]);
    const ScriptValue by = value(*node.parts[1]);
    if (by.kind == ScriptValue::Kind::flag) return by.flag ? subject : ScriptValue();
    return spend(by) ? property(subject, text_of(by)) : ScriptValue();
  }
  ScriptValue choose(const Node& node) {
    const ScriptValue subject = value(*node.parts[0]);
    JsonArray out;
    const auto consider = [&](const ScriptValue& one) {
      const auto outer = std::exchange(relative_, one);
      if (is_truthy(value(*node.parts[1]))) out.push_back(copy(one));
      relative_ = outer;
    };
    if (const JsonArray* const elements = subject.array()) {
      for (const Json& one : *elements) {
        if (error_) break;
        consider(ScriptValue::of(one));
      }
    } else if (subject.kind != ScriptValue::Kind::undefined) {
      consider(subject);
    }
    return keep(std::move(out));
  }
  ScriptValue ternary(const Node& node) {
    const ScriptValue test = value(*node.parts[0]);
    if (!is_truthy(test)) return value(*node.parts[2]);
    return node.parts[1] == nullptr ? test : value(*node.parts[1]);
  }

  ScriptValue binary(const Node& node) {
    const ScriptValue left = value(*node.parts[0]);
    if (node.op == Operator::either) return is_truthy(left) ? left : value(*node.parts[1]);
    if (node.op == Operator::both) return is_truthy(left) ? value(*node.parts[1]) : left;
    const ScriptValue right = value(*node.parts[1]);
    if (!spend(left) || !spend(right)) return {};
    switch (node.op) {
      case Operator::equal: return ScriptValue::of_flag(is_loosely_equal(left, right));
      case Operator::unequal: return ScriptValue::of_flag(!is_loosely_equal(left, right));
      case Operator::less: return ScriptValue::of_flag(order_of(left, right) == Order::less);
      case Operator::more: return ScriptValue::of_flag(order_of(left, right) == Order::more);
      case Operator::at_most: return ordered(left, right, Order::less);
      case Operator::at_least: return ordered(left, right, Order::more);
      case Operator::in: return ScriptValue::of_flag(is_in(left, right));
      case Operator::add: return sum(left, right);
      default: return ScriptValue::of_number(computed(node.op, number_of(left), number_of(right)));
    }
  }
  static ScriptValue ordered(const ScriptValue& left, const ScriptValue& right, Order wanted) {
    const Order order = order_of(left, right);
    return ScriptValue::of_flag(order == wanted || order == Order::equal);
  }
  static bool is_in(const ScriptValue& left, const ScriptValue& right) {
    if (right.kind == ScriptValue::Kind::text) return has_text(right.text, text_of(left));
    const JsonArray* const elements = right.array();
    return elements != nullptr &&
           std::any_of(elements->begin(), elements->end(),
                       [&](const Json& one) { return is_identical(left, ScriptValue::of(one)); });
  }
  static double computed(Operator op, double left, double right) {
    switch (op) {
      case Operator::subtract: return left - right;
      case Operator::multiply: return left * right;
      case Operator::divide: return left / right;
      case Operator::floor_divide: return std::floor(left / right);
      case Operator::remainder: return std::fmod(left, right);
      case Operator::power: return power(left, right);
      default: return 0;
    }
  }
  ScriptValue sum(const ScriptValue& left, const ScriptValue& right) {
    using Kind = ScriptValue::Kind;
    const bool is_text = left.kind == Kind::text || left.kind == Kind::tree ||
                         right.kind == Kind::text || right.kind == Kind::tree;
    if (!is_text) return ScriptValue::of_number(number_of(left) + number_of(right));
    return keep_text(text_of(left) + text_of(right));
  }
  ScriptValue keep_text(std::string text) {
    made_text_ += text.size();
    if (made_text_ > kMaxMadeText) stop("The expression makes too long a text on this event.");
    return scratch_.keep(std::move(text));
  }

  ScriptValue call(const Node& node) {
    std::vector<ScriptValue> arguments;
    arguments.reserve(node.parts.size());
    for (const auto& part : node.parts) arguments.push_back(value(*part));
    for (const ScriptValue& argument : arguments)
      if (!spend(argument)) return {};
    const bool has_pattern = node.function == Function::matches || node.function == Function::glob;
    if (has_pattern && !node.pattern && !spend(kStepsOfPattern)) return {};
    Result<Called> done = call_function(node, arguments);
    if (!done) {
      if (!error_) error_ = done.error();
      return {};
    }
    if (done->text) return keep_text(std::move(*done->text));
    return ScriptValue::of_flag(done->flag);
  }

  const EventView& event_;
  Scratch scratch_;
  std::optional<ScriptValue> relative_;
  std::int64_t steps_ = 0;
  std::size_t made_ = 0, made_text_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  Result<std::unique_ptr<Node>> root = parse_expression(text);
  if (!root) return Unexpected(root.error());
  return Expression(std::shared_ptr<const Node>(std::move(*root)));
}

Result<bool> Expression::holds(const EventView& event) const {
  Run run(event);
  const bool holds = is_truthy(run.value(*root_));
  if (run.error()) return Unexpected(*run.error());
  return holds;
}

Result<Json> Expression::value(const EventView& event) const {
  Run run(event);
  Json out = json_of(run.value(*root_));
  if (run.error()) return Unexpected(*run.error());
  return out;
}

}  // namespace alfred::inbox
