// Plays sentences with the built-in rules, each on fresh demo rows and in a new session, and prints
// what came of it, a JSON object a line: the reply, all rows before and after, what was read, what
// stands generated, what is kept to. check_sentences.py holds it against what is expected.
//   play_sentences PACK CASES [FIRST [LAST]]
#include <filesystem>
#include <iostream>

#include "base/files/file.h"
#include "engine/open_place.h"
#include "engine/rows_look.h"
#include "engine/session/run_turn.h"
#include "interpreter/rules/rules_interpreter.h"

namespace alfred {
namespace {

constexpr std::int64_t kMondayAtTen = 1'772'445'600'000;  // 2026-03-02T10:00Z
namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "alfred-sentences-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

[[noreturn]] void give_up(const Error& error) {
  std::cerr << error.message << " " << error.path << " " << error.detail << "\n";
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  return std::move(*result);
}

// Prints what it passes on.
class Shown final : public Interpreter {
 public:
  explicit Shown(Interpreter& inner) : inner_(inner) {}
  std::string_view name() const override { return inner_.name(); }
  Result<Answer> answer(const Ask& ask) override {
    Result<Answer> answer = inner_.answer(ask);
    std::cerr << name_of(ask.node) << "\n  " << ask.facts_json << "\n  -> "
              << (answer ? answer->text : "") << "\n";
    return answer;
  }

 private:
  Interpreter& inner_;
};

class Player {
 public:
  explicit Player(std::string pack) {
    loaded_ = std::make_shared<const Pack>(must(load_pack(pack)));
    RecordPlace place = open(base_.path());
    schema_ = place.schema;
    rules_ = must(RulesInterpreter::make(*loaded_, *schema_));
    RowsLook look(place.rows, schema_, place.caller);
    fresh_ = rows(look, *schema_);
  }

  JsonObject play(const JsonObject& one) {
    const Folder folder;
    clock_.set_wall_ms(kMondayAtTen);
    for (const auto& file : fs::directory_iterator(base_.path()))
      fs::copy(file.path(), folder.path());
    RecordPlace place = open(folder.path());
    RowsLook look(place.rows, place.schema, place.caller);
    const std::shared_ptr<const Schema> schema = place.schema;
    SessionOptions options;
    options.whole_facts = true;
    const std::unique_ptr<Session> session = must(Session::open(place, options, clock_, random_));
    JsonArray replies;
    if (const Json* after = one.if_contains("after"))
      for (const Json& message : after->as_array())
        replies.push_back(Json(say(*session, std::string(message.as_string()))));
    JsonObject out{{"before", replies.empty() ? fresh_ : rows(look, *schema)}};
    out["reply"] = say(*session, std::string(one.at("say").as_string()));
    out["earlier"] = std::move(replies);
    describe(*session, out);
    if (out.at("asked").as_bool() && one.contains("asks") && one.at("asks").is_string())
      out["then"] = say(*session, "yes");
    out["after"] = rows(look, *schema);
    return out;
  }

 private:
  RecordPlace open(const std::string& folder) {
    PlaceOptions options;
    options.loaded_pack = loaded_;
    options.pack = "given";
    options.user = "ann";
    options.data_dir = folder;
    return must(open_place(options, clock_, random_));
  }

  std::string say(Session& session, const std::string& message) {
    clock_.advance_ms(1000);
    Result<TurnProgress> progress = session.start(message);
    Shown shown(*rules_);
    Interpreter& speaker = std::getenv("ALFRED_SHOW_ASKS") == nullptr
                               ? static_cast<Interpreter&>(*rules_)
                               : static_cast<Interpreter&>(shown);
    if (progress) progress = run_turn(session, speaker, std::move(*progress));
    return progress ? progress->reply : "ERROR " + progress.error().message;
  }

  static JsonObject rows(RowsLook& look, const Schema& schema) {
    JsonObject out;
    for (const Table& table : schema.tables())
      if (!table.is_read_only) out[table.name] = must(look.rows(table.name));
    return out;
  }

  static void add_read(const ToolResult& call, JsonArray& reads) {
    if (call.tool != "db_read" || !call.params.is_object()) return;
    if (const Json* table = call.params.get_object().if_contains("table")) reads.push_back(*table);
    if (const Json* include = call.params.get_object().if_contains("include");
        include != nullptr && include->is_array())
      for (const Json& member : include->get_array()) reads.push_back(member);
  }

  static void describe(const Session& session, JsonObject& out) {
    const SessionFacts& facts = session.state().facts;
    JsonArray reads;
    for (const TurnSteps& turn : facts.earlier_steps)
      if (turn.turn == facts.turn)
        for (const Step& step : turn.steps)
          for (const ToolResult& call : step.calls) add_read(call, reads);
    out["reads"] = std::move(reads);
    JsonArray artifacts;
    for (const StoredArtifact& one : facts.artifacts)
      if (!one.saved_as)
        artifacts.push_back(
            JsonObject{{"type", one.type}, {"label", one.label}, {"content", one.content}});
    out["artifacts"] = std::move(artifacts);
    JsonArray constraints;
    for (const Constraint& one : facts.constraints.all()) constraints.push_back(to_json(one));
    out["constraints"] = std::move(constraints);
    out["asked"] = facts.conversation.pending.has_value();
  }

  std::shared_ptr<const Pack> loaded_;
  std::shared_ptr<const Schema> schema_;
  std::unique_ptr<RulesInterpreter> rules_;
  JsonObject fresh_;  // all rows before anything was said
  Folder base_;
  ManualClock clock_{kMondayAtTen};
  SeededRandom random_{7};
};

int run(const std::string& pack, const std::string& file, std::size_t first, std::size_t last) {
  const Json cases = must(parse_json(must(read_file(file)), JsonLimits::none()));
  Player player(pack);
  for (std::size_t i = first; i < cases.as_array().size() && i < last; ++i) {
    JsonObject out = player.play(cases.as_array()[i].as_object());
    out["case"] = static_cast<std::int64_t>(i);
    std::cout << write_json(out) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace alfred

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::size_t first = argc > 3 ? std::stoul(argv[3]) : 0;
  const std::size_t last = argc > 4 ? std::stoul(argv[4]) : 100'000;
  return alfred::run(argv[1], argv[2], first, last);
}
