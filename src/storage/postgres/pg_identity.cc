#include "storage/postgres/pg_identity.h"

#include <map>
#include <string_view>

#include "storage/postgres/pq_calls.h"

namespace alfred {
namespace {

using Options = std::map<std::string, std::string, std::less<>>;

void add(Options& options, PQconninfoOption* from) {
  for (const PQconninfoOption* one = from; one != nullptr && one->keyword != nullptr; ++one)
    if (one->val != nullptr && *one->val != '\0') options[one->keyword] = one->val;
  pq().PQconninfoFree(from);
}

}  // namespace

Result<std::string> postgres_identity(const std::string& url) {
  if (const Result<PqCalls>& calls = pq_calls(); !calls) return Unexpected(calls.error());
  PQconninfoOption* const said = pq().PQconninfoParse(url.c_str(), nullptr);
  if (said == nullptr) return std::string();
  Options options;
  add(options, pq().PQconndefaults());
  add(options, said);
  const auto at = [&](std::string_view name) {
    const auto found = options.find(name);
    return found == options.end() ? std::string() : found->second;
  };
  const std::string host = at("host").empty() ? at("hostaddr") : at("host");
  const std::string name = at("dbname").empty() ? at("user") : at("dbname");
  std::string out = "postgres://" + host + ":" + at("port") + "/" + name + " as " + at("user");
  for (const char* more : {"service", "options"})
    if (!at(more).empty()) out += std::string(" with ") + more + " " + at(more);
  return out;
}

}  // namespace alfred
