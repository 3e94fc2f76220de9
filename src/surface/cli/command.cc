#include "surface/cli/command.h"

#include <ostream>

#include "base/error_table.h"

namespace alfred::cli {

void Arguments::add(std::string name, std::vector<std::string> values) {
  values_.insert_or_assign(std::move(name), std::move(values));
}

bool Arguments::has(std::string_view name) const { return values_.find(name) != values_.end(); }

std::string Arguments::text(std::string_view name) const {
  const std::span<const std::string> values = all(name);
  return values.empty() ? std::string() : values.front();
}

std::span<const std::string> Arguments::all(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  return found->second;
}

int report(const Error& error, std::ostream& err) {
  err << "alfred: " << error.message;
  // A place in a text is part of some messages.
  const bool is_told =
      error.path.starts_with("byte ") && error.message.find(error.path) != std::string::npos;
  if (!error.path.empty() && !is_told) err << " (at " << error.path << ')';
  err << " [" << error_name(error.code) << "]\n";
  if (!error.allowed.empty()) {
    err << "  allowed:";
    for (const std::string& one : error.allowed)
      err << ' ' << (one.find(' ') == std::string::npos ? one : '"' + one + '"');
    err << '\n';
  }
  if (!error.detail.empty()) err << "  detail: " << error.detail << '\n';
  if (error.code == ErrorCode::corrupt) return kDamaged;
  switch (error_kind(error.code)) {
    case ErrorKind::unavailable:
    case ErrorKind::bug: return kUnavailable;
    default: return error.code == ErrorCode::usage ? kBadUsage : kBadInput;
  }
}

}  // namespace alfred::cli
