#include "surface/http/watch/metrics.h"

#include <fmt/format.h>

namespace alfred::http {

void Metrics::count_request(std::string_view route, int status, std::int64_t took_us) {
  const double seconds = static_cast<double>(took_us) / 1e6;
  const std::scoped_lock lock(mutex_);
  ++requests_[{std::string(route), status}];
  auto found = times_.find(route);
  if (found == times_.end()) found = times_.emplace(std::string(route), Times{}).first;
  Times& times = found->second;
  std::size_t bucket = 0;
  while (bucket < kSeconds.size() && seconds > kSeconds.at(bucket)) ++bucket;
  ++times.buckets.at(bucket);
  ++times.count;
  times.sum += seconds;
}

void Metrics::count_turn(std::string_view end) {
  const std::scoped_lock lock(mutex_);
  ++turns_[std::string(end)];
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
  std::string out;
  for (const Gauge& one : gauges)
    out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", one.name, one.says,
                       one.is_counter ? "counter" : "gauge", one.value);
  const std::scoped_lock lock(mutex_);
  out +=
      "# HELP alfred_http_requests_total Requests answered.\n# TYPE alfred_http_requests_total counter\n";
  for (const auto& [what, count] : requests_)
    out += fmt::format("alfred_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", what.first,
                       what.second, count);
  out +=
      "# HELP alfred_turns_total Turns driven, by how they ended.\n# TYPE alfred_turns_total counter\n";
  for (const auto& [end, count] : turns_)
    out += fmt::format("alfred_turns_total{{end=\"{}\"}} {}\n", end, count);
  out +=
      "# HELP alfred_http_request_seconds Time to the head of the answer.\n"
      "# TYPE alfred_http_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < kSeconds.size(); ++at) {
      sum += times.buckets.at(at);
      out += fmt::format("alfred_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                         kSeconds.at(at), sum);
    }
    out += fmt::format(
        "alfred_http_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "alfred_http_request_seconds_sum{{route=\"{0}\"}} {2}\n"
        "alfred_http_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route, times.count, times.sum);
  }
  return out;
}

}  // namespace alfred::http
