// For tests only: a small library, and turns in it played by hand: answers are what a model would
// say, outcomes what the records would.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "turn/turn.h"

namespace alfred {

inline Json json_for_tests(std::string_view text) {
  return parse_json(text, JsonLimits::none()).value();
}

inline Schema library_schema_for_tests() {
  const auto text = [](std::string name, bool is_nullable = true) {
    Field field{.name = std::move(name)};
    field.is_nullable = is_nullable;
    return field;
  };
  Field id{.name = "id", .type = FieldType::uuid};
  id.is_nullable = false;
  Field pages{.name = "pages", .type = FieldType::integer};
  Field author{.name = "author_id", .type = FieldType::uuid};
  author.link = FieldLink{"authors"};
  Field book{.name = "book_id", .type = FieldType::uuid};
  book.link = FieldLink{"books"};
  Table books{.name = "books", .ref = "book", .key = {"id"}, .label = "title"};
  books.fields = {id, text("title", false), pages, text("genre"), author};
  books.relations = {{"chapters", "chapters", "book_id"}};
  Table chapters{.name = "chapters", .ref = "chapter", .key = {"id"}, .label = "name"};
  chapters.fields = {id, text("name", false), book};
  Table authors{.name = "authors", .ref = "author", .key = {"id"}, .label = "name"};
  authors.fields = {id, text("name", false)};
  return Schema::make({books, chapters, authors}).value();
}

inline Pack library_pack_for_tests() {
  Pack pack;
  pack.name = "library";
  PackEntity book;
  book.table = "books";
  book.ref = "book";
  book.words = {"book", "novel"};
  pack.entities.push_back(std::move(book));
  pack.subdomains.push_back({.name = "books", .tables = {"books", "authors"}, .words = {"book"}});
  pack.subdomains.push_back({.name = "people", .tables = {"authors"}, .words = {"author"}});
  ConstraintType genre{.name = "genre_excluded"};
  genre.check = {ConstraintCheck::Kind::excluded, {"genre", "title"}};
  pack.constraint_types = {genre, ConstraintType{.name = "count", .is_many = false}};
  pack.dashboard.push_back({.table = "books", .text = "{count} books"});
  return pack;
}

// A session and its turns. What goes out is kept; every change is folded into a second state too,
// which must stay the same (replay).
class TurnPlay {
 public:
  TurnPlay()
      : schema_(library_schema_for_tests()),
        pack_(library_pack_for_tests()),
        texts_(embedded_core_texts(), pack_),
        world_{pack_, schema_, texts_, compile(), {}} {}

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
                     .seed = std::string(64, 'a')}));
    while (!last.calls.empty()) {
      const RecordCall call = last.calls.front();
      JsonObject answer{{"rows", JsonArray()}, {"has_more", false}};
      if (call.purpose == CallPurpose::dashboard) answer["count"] = std::int64_t{3};
      if (call.purpose == CallPurpose::background) answer["rows"] = json_for_tests(background);
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
  const Ask& ask() const { return last.asks.front(); }
  const RunningTurn& turn() const { return *state.facts.running; }
  const Step& step(std::size_t index = 0) const { return turn().plan->steps[index]; }
  bool has_change(std::string_view name) const {
    for (const std::string& one : changes)
      if (one.find("\"change\":\"" + std::string(name) + "\"") != std::string::npos) return true;
    return false;
  }
  // Registers a row, as a read would have.
  void know(std::string_view type, std::int64_t key, std::string_view label) {
    state.registry.begin();
    const TypeNo number = state.registry.type_named(type, std::string(type) + "s").value();
    const EntityNo entity = state.registry.register_read(number, KeyView::integer(key)).value();
    state.registry.set_label(entity, label);
    const RefChanges refs = state.registry.changes();
    state.registry.begin();
    for (const RefChange& one : refs) ASSERT_TRUE(folded.registry.fold(one));
  }
  const TurnWorld& world() const { return world_; }
  Pack& pack() { return pack_; }

 private:
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
  }

  Schema schema_;
  Pack pack_;
  PromptTexts texts_;
  TurnWorld world_;
  std::uint32_t turns_ = 0;
};

}  // namespace alfred
