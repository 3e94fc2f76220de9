// For tests only: an inbox on a fresh database of either kind, under a clock that stands.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/test_seed.h"
#include "conformance/store_under_test.h"
#include "inbox/inbox.h"
#include "inbox/store/tables.h"

namespace alfred {

inline constexpr std::int64_t kNoon = 1'780'000'000'000;

inline std::unique_ptr<RecordStore> open_inbox_store(
    const DatabaseUrl& url, const StateTables& inbox = inbox::inbox_tables()) {
  const StateTables tables[] = {inbox};
  StoreOptions options;
  options.is_ours = true;
  options.tables = tables;
  Result<std::unique_ptr<RecordStore>> store = open_records(url, options);
  if (!store) throw std::runtime_error(store.error().message + " " + store.error().detail);
  return std::move(*store);
}

inline Json json(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }

class InboxUnderTest : public testing::TestWithParam<StoreKind> {
 protected:
  // The value, or the test ends with what the error says.
  static Json must(const Result<Json>& result) {
    if (!result) throw std::runtime_error(told(result.error()));
    return *result;
  }
  static std::string code_of(const Result<Json>& result) {
    return result ? "none: " + write_json(*result) : std::string(error_name(result.error().code));
  }
  static std::string text(const Json& json, std::string_view name) {
    return std::string(json.at(name).as_string());
  }

  // What the layer itself would never do, straight in its tables.
  void run(const Statement& statement) {
    const Result<std::string> done = store_->state()->write({}, [&](Tx& tx) -> Result<std::string> {
      const Result<std::vector<Row>> rows = tx.run(statement);
      if (!rows) return Unexpected(rows.error());
      return std::string();
    });
    ASSERT_TRUE(done.has_value()) << told(done.error());
  }

  std::string add_agent(const std::string& id = "") {
    Json request = json(R"({"webhook":{"url":"http://127.0.0.1:9/wake"}})");
    if (!id.empty()) request.as_object()["agentId"] = id;
    return text(must(inbox_->register_agent(request)).at("agent"), "agentId");
  }
  std::string add_source(const std::string& key = "builds") {
    const Json host =
        must(inbox_->add_host(json(R"({"hostType":"local_event","hostKey":"here"})")));
    return text(must(inbox_->add_source(JsonObject{
                    {"hostId", host.at("hostId")}, {"streamKind", "events"}, {"streamKey", key}})),
                "sourceId");
  }
  std::string subscribe(const std::string& agent, const std::string& source,
                        const Json& more = JsonObject()) {
    JsonObject request = more.as_object();
    request["agentId"] = agent;
    request["sourceId"] = source;
    return text(must(inbox_->subscribe(request)), "subscriptionId");
  }
  Json append(const std::string& source, const std::string& native,
              const Json& metadata = JsonObject()) {
    return must(inbox_->append(source, JsonObject{{"sourceNativeId", native},
                                                  {"eventVariant", "built"},
                                                  {"metadata", metadata},
                                                  {"rawPayload", JsonObject{{"n", native}}}}));
  }
  JsonArray entries(const std::string& agent, const inbox::ReadEntries& read = {}) {
    return must(inbox_->entries(agent, read)).at("entries").as_array();
  }
  // The native ids of what an agent sees, an entry a word, a digest's joined by +.
  std::string seen(const std::string& agent, const inbox::ReadEntries& read = {}) {
    std::string out;
    for (const Json& entry : entries(agent, read)) {
      std::string word;
      for (const Json& item : entry.at("items").as_array())
        word += (word.empty() ? "" : "+") + text(item, "sourceNativeId");
      out += (out.empty() ? "" : " ") + word;
    }
    return out;
  }
  std::int64_t ack(const std::string& agent, const Json& request) {
    return must(inbox_->ack(agent, request)).at("acked").as_int64();
  }
  void reopen() {
    inbox_.reset();
    store_.reset();
    store_ = open_inbox_store(place_.url());
    inbox_ = std::make_unique<Inbox>(*store_->state(), clock_, random_, options_);
  }

  PlaceForTests place_{GetParam()};
  std::unique_ptr<RecordStore> store_ = open_inbox_store(place_.url());
  ManualClock clock_{kNoon};
  OsRandom random_;
  InboxOptions options_;
  std::unique_ptr<Inbox> inbox_ = std::make_unique<Inbox>(*store_->state(), clock_, random_);
};

}  // namespace alfred
