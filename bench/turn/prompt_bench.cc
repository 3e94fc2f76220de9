// P5: Act's prompt with 50 recipes in play, made from state and guarded, as often as it is asked
// for; the whole ask, with its schema and facts; the guard's scan alone. P12: the tokens of its
// entities, against the rows themselves.
#include <cstring>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "../benches.h"
#include "context/prompt_guard.h"
#include "context/token_estimate.h"
#include "played_kitchen.h"
#include "turn/act/act_prompt.h"
#include "turn/prompt/masking.h"

namespace alfred::bench {
namespace {

constexpr const char* kOurs = "ours: Act's prompt";
constexpr const char* kAsk = "ours: Act's whole ask";
constexpr const char* kGuard = "ours: the guard's scan";
constexpr const char* kCopy = "memcpy of the prompt";
constexpr const char* kRefTokens = "tokens, entities with refs";
constexpr const char* kUuidTokens = "tokens, entities with UUIDs";
constexpr const char* kRowTokens = "tokens, rows as JSON with UUIDs";

// A session at the point where Act is shown the recipes.
struct Shown {
  PlayedKitchen kitchen;
  std::unique_ptr<Session> session = kitchen.open();
  Ask ask = play(*session, recipes_in_play()).asks.at(0);

  std::size_t bytes() const { return ask.system.size() + ask.user.size(); }
  std::string entities() const {
    constexpr std::string_view kTitle = "\n## Entities in Context\n";
    const std::size_t from = ask.user.find(kTitle) + kTitle.size();
    return ask.user.substr(from, ask.user.find("\n## ", from) - from);
  }
  // The same with a UUID wherever a ref stands.
  std::string entities_with_uuids() {
    std::string out = entities();
    for (std::size_t at = out.find('`'); at != std::string::npos; at = out.find('`', at + 1)) {
      const std::size_t size = std::min(out.find('`', at + 1), out.size()) - at - 1;
      const std::string ref = out.substr(at + 1, size);
      if (session->state().registry.find(ref) != kNoEntity) out.replace(at + 1, size, uuid_of(ref));
    }
    return out;
  }
  // The rows as JSON, as a program without refs would put them into a prompt.
  std::string rows() {
    const Json& answer = *session->state().facts.running->plan->steps.at(0).calls.at(0).answer;
    std::string out;
    for (const Json& row : answer.at("rows").as_array()) out += write_json(with_uuids(row)) + "\n";
    return out;
  }

 private:
  // Refs are the texts that the registry knows.
  Json with_uuids(const Json& json) {
    if (json.is_array()) {
      JsonArray out;
      for (const Json& one : json.get_array()) out.push_back(with_uuids(one));
      return out;
    }
    if (json.is_object()) {
      JsonObject out;
      for (const auto& member : json.get_object()) out[member.key()] = with_uuids(member.value());
      return out;
    }
    if (!json.is_string()) return json;
    const std::string text(json.get_string());
    if (session->state().registry.find(text) == kNoEntity) return json;
    return Json(uuid_of(text));
  }
  std::string uuid_of(const std::string& ref) {
    std::string& uuid = uuids_[ref];
    if (uuid.empty()) uuid = random_uuid();
    return uuid;
  }
  std::string random_uuid() {
    std::string out =
        fmt::format("{:016x}{:016x}", kitchen.random().next_u64(), kitchen.random().next_u64());
    for (const std::size_t at : {8U, 13U, 18U, 23U}) out.insert(at, 1, '-');
    return out;
  }
  std::map<std::string, std::string> uuids_;
};

// System and user prompt, with late keys hidden, through the guard: an ask without schema and
// facts.
void make_prompt(benchmark::State& loop, SessionState& state, const TurnWorld& world) {
  const std::uint32_t step = state.facts.running->open_asks.at(0).step.value();
  for (auto _ : loop) {
    Scene scene(state, world);
    Ask ask = act_prompt(scene, step);
    PromptGuard guard(state.registry, world.secrets);
    if (!hide_late_keys(scene, ask) || !guard.check(ask.system, "system prompt") ||
        !guard.check(ask.user, "prompt"))
      return loop.SkipWithError("no prompt was made");
    benchmark::DoNotOptimize(ask.user.data());
  }
  loop.SetItemsProcessed(loop.iterations());
}

void make_ask(benchmark::State& loop, SessionState& state, const TurnWorld& world) {
  for (auto _ : loop) {
    const TurnMove move = Turn(state, world).resume();
    if (move.asks.size() != 1) return loop.SkipWithError("no prompt was made");
    benchmark::DoNotOptimize(move.asks.front().user.data());
  }
  loop.SetItemsProcessed(loop.iterations());
}

void scan_prompt(benchmark::State& loop, const SessionState& state, const std::string& text) {
  PromptGuard guard(state.registry, {"a secret of the installation"});
  for (auto _ : loop)
    if (!guard.check(text, "prompt")) return loop.SkipWithError("the guard refused it");
  loop.SetBytesProcessed(loop.iterations() * static_cast<std::int64_t>(text.size()));
}

void copy_prompt(benchmark::State& loop, const std::string& text) {
  std::string copy(text.size(), '\0');
  for (auto _ : loop) {
    std::memcpy(copy.data(), text.data(), text.size());
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  loop.SetBytesProcessed(loop.iterations() * static_cast<std::int64_t>(text.size()));
  loop.SetItemsProcessed(loop.iterations());
}

void compare_tokens(Report& report, Shown& shown, EntityTokens tokens) {
  const bool is_counted = tokens.refs > 0 && tokens.uuids > 0 && tokens.rows > 0;
  if (!is_counted) {
    fmt::print(stderr, "bench: P12: no tokenizer; our own estimator counts\n");
    tokens.refs = static_cast<double>(estimate_tokens(shown.entities()));
    tokens.uuids = static_cast<double>(estimate_tokens(shown.entities_with_uuids()));
    tokens.rows = static_cast<double>(estimate_tokens(shown.rows()));
  }
  report.set(kRefTokens, Unit::count, tokens.refs);
  report.set(kUuidTokens, Unit::count, tokens.uuids);
  report.set(kRowTokens, Unit::count, tokens.rows);
  const std::string by = is_counted ? "o200k" : "estimated";
  report.compare({"P12", "tokens (" + by + ") : the same with UUIDs", kRefTokens, kUuidTokens,
                  Goal::time_at_most(0.55)});
  report.compare(
      {"P12", "tokens (" + by + ") : JSON rows with UUIDs", kRefTokens, kRowTokens, Goal::none()});
}

}  // namespace

bool write_entities(const char* path) {
  Shown shown;
  std::ofstream file(path, std::ios::binary);
  file << write_json(JsonObject{{"name", "refs"}, {"text", shown.entities()}}) << "\n"
       << write_json(JsonObject{{"name", "uuids"}, {"text", shown.entities_with_uuids()}}) << "\n"
       << write_json(JsonObject{{"name", "rows"}, {"text", shown.rows()}}) << "\n";
  file.close();
  return static_cast<bool>(file);
}

void bench_prompt(Report& report, EntityTokens tokens) {
  Shown shown;
  SessionState state = read_session(write_session(shown.session->state())).value();
  const std::string text = shown.ask.system + shown.ask.user;
  fmt::print(stderr, "bench: P5: {} bytes of prompt, {} of them entities, {} keys known\n",
             shown.bytes(), shown.entities().size(), state.registry.size());
  Group group(report, "P5: prompts");
  group.measure(kOurs, Unit::us,
                [&](benchmark::State& loop) { make_prompt(loop, state, shown.session->world()); });
  group.measure(kAsk, Unit::us,
                [&](benchmark::State& loop) { make_ask(loop, state, shown.session->world()); });
  group.measure(kGuard, Unit::mb_per_s,
                [&](benchmark::State& loop) { scan_prompt(loop, state, text); });
  group.measure(kCopy, Unit::us, [&](benchmark::State& loop) { copy_prompt(loop, text); });
  report.compare({"P5", "Act's prompt, guarded : memcpy of it", kOurs, kCopy, Goal::at_most(150)});
  report.compare({"P5", "Act's whole ask, guarded", kAsk, "", Goal::none()});
  report.compare({"P5", "the guard's scan", kGuard, "", Goal::at_least(1000)});
  group.run();
  compare_tokens(report, shown, tokens);
}

}  // namespace alfred::bench
