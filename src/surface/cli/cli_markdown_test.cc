#include "surface/cli/cli_markdown.h"

#include <gtest/gtest.h>

namespace alfred::cli {
namespace {

int do_nothing(const Arguments&, const Streams&) { return kDone; }

const std::vector<Group> kGroups{{"id", "Durable ids."}};
const std::vector<Command> kCommands{
    {"", "greet", "Says hello.", {}, do_nothing},
    {"id",
     "new",
     "Makes ids.",
     {{"kind", "KIND", "prefix|kind", true, false}, {"--count", "N", "How many.", false, false}},
     do_nothing},
    {"id", "check", "Checks ids.", {{"id", "ID", "One or more ids.", true, true}}, do_nothing},
};

TEST(CliMarkdown, R1_every_group_command_and_parameter_stands_in_the_page) {
  const std::string page = cli_markdown(kGroups, kCommands);
  EXPECT_NE(page.find("\n## id\n\nDurable ids.\n"), std::string::npos) << page;
  EXPECT_NE(page.find("    alfred greet\n"), std::string::npos) << page;
  EXPECT_NE(page.find("    alfred id new <kind> [--count N]\n"), std::string::npos) << page;
  EXPECT_NE(page.find("    alfred id check <id>...\n"), std::string::npos) << page;
  EXPECT_NE(page.find("| `--count` | N | no | How many. |"), std::string::npos) << page;
  EXPECT_LT(page.find("alfred id new"), page.find("alfred id check"));
}

TEST(CliMarkdown, R2_a_bar_in_a_help_text_is_escaped) {
  EXPECT_NE(cli_markdown(kGroups, kCommands).find("prefix\\|kind"), std::string::npos);
}

TEST(CliMarkdown, R1_no_command_of_the_real_table_is_missing) {
  const std::string page = cli_markdown(groups(), commands());
  for (const Command& command : commands())
    EXPECT_NE(page.find(command.help), std::string::npos) << command.name;
}

}  // namespace
}  // namespace alfred::cli
