// The pages once more, each answer by way of a model behind HTTP: a server on loopback reads what a
// provider would read, and says what the page answers, as a stream in both forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "base/test_size.h"
#include "engine/scenario/scenario_runner.h"
#include "interpreter/chat_http/chat_http.h"
#include "interpreter/chat_http/chat_server_for_tests.h"
#include "scenario_place.h"

namespace alfred {
namespace {

// One server and one model for all pages of a form.
class WireStage {
 public:
  explicit WireStage(ChatWire wire)
      : wire_(wire), server_([this](const RequestForTests& request) { return respond(request); }) {
    ChatSettings settings;
    settings.wire = wire;
    settings.url = server_.url(path_for_tests(wire));
    settings.model = "played";
    settings.key = "none";
    settings.retries = 0;
    chat_ = std::make_unique<ChatHttp>(settings, ChatPorts{clock_, random_, {}});
  }

  static WireStage& of(ChatWire wire) {
    static WireStage openai(ChatWire::openai);
    static WireStage anthropic(ChatWire::anthropic);
    return wire == ChatWire::openai ? openai : anthropic;
  }

  // R8 of the conversation: the page's answer goes the long way round.
  Result<Answer> answer(const Ask& ask, const Result<Answer>& scripted) {
    if (!scripted) return scripted;
    next_ = {scripted->text, scripted->finish};
    asked_ = &ask;
    return chat_->answer(ask);
  }

  std::size_t answers() const { return static_cast<std::size_t>(chat_->total().answers); }

 private:
  ResponseForTests respond(const RequestForTests& request) {
    const AskedForTests came = asked_for_tests(wire_, request.body);
    EXPECT_EQ(came.node, name_of(asked_->node));
    EXPECT_EQ(came.system, asked_->system);
    EXPECT_EQ(came.user, asked_->user);
    const std::string events = events_for_tests(wire_, next_, 200);
    // Cut where it falls: within lines, words and characters.
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < events.size(); at += 997)
      pieces.push_back(events.substr(at, 997));
    return chunks_for_tests(pieces);
  }

  const ChatWire wire_;
  SystemClock clock_;
  OsRandom random_;
  SaidForTests next_;
  const Ask* asked_ = nullptr;
  HttpServerForTests server_;
  std::unique_ptr<ChatHttp> chat_;
};

struct WireCase {
  const ScenarioPack* pack;
  const Scenario* scenario;
  ChatWire wire;
};
void PrintTo(const WireCase& one, std::ostream* out) {
  *out << one.scenario->file << " as " << name_of(one.wire);
}

// Pages that are conversations; some of them, evenly, where the tests are not to be long.
std::vector<WireCase> wire_cases() {
  static const ScenarioPack packs[] = {
      ScenarioPack(std::string(ALFRED_SOURCE_DIR) + "/packs/kitchen"),
      ScenarioPack(std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf")};
  std::vector<WireCase> all;
  for (const ScenarioPack& pack : packs)
    for (const Scenario& scenario : pack.scenarios)
      if (std::any_of(scenario.steps.begin(), scenario.steps.end(),
                      [](const ScenarioStep& step) { return step.kind == StepKind::user; }))
        all.push_back({&pack, &scenario, ChatWire::openai});
  const std::size_t most = test_size({.quick = 2, .modest = 12, .all = all.size()});
  const std::size_t stride = std::max<std::size_t>(1, (all.size() + most - 1) / most);
  std::vector<WireCase> out;
  for (std::size_t at = 0; at < all.size(); ++at)
    for (const ChatWire wire : {ChatWire::openai, ChatWire::anthropic}) {
      // The two forms take different pages.
      if ((at + (wire == ChatWire::anthropic ? stride / 2 : 0)) % stride != 0) continue;
      out.push_back(all[at]);
      out.back().wire = wire;
    }
  return out;
}

std::string wire_case_name(const testing::TestParamInfo<WireCase>& info) {
  std::string name = info.param.pack->pack.name + "_" + info.param.scenario->file;
  name.erase(name.size() - 3);
  name.replace(name.find("scenarios/"), 10, "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::string(name_of(info.param.wire));
}

class OverHttp : public testing::TestWithParam<WireCase> {};

TEST_P(OverHttp, come_out_right) {
  WireStage& stage = WireStage::of(GetParam().wire);
  const std::size_t before = stage.answers();
  ScenarioPlace place(PlaceKind::sqlite, *GetParam().pack);
  RunnerOptions options;
  options.model = [&](const Ask& ask, const Result<Answer>& scripted) {
    return stage.answer(ask, scripted);
  };
  ScenarioRunner runner(place, options);
  EXPECT_EQ(runner.run(*GetParam().scenario), "");
  EXPECT_EQ(stage.answers() - before, runner.conversation().asked_ever().size());
}
INSTANTIATE_TEST_SUITE_P(OfPacks, OverHttp, testing::ValuesIn(wire_cases()), wire_case_name);

}  // namespace
}  // namespace alfred
