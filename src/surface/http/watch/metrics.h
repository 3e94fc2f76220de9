// What happened since the start, counted, in the text form that Prometheus reads.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alfred::http {

class Metrics {
 public:
  void count_request(std::string_view route, int status, std::int64_t took_us);
  void count_turn(std::string_view end);  // finished, waiting, interrupted, failed, error

  struct Gauge {
    std::string_view name;
    std::string_view says;
    double value = 0;
    bool is_counter = false;
  };
  // With what others know now.
  std::string text(const std::vector<Gauge>& gauges) const;

 private:
  static constexpr std::array<double, 8> kSeconds{0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60};
  struct Times {
    std::array<std::uint64_t, kSeconds.size() + 1> buckets{};
    std::uint64_t count = 0;
    double sum = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Times, std::less<>> times_;
  std::map<std::string, std::uint64_t, std::less<>> turns_;
};

}  // namespace alfred::http
