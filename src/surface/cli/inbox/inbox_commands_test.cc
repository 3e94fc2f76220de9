#include "surface/cli/inbox/inbox_commands.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/json/json.h"
#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

class InboxCommands : public testing::Test {
 protected:
  // Runs `group name`; parameters without a value are flags.
  int run(std::string_view group, std::string_view name,
          const std::vector<std::pair<std::string, std::string>>& given) {
    Arguments arguments;
    arguments.add("--db", {"sqlite:" + folder_.path() + "/inbox.db"});
    for (const auto& [parameter, value] : given) arguments.add(parameter, {value});
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    for (const Command& command : inbox_commands())
      if (command.group == group && command.name == name) {
        const int code = command.run(arguments, {in, out, err});
        out_ = out.str();
        err_ = err.str();
        return code;
      }
    return -1;
  }
  // The same with --json: a member of the answer.
  std::string ask(std::string_view group, std::string_view name,
                  std::vector<std::pair<std::string, std::string>> given, const char* member) {
    given.emplace_back("--json", "");
    EXPECT_EQ(run(group, name, given), kDone) << err_;
    const Json answer = parse_json(out_, JsonLimits::none()).value();
    const Json& value = answer.at(member);
    return value.is_string() ? std::string(value.as_string()) : write_json(value);
  }

  const FolderForTests folder_{{}};
  std::string out_, err_;
};

TEST_F(InboxCommands, R2_from_a_source_to_an_ack) {
  ASSERT_EQ(run("agent", "register", {{"--id", "fox"}, {"--webhook", "http://127.0.0.1:9/"}}),
            kDone)
      << err_;
  const std::string host =
      ask("host", "add", {{"--type", "local_event"}, {"--key", "here"}}, "hostId");
  const std::string source =
      ask("source", "add", {{"host", host}, {"--key", "builds"}}, "sourceId");
  ASSERT_EQ(run("subscription", "add",
                {{"agent", "fox"},
                 {"source", source},
                 {"--filter-json", R"({"expr":"metadata.status == 'failed'"})"}}),
            kDone)
      << err_;
  for (const char* status : {"failed", "passed"})
    ASSERT_EQ(run("source", "append",
                  {{"source", source},
                   {"--native-id", status},
                   {"--variant", "build"},
                   {"--metadata-json", std::string(R"({"status":")") + status + "\"}"}}),
              kDone)
        << err_;
  EXPECT_EQ(run("inbox", "read", {{"agent", "fox"}}), kDone);
  EXPECT_TRUE(out_.starts_with("1  ent_")) << out_;
  EXPECT_NE(out_.find("build failed {}"), std::string::npos) << out_;
  EXPECT_EQ(ask("inbox", "ack", {{"agent", "fox"}, {"--all", ""}}, "acked"), "1");
  EXPECT_EQ(run("inbox", "read", {{"agent", "fox"}}), kDone);
  EXPECT_EQ(out_, "There are no entries.\n");
}

TEST_F(InboxCommands, R2_errors_say_what_to_do) {
  EXPECT_EQ(run("inbox", "read", {{"agent", "nobody"}}), kBadInput);
  EXPECT_NE(err_.find("There is no agent"), std::string::npos) << err_;
  EXPECT_EQ(run("inbox", "ack", {{"agent", "nobody"}}), kBadUsage);
  EXPECT_EQ(run("source", "show", {{"source", "src_x"}}), kBadInput);
}

}  // namespace
}  // namespace alfred::cli
