// Reads {"expr", "metadata", "payload"} a line; prints what the expression gives, a line each.
#include <iostream>

#include "inbox/filter/expression.h"

int main() {
  using alfred::inbox::Expression;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto read = alfred::parse_json(line, alfred::JsonLimits::none());
    if (!read) return 1;
    const auto expression = Expression::parse(read->at("expr").as_string());
    alfred::JsonObject out;
    if (!expression) {
      out["error"] = expression.error().message;
    } else {
      const auto value = expression->value(
          {read->at("metadata"), read->at("payload"), "built", "local_event", "builds"});
      if (value)
        out["value"] = *value;
      else
        out["error"] = value.error().message;
    }
    std::cout << alfred::write_json(out) << "\n";
  }
  return 0;
}
