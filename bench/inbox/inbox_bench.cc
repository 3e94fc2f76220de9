// P9 and P10: the inbox on a durable file, through the library. Appends, and the whole flow:
// append, the entry is there, read, ack. One client, and 32 threads that share commits.
#include <atomic>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "../benches.h"
#include "../temporary_folder.h"
#include "inbox/open_inbox.h"
#include "raw_flow.h"

namespace alfred::bench {
namespace {

constexpr int kClients = 32;
constexpr int kPasses = 200;  // of one client
constexpr int kRounds = 40;   // of 32
constexpr int kSubscriptions = 10'000;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message + " " + result.error().detail);
  return std::move(*result);
}

std::string text(const Json& json, std::string_view name) {
  return std::string(json.at(name).as_string());
}

// An inbox in a file of its own, a source, and an agent for each client, each with a source.
class BenchInbox {
 public:
  explicit BenchInbox(int agents) {
    opened_.emplace(must(OpenInbox::open("sqlite:" + folder_.file("inbox.db"), clock_, random_)));
    const Json host =
        must(inbox().add_host(JsonObject{{"hostType", "local_event"}, {"hostKey", "b"}}));
    host_ = text(host, "hostId");
    for (int i = 0; i < agents; ++i) {
      sources_.push_back(add_source(fmt::format("s{}", i)));
      agents_.push_back(add_agent());
      must(inbox().subscribe(
          JsonObject{{"agentId", agents_.back()}, {"sourceId", sources_.back()}}));
    }
  }
  Inbox& inbox() { return opened_->inbox(); }
  std::string add_source(const std::string& key) {
    return text(must(inbox().add_source(
                    JsonObject{{"hostId", host_}, {"streamKind", "events"}, {"streamKey", key}})),
                "sourceId");
  }
  std::string add_agent() {
    const Json made = must(inbox().register_agent(
        JsonObject{{"webhook", JsonObject{{"url", "http://127.0.0.1:9/"}}}}));
    return text(made.at("agent"), "agentId");
  }
  void append(const std::string& source) {
    const std::int64_t number = ++events_;
    must(inbox().append(source, JsonObject{{"sourceNativeId", fmt::format("e{}", number)},
                                           {"eventVariant", "v"},
                                           {"metadata", JsonObject{{"n", number}}},
                                           {"rawPayload", JsonObject{{"text", payload_}}}}));
  }
  void append(std::size_t client) { append(sources_[client]); }
  void whole(std::size_t client) {
    append(client);
    const Json read = must(inbox().entries(agents_[client], {.most = 1}));
    must(inbox().ack(agents_[client],
                     JsonObject{{"entryIds", JsonArray{read.at("entries").at(0).at("entryId")}}}));
  }
  void close() { opened_.reset(); }

 private:
  TemporaryFolder folder_;
  SystemClock clock_;
  OsRandom random_;
  std::optional<OpenInbox> opened_;
  std::string host_;
  std::vector<std::string> sources_, agents_;
  std::atomic<std::int64_t> events_ = 0;
  std::string payload_ = std::string(200, 'x');
};

using Step = void (BenchInbox::*)(std::size_t);

// So many of them on each of 32 threads.
void at_once(BenchInbox& inbox, Step step, int times) {
  std::vector<std::jthread> threads;
  for (std::size_t client = 0; client < kClients; ++client)
    threads.emplace_back([&inbox, step, client, times] {
      for (int i = 0; i < times; ++i) (inbox.*step)(client);
    });
}

void one_client(Report& report) {
  Group group(report, "P9: the inbox, one client");
  BenchInbox inbox(1);
  const TemporaryFolder folder;
  RawFlow raw(folder.file("raw.db"));
  const auto measure = [&](const std::string& name, const std::function<void()>& step) {
    group.measure(
        name, Unit::ns,
        [step](benchmark::State& state) {
          for (auto _ : state) step();
          state.SetItemsProcessed(state.iterations());
        },
        kPasses);
  };
  measure("ours: append", [&] { inbox.append(std::size_t{0}); });
  measure("raw SQLite: one row a commit", [&] { raw.append(1); });
  measure("ours: append, read, ack", [&] { inbox.whole(0); });
  measure("raw SQLite: the same by hand", [&] { raw.whole(1); });
  group.run();
  report.compare({"P9", "append, one client : a raw commit", "ours: append",
                  "raw SQLite: one row a commit", Goal::speed_at_least(0.5)});
  report.compare({"P9", "append, read, ack, one client : raw", "ours: append, read, ack",
                  "raw SQLite: the same by hand", Goal::speed_at_least(0.5)});
}

void many_clients(Report& report) {
  Group group(report, "P9: the inbox, 32 clients");
  BenchInbox inbox(kClients);
  const TemporaryFolder folder;
  RawFlow raw(folder.file("raw.db"));
  constexpr int kEach = 10;
  const auto measure = [&](const std::string& name, const std::function<void()>& round) {
    group.measure(
        name, Unit::ns,
        [round](benchmark::State& state) {
          for (auto _ : state) round();
          state.SetItemsProcessed(state.iterations() * kClients * kEach);
        },
        kRounds / kEach);
  };
  measure("ours: append, 32 at once", [&] { at_once(inbox, &BenchInbox::append, kEach); });
  measure("raw SQLite: 32 rows a commit", [&] {
    for (int i = 0; i < kEach; ++i) raw.append(kClients);
  });
  measure("ours: whole flow, 32 at once", [&] { at_once(inbox, &BenchInbox::whole, kEach); });
  measure("raw SQLite: whole flow, 32 a commit", [&] {
    for (int i = 0; i < kEach; ++i) raw.whole(kClients);
  });
  group.run();
  report.compare({"P9", "append, 32 at once : raw, 32 a commit", "ours: append, 32 at once",
                  "raw SQLite: 32 rows a commit", Goal::speed_at_least(0.5)});
  report.compare({"P9", "whole flow, 32 at once : raw, 32 a commit", "ours: whole flow, 32 at once",
                  "raw SQLite: whole flow, 32 a commit", Goal::speed_at_least(0.5)});
}

// What the process wrote so far, as the kernel counts it.
double written_bytes() {
  std::ifstream file("/proc/self/io");
  std::string name;
  for (double value = 0; file >> name >> value;)
    if (name == "wchar:") return value;
  return 0;
}

double bytes_of_event(int events) {
  BenchInbox inbox(kClients);
  const double before = written_bytes();
  at_once(inbox, &BenchInbox::append, events / kClients);
  inbox.close();  // with what waits in the log
  return (written_bytes() - before) / events;
}

void growth(Report& report) {
  fmt::print(stderr, "bench: P9: bytes\n");
  const char* const few = "ours: bytes written for one of 1,000";
  const char* const many = "ours: bytes written for one of 100,000";
  report.set(few, Unit::bytes, bytes_of_event(1'024));
  report.set(many, Unit::bytes, bytes_of_event(100'000));
  report.compare(
      {"P9", "bytes an event, of 100,000 : of 1,000", many, few, Goal::time_at_most(1.2)});
}

void filters(Report& report) {
  fmt::print(stderr, "bench: P10: {} subscriptions\n", kSubscriptions);
  BenchInbox inbox(1);
  const std::string crowded = inbox.add_source("crowded");
  const std::string alone = inbox.add_source("alone");
  const std::string agent = inbox.add_agent();
  Group before(report, "P10: before there are subscriptions");
  const auto append_to = [&](const std::string& source, std::int64_t items) {
    return [&inbox, source, items](benchmark::State& state) {
      for (auto _ : state) inbox.append(source);
      state.SetItemsProcessed(state.iterations() * items);
    };
  };
  before.measure("ours: append, no subscription anywhere", Unit::ns, append_to(alone, 1), kPasses);
  before.run();
  for (int i = 0; i < kSubscriptions; ++i)
    must(inbox.inbox().subscribe(JsonObject{
        {"agentId", agent},
        {"sourceId", crowded},
        {"filter",
         JsonObject{{"expr", fmt::format("metadata.n == -{} && glob(payload.text, \"release/*\")",
                                         1 + i % 1'000)}}}}));
  inbox.append(crowded);  // reads the filters
  Group group(report, "P10: filters");
  group.measure("ours: a filter that does not match", Unit::ns, append_to(crowded, kSubscriptions),
                20);
  group.measure("ours: append beside idle subscriptions", Unit::ns, append_to(alone, 1), kPasses);
  group.run();
  report.compare({"P10", "a filter that does not match, of 10,000",
                  "ours: a filter that does not match", "", Goal::at_most(1'000)});
  report.compare({"P10", "append beside 10,000 idle subscriptions : without",
                  "ours: append beside idle subscriptions",
                  "ours: append, no subscription anywhere", Goal::time_at_most(1.2)});
}

}  // namespace

void bench_inbox(Report& report) {
  try {
    one_client(report);
    many_clients(report);
    growth(report);
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "bench: P9: {}\n", thrown.what());
  }
}

void bench_filters(Report& report) {
  try {
    filters(report);
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "bench: P10: {}\n", thrown.what());
  }
}

}  // namespace alfred::bench
