// The only file that includes CLI11 (it costs six seconds to compile).
#include "surface/cli/cli.h"

#include <iostream>
#include <new>
#include <system_error>

#include <CLI/CLI.hpp>

#include "surface/cli/command.h"
#include "surface/cli/meant_command.h"
#include "surface/cli/terminal/terminal_stream.h"
#include "surface/cli/typed_value.h"

namespace alfred::cli {
namespace {

CLI::App* add_command(CLI::App& parent, const Command& command) {
  CLI::App* app = parent.add_subcommand(std::string(command.name), std::string(command.help));
  for (const Parameter& parameter : command.parameters) {
    const std::string name(parameter.name);
    const std::string help(parameter.help);
    if (parameter.value.empty()) {
      app->add_flag(name, help);
      continue;
    }
    CLI::Option* option = app->add_option(name, help)->type_name(std::string(parameter.value));
    option->required(parameter.is_required);
    option->expected(1, parameter.is_repeated ? CLI::detail::expected_max_vector_size : 1);
    option->allow_extra_args(parameter.is_repeated);  // a positional takes only the minimum without
    if (!parameter.is_repeated) option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  return app;
}

Arguments collect(const CLI::App& app, const Command& command) {
  Arguments arguments;
  for (const Parameter& parameter : command.parameters) {
    const std::string name(parameter.name);
    const CLI::Option* option = app.get_option(name);
    if (option->count() == 0) continue;
    std::vector<std::string> values = option->results();
    for (std::string& value : values) value = as_meant(parameter.value, std::move(value));
    arguments.add(name, std::move(values));
  }
  return arguments;
}

// What is for programs goes out as it is, what is for people as a terminal can bear it.
int run_command(const Command& command, const Arguments& arguments) {
  if (command.is_screen) return command.run(arguments, {std::cin, std::cout, std::cerr});
  TerminalStream err(std::cerr);
  if (command.is_for_programs || arguments.has("--json"))
    return command.run(arguments, {std::cin, std::cout, err});
  TerminalStream out(std::cout);
  return command.run(arguments, {std::cin, out, err});
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app("Alfred: a state layer for LLM agents. Models see refs, never a database key.",
               "alfred");
  app.set_version_flag("--version", "alfred " ALFRED_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);

  std::map<std::string_view, CLI::App*> group_apps;
  for (const Group& group : groups()) {
    CLI::App* sub = app.add_subcommand(std::string(group.name), std::string(group.help));
    sub->require_subcommand(1);
    group_apps[group.name] = sub;
  }
  std::vector<std::pair<CLI::App*, const Command*>> leaves;
  for (const Command& command : commands()) {
    CLI::App& parent = command.group.empty() ? app : *group_apps.at(command.group);
    leaves.emplace_back(add_command(parent, command), &command);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    const std::string meant = meant_command(std::vector<std::string>(argv + 1, argv + argc));
    TerminalStream(std::cerr) << "alfred: " << (meant.empty() ? error.what() : meant)
                              << "\nRun alfred --help, or --help after a command.\n";
    return kBadUsage;
  }
  try {
    for (const auto& [leaf, command] : leaves)
      if (leaf->parsed()) return run_command(*command, collect(*leaf, *command));
  } catch (const std::bad_alloc&) {
    // What was not finished is not there: files are replaced whole, rows are in a transaction.
    std::cerr << "alfred: there is not enough memory for this. Nothing of it was kept; give it "
                 "less at a time, or more memory.\n";
    return kUnavailable;
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    std::cerr << "alfred: the system gives no more threads (" << error.code().message()
              << "). Nothing was begun; end other programs, or raise the limit (ulimit -u).\n";
    return kUnavailable;
  }
  std::cout << app.help();
  return kDone;
}

}  // namespace alfred::cli
