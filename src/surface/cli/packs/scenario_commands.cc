#include "surface/cli/packs/scenario_commands.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "engine/scenario_pages/live_pages.h"

namespace alfred::cli {
namespace {

// One page; the exit code that it asks for. With a model, it answers.
int run_one(const std::string& path, const Arguments& arguments, LivePages* model,
            const Streams& streams) {
  StageOptions options;
  options.db = arguments.text("--db");
  options.pack = arguments.text("--pack");
  const Result<PageOutcome> done = model != nullptr            ? model->run(path, options)
                                   : arguments.has("--update") ? update_page(path, options)
                                                               : run_page(path, options);
  if (!done) return report(done.error(), streams.err);
  if (!done->failure.empty()) {
    streams.out << "FAIL " << done->failure << "\n";
    return kBadInput;
  }
  if (done->updated > 0)
    streams.out << fmt::format("updated {}: {} block{}\n", path, done->updated,
                               done->updated == 1 ? "" : "s");
  else
    streams.out << fmt::format("pass {}: {}\n", path, done->title);
  return kDone;
}

}  // namespace

int run_scenario(const Arguments& arguments, const Streams& streams) {
  int code = kDone;
  std::size_t passed = 0;
  std::unique_ptr<LivePages> model;
  if (arguments.has("--model")) {
    if (arguments.has("--update"))
      return report(
          {ErrorCode::usage, "--update is not for pages that a model answers.", "", {}, ""},
          streams.err);
    Result<std::unique_ptr<LivePages>> made = LivePages::make();
    if (!made) return report(made.error(), streams.err);
    model = *std::move(made);
  }
  const std::span<const std::string> files = arguments.all("file");
  for (const std::string& path : files) {
    const int one = run_one(path, arguments, model.get(), streams);
    passed += one == kDone ? 1 : 0;
    code = std::max(code, one);
    streams.out << std::flush;
  }
  if (files.size() > 1) streams.out << fmt::format("{} of {} pages pass.\n", passed, files.size());
  if (model) streams.out << model->used() << "\n";
  return streams.out ? code : static_cast<int>(kUnavailable);
}

std::vector<Command> scenario_commands() {
  return {{"",
           "scenario",
           "Run scenario pages, each on a database made for it, and say where one comes out "
           "otherwise; exit 1 if any does",
           {{"file", "FILE", "A page of Markdown: docs/scenarios.md", true, true},
            {"--update", "", "Write what really happens into the blocks that expect something"},
            {"--model", "",
             "Let the model that ALFRED_MODEL_URL names answer, and look at rows only: "
             "docs/models.md"},
            {"--pack", "DIR", "The pack they are for; the embedded one when not given"},
            {"--db", "URL", "Run them on copies of this database instead of an empty one"}},
           run_scenario}};
}

}  // namespace alfred::cli
