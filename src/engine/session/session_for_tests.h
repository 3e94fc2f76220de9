// For tests only: sessions on a bookshelf that is thrown away, of ours or a user's own, and
// somebody who answers the asks of one turn by their numbers.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "engine/open_place.h"
#include "engine/rows_look.h"
#include "engine/session/session.h"
#include "interpreter/interpreter.h"
#include "pack/load/folder_for_tests.h"
#include "storage/scratch_database.h"

namespace alfred {

// Keeps nothing open, so that a process may be forked and killed beside it.
class BookshelfForTests {
 public:
  explicit BookshelfForTests(bool is_own) {
    options_.pack = std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf";
    options_.user = "ann";
    options_.data_dir = folder_.path() + "/data";
    options_.has_demo = false;
    if (!is_own) return;
    options_.db = folder_.path() + "/mine.db";
    EXPECT_TRUE(open_state(options_.db, {}));
    EXPECT_TRUE(run_sql(parse_database_url(options_.db).value(),
                        read_file(options_.pack + "/schema.sql").value()));
  }

  const Clock& clock() const { return clock_; }
  Random& random() { return random_; }
  RecordPlace place() {
    Result<RecordPlace> place = open_place(options_, clock_, random_);
    if (!place) throw std::runtime_error(place.error().message + " " + place.error().detail);
    return std::move(*place);
  }
  std::unique_ptr<Session> open(const std::string& id = "") { return open_on(place(), id); }
  std::unique_ptr<Session> open_on(RecordPlace place, const std::string& id = "") {
    SessionOptions options;
    options.id = id;
    auto session = Session::open(std::move(place), std::move(options), clock_, random_);
    EXPECT_TRUE(session) << session.error().message;
    return std::move(*session);
  }
  JsonArray authors() {
    RecordPlace opened = place();
    return RowsLook(std::move(opened.rows), opened.schema, opened.caller).rows("authors").value();
  }

 private:
  FolderForTests folder_{{}};
  PlaceOptions options_;
  SystemClock clock_;
  OsRandom random_;
};

// "Add Ann" as one turn: six asks.
class AddingAnn : public Interpreter {
 public:
  explicit AddingAnn(std::string author = "Ann") : author_(std::move(author)) {}
  std::string_view name() const override { return "scripted"; }
  Result<Answer> answer(const Ask& ask) override {
    const std::scoped_lock lock(mutex_);
    asked_.insert(ask.id);
    if (missing_.contains(ask.id)) return fail(ErrorCode::model, "The line is dead.");
    return Answer{.ask = ask.id, .text = text_for(ask)};
  }
  std::set<std::uint32_t> missing_{};  // asks that nobody answers
  std::set<std::uint32_t> asked_{};

 protected:
  virtual std::string text_for(const Ask& ask) {
    switch (ask.id) {
      case 1: return with_rest(R"({"processed_message":"add Ann","entity_mentions":[]})");
      case 2:
        return R"({"goal":"Add","decision":"plan_direct","steps":[{"step_type":"write",)"
               R"("subdomain":"books","group":1,"description":"Add Ann"}]})";
      case 3:
        return R"({"action":"tool_call","tool":"db_create",)"
               R"("params":{"table":"authors","data":{"name":")" +
               author_ + R"("}}})";
      case 4: return R"({"action":"step_complete","result_summary":"added"})";
      case 5: return "";
      default:
        return R"({"assistant_summary":"added","history_summary":null,"engagement_summary":null})";
    }
  }
  // Understand's answer with all its members.
  static std::string with_rest(std::string_view text) {
    JsonObject out = to_json(UnderstandAnswer{}).get_object();
    const Json given = parse_json(text, JsonLimits::none()).value();
    for (const auto& member : given.get_object()) out[member.key()] = member.value();
    return write_json(out);
  }

 private:
  std::string author_;
  std::mutex mutex_;
};

}  // namespace alfred
