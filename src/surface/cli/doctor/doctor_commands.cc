#include "surface/cli/doctor/doctor_commands.h"

#include <fmt/format.h>

#include <ostream>

#include "base/json/json.h"
#include "surface/cli/chat/choose_interpreter.h"
#include "surface/cli/doctor/doctor.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

void print_json(const Findings& findings, bool is_well, std::ostream& out) {
  JsonArray all;
  for (const Finding& one : findings) {
    JsonObject finding{{"health", health_name(one.health)}, {"what", one.what}};
    if (!one.fix.empty()) finding["fix"] = one.fix;
    all.push_back(std::move(finding));
  }
  out << write_json(JsonObject{{"ok", is_well}, {"findings", std::move(all)}}) << "\n";
}

}  // namespace

int run_doctor(const Arguments& arguments, const Streams& streams) {
  const Environment environment = system_environment;
  const auto probe = [&](const Config& config) { return ask_model(config, environment); };
  const Findings findings = examine({arguments, environment, probe});
  bool is_well = true;
  for (const Finding& one : findings) is_well = is_well && one.health != Health::fail;
  if (arguments.has("--json")) {
    print_json(findings, is_well, streams.out);
    return is_well ? kDone : kBadInput;
  }
  for (const Finding& one : findings)
    streams.out << fmt::format("{:<4} {}{}{}\n", health_name(one.health), terminal_line(one.what),
                               one.fix.empty() ? "" : " — ", terminal_line(one.fix));
  return is_well ? kDone : kBadInput;
}

std::vector<Command> doctor_commands() {
  return {{"",
           "doctor",
           "Check the installation and say how to put right what is not; exit 1 if anything fails",
           {{"--json", "", "Print JSON in one line"},
            {"--db", "URL", "The database; when not given, the embedded pack"},
            {"--pack", "DIR", "The pack that describes it"},
            {"--user", "NAME", "Whose rows; me when not given"}},
           run_doctor}};
}

}  // namespace alfred::cli
