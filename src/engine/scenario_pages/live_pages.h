// Scenario pages with a real model that makes up its own answers.
//
// R1 what a page scripts for the model is not used; of what it expects only rows count (scenario_runner.h, R5).
// R2 one model for all pages; what it used is summed.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/scenario_pages/scenario_pages.h"

namespace alfred {

class ChatHttp;

class LivePages {
 public:
  // The model that the variables of the process name. Errors: model when they name none; value.
  static Result<std::unique_ptr<LivePages>> make();
  static Result<std::unique_ptr<LivePages>> make(
      const std::map<std::string, std::string>& variables);
  ~LivePages();

  // As run_page().
  Result<PageOutcome> run(const std::string& path, const StageOptions& options);
  // "small: 12 answers, 5000 tokens read (1000 from a cache), 700 written".
  std::string used() const;

 private:
  LivePages() = default;
  SystemClock clock_;
  OsRandom random_;
  std::unique_ptr<ChatHttp> model_;
};

}  // namespace alfred
