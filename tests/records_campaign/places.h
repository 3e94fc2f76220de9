// One of the two databases of the campaign, with a service for each session on it. All services of
// a place share one store; time and chance are set before each call, so that both places make the
// same keys.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time/clock.h"
#include "engine/record_service.h"
#include "model.h"

namespace alfred::campaign {

struct Who {
  const char* user;
  const char* workspace;
};
inline constexpr Who kSessions[] = {{"ann", "one"}, {"bob", "one"}, {"ann", "two"}, {"cyn", "one"}};
inline constexpr const char* kUsers[] = {"ann", "bob", "cyn"};

std::vector<Table> campaign_tables();

class Place {
 public:
  enum class Kind : std::uint8_t { sqlite, postgres };
  Place(Kind kind, const Clock& clock);
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void set_chance(std::uint64_t seed) { random_ = SeededRandom(seed); }
  RecordService& service(std::size_t session) { return *services_[session]; }
  // Every row of every user, keys and links as their place in the order of keys.
  std::string rows();
  std::vector<std::string> uuid_keys();

 private:
  struct Found {
    std::string user;
    Row row;
  };
  std::vector<Found> rows_of(const Table& table);

  std::string directory_;
  Schema schema_;
  SeededRandom random_{1};
  std::unique_ptr<RecordStore> store_;
  std::vector<std::unique_ptr<RecordService>> services_;
};

// The same text for the model's rows.
std::string model_rows(const Schema& schema, const Model& model);

}  // namespace alfred::campaign
