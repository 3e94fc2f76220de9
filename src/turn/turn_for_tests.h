// For tests only: turns in a small library played by hand: answers are what a model would
// say, outcomes what the records would.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "turn/library_for_tests.h"
#include "turn/turn.h"

namespace alfred {

// A session and its turns. What goes out is kept; every change is folded into a second state too,
// which must stay the same (replay).
class TurnPlay {
 public:
  TurnPlay()
      : schema_(library_schema_for_tests()),
        pack_(library_pack_for_tests()),
        texts_(embedded_core_texts(), pack_),
        world_{pack_, schema_, texts_, compile(), {}} {
    state.facts.settings.edition = kEdition;
    folded.facts.settings.edition = kEdition;
  }

  SessionState state;
  SessionState folded;
  TurnMove last;
  std::vector<std::string> changes;  // as the journal has them

  // Starts a turn; the reads before Understand find nothing unless `background` has rows.
  void say(std::string_view message, std::string_view background = "[]") {
    ++turns_;
    take(Turn(state, world_)
             .start({.message = std::string(message),
                     .id = "trn_00000000000" + std::to_string(turns_ % 10),
                     .at_ms = 1'770'000'000'000 + turns_,
                     .seed = std::string(62, 'a') + std::to_string(10 + turns_ % 90)}));
    const std::vector<RecordCall> calls = last.calls;
    for (const RecordCall& call : calls) {
      JsonObject answer{{"rows", JsonArray()}, {"has_more", false}};
      if (call.purpose == CallPurpose::dashboard) answer["count"] = std::int64_t{3};
      if (call.purpose == CallPurpose::background) {
        answer["rows"] = json_for_tests(background);
        // The read registers its rows, as the records do.
        for (const Json& row : answer["rows"].as_array())
          if (state.registry.find(row.at("id").as_string()) == kNoEntity)
            know("book", 812'345'600 + static_cast<std::int64_t>(state.registry.size()),
                 row.at("title").as_string());
      }
      bring({call.id, answer, std::nullopt});
    }
  }
  // Answers the first ask that is out.
  void answer(std::string_view text, FinishReason finish = FinishReason::stop) {
    ASSERT_FALSE(last.asks.empty());
    const std::uint32_t id = last.asks.front().id;
    answer_ask(id, text, finish);
  }
  void answer_ask(std::uint32_t id, std::string_view text,
                  FinishReason finish = FinishReason::stop) {
    take(Turn(state, world_).answer({id, std::string(text), finish}));
  }
  void understand(std::string_view more = "{}") {
    JsonObject answer = json_for_tests(
                            R"({"processed_message":"x","entity_mentions":[],"constraint_snapshot":
           {"new_constraints":[],"override_constraints":[],"reset_goal":false,"goal_update":null,
            "source_phrases":[]},
           "entity_curation":{"retain":[],"demote":[],"drop":[],"clear_all":false},
           "quick_mode":false,"quick_mode_confidence":"medium","quick_intent":null,
           "quick_subdomain":null,"ambiguity":"clear","default_assumptions":[],
           "conversation_phase":"exploring","user_expressed":null})")
                            .as_object();
    const Json given = json_for_tests(more);
    for (const auto& member : given.as_object()) answer[member.key()] = member.value();
    ASSERT_EQ(asked(), Node::understand);
    this->answer(write_json(answer));
  }
  void think(std::string_view steps) {
    ASSERT_EQ(asked(), Node::think);
    answer(R"({"goal":"g","decision":"plan_direct","steps":)" + std::string(steps) +
           R"(,"proposal":null,"questions":[]})");
  }
  void propose(std::string_view steps) {
    ASSERT_EQ(asked(), Node::think);
    answer(R"({"goal":"g","decision":"propose","proposal":"Shall I?","questions":[],"steps":)" +
           std::string(steps) + "}");
  }
  // The call that is out brings this.
  void outcome(std::string_view answer) {
    ASSERT_FALSE(last.calls.empty());
    bring({last.calls.front().id, json_for_tests(answer), std::nullopt});
  }
  void outcome_error(std::string code, std::string message) {
    ASSERT_FALSE(last.calls.empty());
    bring({last.calls.front().id, std::nullopt,
           CallError{std::move(code), std::move(message), "", {}}});
  }
  // Reply and summary, so that the turn is over.
  void finish(std::string_view reply = "Done.") {
    ASSERT_EQ(asked(), Node::reply);
    answer(reply);
    ASSERT_EQ(asked(), Node::summarize);
    answer(R"({"assistant_summary":"did it","history_summary":null,"engagement_summary":null})");
    EXPECT_TRUE(last.is_finished);
  }

  Node asked() const { return last.asks.empty() ? Node::summarize : last.asks.front().node; }
  const Ask& ask() const {
    static const Ask none;
    return last.asks.empty() ? none : last.asks.front();
  }
  const RunningTurn& turn() const { return *state.facts.running; }
  const Step& step(std::size_t index = 0) const { return turn().plan->steps[index]; }
  bool has_change(std::string_view name) const {
    for (const std::string& one : changes)
      if (one.find("\"change\":\"" + std::string(name) + "\"") != std::string::npos) return true;
    return false;
  }
  // Tells a change, as the engine does together with a call's outcome.
  void tell(const Change& change) {
    ASSERT_TRUE(apply_change(state, change));
    ASSERT_TRUE(apply_change(folded, change));
    changes.push_back(write_json(change_json(change)));
  }
  // Registers a row, as a read would have.
  void know(std::string_view type, std::int64_t key, std::string_view label) {
    change_refs([&](RefRegistry& registry) {
      const TypeNo number = registry.type_named(type, std::string(type) + "s").value();
      registry.set_label(registry.register_read(number, KeyView::integer(key)).value(), label);
    });
  }
  // What was generated becomes a row: its ref, the artifact and its batch's item.
  void saved(const std::string& gen_ref, std::int64_t key) {
    const EntityNo entity = state.registry.find(gen_ref);
    const std::string type(state.registry.type_of(entity));
    change_refs([&](RefRegistry& registry) {
      const TypeNo number = registry.type_named(type, type + "s").value();
      ASSERT_TRUE(registry.register_created(number, KeyView::integer(key), gen_ref));
    });
    const std::string ref(state.registry.ref(entity).text());
    if (state.artifact(gen_ref) != nullptr) tell(ArtifactSaved{gen_ref, ref});
    move_item(gen_ref, ref);
  }
  void deleted(const std::string& ref) {
    change_refs([&](RefRegistry& registry) { registry.mark_deleted(registry.find(ref)); });
    move_item(ref, ref);
  }
  // The item of the step's batch is complete, or failed when `error` says why.
  void move_item(const std::string& item, const std::string& result, std::string_view error = "") {
    for (const Step& step : turn().plan->steps) {
      if (!step.batch || state.batch(*step.batch)->find(item) == nullptr) continue;
      BatchManifest manifest = *state.batch(*step.batch);
      BatchChanges moved{manifest.start(item).value()};
      moved.push_back(error.empty() ? manifest.complete(item, result).value()
                                    : manifest.fail_item(item, error, true).value());
      tell(ItemsMoved{*step.batch, std::move(moved)});
    }
  }
  void change_settings(const std::function<void(SessionSettings&)>& change) {
    SessionSettings settings = state.facts.settings;
    change(settings);
    tell(SettingsChanged{settings});
  }
  const TurnWorld& world() const { return world_; }
  Pack& pack() { return pack_; }
  TurnWorld& open_world() { return world_; }
  // After every move the state is written, read again and resumed: the same must be out.
  bool is_reloaded = false;
  std::vector<Ask> asks{};  // all that went out

  // The headings of the prompt, as a reader of Markdown finds them: not in fences.
  std::vector<std::string> headings() const { return headings_in(ask().user); }
  static std::vector<std::string> headings_in(std::string_view text) {
    std::vector<std::string> out;
    std::string fence;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t quotes = std::min(line.find_first_not_of('`'), line.size());
      if (!fence.empty()) {
        if (line == fence) fence.clear();
      } else if (quotes >= 3) {
        fence = std::string(quotes, '`');
      } else if (line.starts_with("## ")) {
        out.emplace_back(line.substr(3));
      }
    }
    return out;
  }
  // The body of a section of the last prompt; empty when it is not there.
  std::string section(std::string_view heading) const {
    const std::string text = "\n" + ask().user + "\n## ";
    const std::string title = "\n## " + std::string(heading) + "\n";
    const std::size_t at = text.find(title);
    if (at == std::string::npos) return "";
    const std::size_t from = at + title.size();
    return text.substr(from, text.find("\n## ", from) - from);
  }
  // A step that is planned as given, and started: Act is asked.
  void plan(std::string_view message, std::string_view steps, std::string_view understood = "{}") {
    say(message);
    understand(understood);
    think(steps);
  }
  const std::string& reply() const { return state.facts.conversation.recent.back().reply; }

 private:
  template <class F>
  void change_refs(const F& change) {
    state.registry.begin();
    change(state.registry);
    RefChanges refs = state.registry.changes();
    state.registry.rollback();
    tell(RefsChanged{std::move(refs)});
  }
  void reload() {
    Result<SessionState> again = read_session(write_session(state));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(write_session(*again), write_session(state));
    state = std::move(*again);
    const TurnMove resumed = Turn(state, world_).resume();
    EXPECT_TRUE(resumed.changes.empty());
    for (const Ask& ask : last.asks) {
      const auto same = std::find_if(resumed.asks.begin(), resumed.asks.end(),
                                     [&](const Ask& one) { return one.id == ask.id; });
      ASSERT_NE(same, resumed.asks.end());
      EXPECT_EQ(same->system, ask.system);
      EXPECT_EQ(same->user, ask.user);
      EXPECT_EQ(same->schema_json, ask.schema_json);
      EXPECT_EQ(same->facts_json, ask.facts_json);
      EXPECT_EQ(same->attempt, ask.attempt);
    }
    for (const RecordCall& call : last.calls)
      EXPECT_NE(std::find(resumed.calls.begin(), resumed.calls.end(), call), resumed.calls.end());
  }
  static CompileArtifact compile() {
    return [](const StoredArtifact& artifact) -> Result<CompiledArtifact> {
      CompiledArtifact out{.table = artifact.type + "s"};
      for (const auto& member : artifact.content.get_object())
        if (member.key() == "mood")
          out.discrepancies.emplace_back("mood: no column takes it");
        else
          out.row.insert(member);
      return out;
    };
  }
  void bring(const CallOutcome& outcome) { take(Turn(state, world_).outcome(outcome)); }
  void take(Result<TurnMove> move) {
    ASSERT_TRUE(move) << move.error().message;
    last = std::move(*move);
    for (const Change& change : last.changes) {
      changes.push_back(write_json(change_json(change)));
      const Result<Change> read = read_change(json_for_tests(changes.back()));
      ASSERT_TRUE(read) << read.error().message;
      ASSERT_TRUE(apply_change(folded, *read)) << changes.back();
    }
    EXPECT_EQ(write_session(folded), write_session(state));
    asks.insert(asks.end(), last.asks.begin(), last.asks.end());
    if (is_reloaded) reload();
  }

  Schema schema_;
  Pack pack_;
  PromptTexts texts_;
  TurnWorld world_;
  std::uint32_t turns_ = 0;
};

}  // namespace alfred
