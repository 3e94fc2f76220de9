// For tests only: a dialogue on a bookshelf that is thrown away, whose answers are scripted.
#pragma once

#include <memory>
#include <sstream>
#include <string>

#include "engine/session/session_for_tests.h"
#include "surface/cli/chat/dialogue.h"
#include "surface/cli/terminal/signals.h"

namespace alfred::cli {

class DialogueForTests {
 public:
  DialogueForTests() : place_(shelf_.place()) { restart(); }

  // A new speaker and a new dialogue, as after a new start of the program.
  void restart(bool is_attended = true, const WantedSession& wanted = {}) {
    auto ann = std::make_unique<AddingAnn>();
    ann_ = ann.get();
    open(std::move(ann), is_attended, wanted);
  }
  void open(std::unique_ptr<Interpreter> interpreter, bool is_attended = true,
            const WantedSession& wanted = {}) {
    speaker_.interpreter = std::move(interpreter);
    screen_ = plain_screen(streams_);
    DialogueWorld world{place_, ports_, speaker_, *screen_};
    world.is_attended = is_attended;
    world.record_path = record_path_;
    Result<std::unique_ptr<Dialogue>> dialogue = Dialogue::open(world, wanted);
    ASSERT_TRUE(dialogue) << dialogue.error().message;
    dialogue_ = std::move(*dialogue);
  }

  Dialogue& dialogue() { return *dialogue_; }
  AddingAnn& ann() { return *ann_; }
  JsonArray authors() { return shelf_.authors(); }
  void record_to(std::string path) { record_path_ = std::move(path); }
  // What came since the last time.
  std::string said() { return taken(out_); }
  std::string noted() { return taken(err_); }

 private:
  static std::string taken(std::ostringstream& stream) {
    std::string text = stream.str();
    stream.str("");
    return text;
  }

  BookshelfForTests shelf_{false};
  SignalWatch signals_;
  Ports ports_;
  RecordPlace place_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  Streams streams_{in_, out_, err_};
  Speaker speaker_;
  AddingAnn* ann_ = nullptr;
  std::string record_path_;
  std::unique_ptr<Screen> screen_;
  std::unique_ptr<Dialogue> dialogue_;
};

}  // namespace alfred::cli
