// Conversations of a session with an Adversary, from a seed: whatever it says, the invariants hold
// after every move (robustness.md). The same seeds every time; a failing one is printed.
// ALFRED_SIMULATION_SEED=n runs one; ALFRED_SIMULATION_SEED=any takes seeds nobody tried.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "adversary.h"
#include "base/test_size.h"
#include "engine/open_place.h"
#include "engine/session/audit.h"
#include "failing_store.h"

namespace alfred {
namespace {

constexpr int kMostMoves = 400;                    // of a turn; the caps allow far fewer (I-39)
constexpr std::int64_t kNoon = 1'789'992'000'000;  // nothing in a run depends on today

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message + " " + result.error().detail);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// A folder with the kitchen, copied from one that was made once.
class Kitchen {
 public:
  explicit Kitchen(std::uint64_t seed) : random_(seed) {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-sim-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    static const std::string original = make_original(folder_);
    std::filesystem::copy_file(original, folder_ + "/kitchen.db",
                               std::filesystem::copy_options::overwrite_existing);
  }
  ~Kitchen() { std::filesystem::remove_all(folder_); }
  Kitchen(const Kitchen&) = delete;
  Kitchen& operator=(const Kitchen&) = delete;

  RecordPlace open() {
    PlaceOptions options;
    options.data_dir = folder_;
    options.loaded_pack = pack();
    return must(open_place(options, clock_, random_));
  }
  const Clock& clock() const { return clock_; }
  Random& random() { return random_; }

 private:
  static std::shared_ptr<const Pack> pack() {
    static const auto loaded = std::make_shared<const Pack>(must(load_embedded_pack("kitchen")));
    return loaded;
  }
  static std::string make_original(const std::string& folder) {
    const ManualClock clock(kNoon);
    SeededRandom random(1);
    PlaceOptions options;
    options.data_dir = folder;
    { const RecordPlace place = must(open_place(options, clock, random)); }
    std::string original = folder + "-original.db";
    std::filesystem::copy_file(folder + "/kitchen.db", original);
    return original;
  }

  std::string folder_;
  ManualClock clock_{kNoon};
  SeededRandom random_;
};

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : kitchen_(seed), adversary_(seed) {}

  void run() {
    reopen();
    learn_keys();
    const std::size_t turns = 2 + adversary_.below(4);
    for (std::size_t turn = 0; turn < turns; ++turn) play_turn();
    check_end();
  }

 private:
  // The process was killed, or the store failed: everything in memory is gone.
  void reopen() {
    const std::string id = session_ ? session_->id() : "";
    session_.reset();
    RecordPlace place = kitchen_.open();
    auto failing = std::make_unique<FailingStore>(std::move(place.rows));
    failing_ = failing.get();
    place.rows = std::move(failing);
    SessionOptions options;
    options.id = id;
    session_ = must(
        Session::open(std::move(place), std::move(options), kitchen_.clock(), kitchen_.random()));
  }

  void maybe_fail() {
    if (adversary_.chance(10)) failing_->fail_next(adversary_.chance(50));
  }

  void play_turn() {
    maybe_fail();
    Result<TurnProgress> progress = session_->start(adversary_.message());
    if (!progress) {
      ASSERT_EQ(progress.error().code, ErrorCode::storage) << progress.error().message;
      ASSERT_FALSE(session_->state().facts.running);
      return;
    }
    int moves = 0;
    while (!progress->is_finished) {
      ASSERT_LT(++moves, kMostMoves) << "a turn that does not end";
      check_move(*progress);
      if (adversary_.chance(5)) {
        progress = session_->cancel();
        ASSERT_TRUE(progress) << progress.error().message;
        break;
      }
      progress = next(*progress);
      ASSERT_TRUE(progress) << progress.error().message << progress.error().detail;
    }
    EXPECT_FALSE(progress->reply.empty());
    check_text(progress->reply, "reply");
    learn_keys();
  }

  Result<TurnProgress> next(const TurnProgress& now) {
    if (now.asks.empty() || adversary_.chance(8)) {
      reopen();  // killed between two moves
      return session_->resume();
    }
    const Ask& ask = now.asks[adversary_.below(now.asks.size())];
    maybe_fail();
    Result<TurnProgress> moved = session_->answer(adversary_.answer(ask));
    if (moved && moved->asks.empty() && !moved->is_finished) return session_->resume();
    if (moved || moved.error().code != ErrorCode::storage) return moved;
    if (adversary_.chance(50)) reopen();
    return session_->resume();  // nothing of it stayed; the same asks are out
  }

  void check_move(const TurnProgress& progress) {
    const SessionState& state = session_->state();
    const std::string written = write_session(state);
    const Result<SessionState> read = read_session(written);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(write_session(*read), written);
    for (const auto& [id, manifest] : state.batches) {
      const BatchCounts counts = manifest.counts();
      ASSERT_EQ(counts.completed + counts.failed + counts.pending + counts.in_progress,
                counts.total);
      ASSERT_EQ(counts.in_progress, 0u);
    }
    if (state.facts.running && state.facts.running->plan)
      for (const Step& step : state.facts.running->plan->steps) {
        const BatchManifest* manifest = step.batch ? state.batch(*step.batch) : nullptr;
        if (step.status == StepStatus::complete && manifest != nullptr)
          ASSERT_TRUE(manifest->is_finished()) << "I-14";
        if (step.status == StepStatus::complete && step.expected)
          ASSERT_GE(step.artifacts.size(), *step.expected);
      }
    for (const Ask& ask : progress.asks) {
      const SentPrompt sent = sent_prompt(ask);
      for (const std::string* text : {&sent.system, &sent.user, &sent.schema, &sent.facts})
        check_text(*text, name_of(ask.node));
    }
  }

  // Half a key that the model made up of a row nobody read is only a word: no one can know it.
  void check_text(const std::string& text, std::string_view what) {
    for (const std::string& key : keys_) {
      const bool is_word = adversary_.typed_half_of(key) && !is_known(key);
      ASSERT_EQ(text.find(is_word ? key : key.substr(0, 8)), std::string::npos)
          << what << " shows a key: " << key << "\n"
          << text;
    }
  }

  bool is_known(const std::string& key) const {
    std::string digits = key;
    std::erase(digits, '-');
    const UuidBits bits{std::stoull(digits.substr(0, 16), nullptr, 16),
                        std::stoull(digits.substr(16), nullptr, 16)};
    return session_->state().registry.find("recipe", KeyView::uuid(bits)) != kNoEntity;
  }

  // What the ledger says was made is there, and nothing else (I-18).
  void check_end() {
    const Result<AuditReport> report = audit(*session_);
    ASSERT_TRUE(report) << report.error().message << report.error().detail;
    for (const AuditFinding& finding : report->findings)
      ADD_FAILURE() << "turn " << finding.turn << " " << finding.record << ": " << finding.what;
    const Result<Recording> recording = session_->recording();
    ASSERT_TRUE(recording);
    const Result<ReplayReport> replayed = replay(*recording, session_->world());
    ASSERT_TRUE(replayed) << replayed.error().message << "\n" << replayed.error().detail;
    const std::string before = write_session(session_->state());
    reopen();
    ASSERT_EQ(write_session(session_->state()), before);
  }

  void learn_keys() {
    keys_.clear();
    const Table* table = session_->records().schema().find("recipes");
    SelectRows plan{.table = table, .fields = {table->find("id")}};
    must(failing_->read(Caller{"me"}, [&](Tx& tx) -> Result<void> {
      Result<std::vector<Row>> rows = tx.select(plan);
      if (!rows) return Unexpected(rows.error());
      for (const Row& row : *rows) keys_.push_back(std::get<std::string>(row[0]));
      return {};
    }));
    adversary_.learn_keys(keys_);
  }

  Kitchen kitchen_;
  Adversary adversary_;
  std::unique_ptr<Session> session_;
  FailingStore* failing_ = nullptr;
  std::vector<std::string> keys_;
};

void run_seed(std::uint64_t seed) {
  SCOPED_TRACE("ALFRED_SIMULATION_SEED=" + std::to_string(seed));
  try {
    Simulation(seed).run();
  } catch (const std::exception& thrown) {
    ADD_FAILURE() << thrown.what();
  }
}

TEST(Simulation, invariants_hold_whatever_the_model_says) {
  const char* wanted = std::getenv("ALFRED_SIMULATION_SEED");
  const bool is_any = wanted != nullptr && std::string_view(wanted) == "any";
  if (wanted != nullptr && !is_any) return run_seed(std::stoull(wanted));
  const std::size_t seeds = test_size({5, 30, 500});
  std::random_device device;
  const std::uint64_t first = is_any ? device() : 1;
  for (std::uint64_t seed = first; seed < first + seeds && !testing::Test::HasFailure(); ++seed)
    run_seed(seed);
}

}  // namespace
}  // namespace alfred
