#include "surface/cli/inbox/inbox_commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
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

TEST_F(InboxCommands, R2_a_reply_goes_through_the_handle_of_an_event) {
  ASSERT_EQ(run("agent", "register", {{"--id", "fox"}, {"--webhook", "http://127.0.0.1:9/"}}),
            kDone)
      << err_;
  const std::string handle = R"({"provider":"alfred","surface":"agent","targetRef":"fox"})";
  const std::string host =
      ask("host", "add", {{"--type", "local_event"}, {"--key", "here"}}, "hostId");
  const std::string source =
      ask("source", "add", {{"host", host}, {"--key", "builds"}}, "sourceId");
  ASSERT_EQ(run("subscription", "add",
                {{"agent", "fox"}, {"source", source}, {"--start-policy", "earliest"}}),
            kDone)
      << err_;
  ASSERT_EQ(run("source", "append",
                {{"source", source},
                 {"--native-id", "1"},
                 {"--variant", "build"},
                 {"--delivery-handle-json", handle}}),
            kDone)
      << err_;
  EXPECT_EQ(ask("source", "poll", {{"source", source}}, "deduped"), "0");
  EXPECT_NE(ask("inbox", "read", {{"agent", "fox"}}, "entries").find("\"targetRef\":\"fox\""),
            std::string::npos)
      << out_;
  EXPECT_NE(
      ask("deliver", "actions", {{"--handle-json", handle}}, "operations").find("send_message"),
      std::string::npos);
  EXPECT_EQ(ask("deliver", "invoke",
                {{"operation", "send_message"},
                 {"--handle-json", handle},
                 {"--input-json", R"({"message":"seen"})"}},
                "status"),
            "delivered");
  EXPECT_EQ(ask("deliver", "send", {{"--handle-json", handle}, {"--text", "seen"}}, "status"),
            "delivered");
  EXPECT_EQ(run("deliver", "actions", {}), kBadUsage);
  EXPECT_EQ(run("deliver", "actions", {{"--handle-json", handle}, {"--provider", "alfred"}}),
            kBadUsage);
  EXPECT_EQ(ask("inbox", "compact", {{"agent", "fox"}}, "deleted"), "0");
  EXPECT_EQ(run("inbox", "compact", {{"agent", "nobody"}}), kBadInput);
}

TEST_F(InboxCommands, R2_what_was_meant_is_told) {
  EXPECT_EQ(run("host", "add", {{"--type", "localevent"}, {"--key", "here"}}), kBadInput);
  EXPECT_NE(err_.find("Did you mean local_event?"), std::string::npos) << err_;
  ASSERT_EQ(run("agent", "register", {{"--id", "fox"}, {"--webhook", "http://127.0.0.1:9/"}}),
            kDone);
  const std::string host =
      ask("host", "add", {{"--type", "local_event"}, {"--key", "here"}}, "hostId");
  const std::string source =
      ask("source", "add", {{"host", host}, {"--key", "builds"}}, "sourceId");
  EXPECT_EQ(run("subscription", "add",
                {{"agent", "fox"}, {"source", source}, {"--start-policy", "earlyest"}}),
            kBadInput);
  EXPECT_NE(err_.find("Did you mean earliest?"), std::string::npos) << err_;
  EXPECT_EQ(run("subscription", "add",
                {{"agent", "fox"}, {"source", source}, {"--shortcut-json", R"({"name":"pr"})"}}),
            kBadInput);
  EXPECT_NE(err_.find("no shortcuts"), std::string::npos) << err_;
}

TEST_F(InboxCommands, R2_errors_say_what_to_do) {
  ASSERT_EQ(run("agent", "register", {{"--id", "fox"}, {"--webhook", "http://127.0.0.1:9/"}}),
            kDone);
  EXPECT_EQ(run("inbox", "read", {{"agent", "nobody"}}), kBadInput);
  EXPECT_NE(err_.find("There is no agent"), std::string::npos) << err_;
  EXPECT_EQ(run("inbox", "ack", {{"agent", "nobody"}}), kBadUsage);
  EXPECT_EQ(run("source", "show", {{"source", "src_x"}}), kBadInput);
  for (const char* limit : {"0", "-3", "1001", "many"}) {
    EXPECT_EQ(run("inbox", "read", {{"agent", "fox"}, {"--limit", limit}}), kBadUsage) << limit;
    EXPECT_NE(err_.find("--limit"), std::string::npos) << err_;
  }
  EXPECT_EQ(run("inbox", "read", {{"agent", "fox"}, {"--limit", "1000"}}), kDone) << err_;
  EXPECT_EQ(run("inbox", "read", {{"agent", std::string(300, 'a')}}), kBadInput);
  EXPECT_EQ(err_.find("uuid"), std::string::npos) << err_;
  EXPECT_NE(err_.find("300 bytes"), std::string::npos) << err_;
}

TEST_F(InboxCommands, R2_a_list_that_is_cut_says_how_it_goes_on) {
  for (const char* const id : {"fox", "it's an owl", "elk"})
    ASSERT_EQ(run("agent", "register", {{"--id", id}, {"--mcp", ""}}), kDone) << err_;
  const std::string host =
      ask("host", "add", {{"--type", "local_event"}, {"--key", "here"}}, "hostId");
  const std::string source =
      ask("source", "add", {{"host", host}, {"--key", "builds"}}, "sourceId");
  ASSERT_EQ(run("host", "add", {{"--type", "local_event"}, {"--key", "there"}}), kDone);
  ASSERT_EQ(run("source", "add", {{"host", host}, {"--key", "tests"}}), kDone);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(run("subscription", "add", {{"agent", "fox"}, {"source", source}}), kDone) << err_;
    ASSERT_EQ(run("timer", "add", {{"agent", "fox"}, {"--message", "hello"}, {"--every", "1h"}}),
              kDone)
        << err_;
    ASSERT_EQ(run("inbox", "send", {{"agent", "fox"}, {"--message", "m"}}), kDone) << err_;
  }
  using Given = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [group, name, member, id, given] :
       {std::tuple{"agent", "list", "agents", "agentId", Given{}},
        {"host", "list", "hosts", "hostId", Given{}},
        {"source", "list", "sources", "sourceId", Given{}},
        {"subscription", "list", "subscriptions", "subscriptionId", Given{{"--agent", "fox"}}},
        {"timer", "list", "timers", "scheduleId", Given{{"--agent", "fox"}}},
        {"inbox", "read", "entries", "entryId", Given{{"agent", "fox"}}}}) {
    SCOPED_TRACE(group);
    Given first = given;
    first.emplace_back("--limit", "1");
    EXPECT_EQ(ask(group, name, first, "hasMore"), "true");
    const Json page = parse_json(out_, JsonLimits::none()).value();
    const std::string last(page.at(member).at(0).at(id).as_string());
    EXPECT_EQ(run(group, name, first), kDone);
    EXPECT_TRUE(out_.ends_with("There are more. Go on with --after " + last + "\n")) << out_;
    Given rest = given;
    rest.emplace_back("--after", last);
    EXPECT_EQ(ask(group, name, rest, "hasMore"), "false");
    EXPECT_EQ(out_.find(last), std::string::npos) << out_;
    EXPECT_EQ(run(group, name, rest), kDone);
    EXPECT_EQ(out_.find("more"), std::string::npos) << out_;
    rest.back().second = "nonsense";
    EXPECT_EQ(run(group, name, rest), kBadInput);
  }
  EXPECT_EQ(run("agent", "list", {{"--limit", "2"}}), kDone);
  EXPECT_TRUE(out_.ends_with("--after 'it'\\''s an owl'\n")) << out_;
  EXPECT_EQ(run("agent", "list", {{"--after", "elk"}}), kDone);
  EXPECT_EQ(out_, "There are no agents.\n");
}

TEST_F(InboxCommands, R2_a_number_beyond_64_bits_does_not_lose_an_event) {
  const std::string host =
      ask("host", "add", {{"--type", "local_event"}, {"--key", "here"}}, "hostId");
  const std::string source =
      ask("source", "add", {{"host", host}, {"--key", "builds"}}, "sourceId");
  const auto append = [&](const std::string& number) {
    return run("source", "append",
               {{"source", source},
                {"--native-id", number},
                {"--variant", "x"},
                {"--payload-json", "{\"n\":" + number + "}"}});
  };
  EXPECT_EQ(append("123456789012345678901"), kDone) << err_;
  EXPECT_EQ(append("1e400"), kBadInput);
  // What is no event is read as ever.
  EXPECT_EQ(run("source", "update",
                {{"source", source}, {"--config-json", R"({"n":123456789012345678901})"}}),
            kBadInput);
}

TEST_F(InboxCommands, R1_a_file_of_another_program_is_refused_and_stays_as_it_is) {
  const std::string theirs = folder_.path() + "/inbox.db";
  std::ofstream(theirs) << "these are my notes, which are no database";
  for (const auto& [group, name] : {std::pair{"timer", "list"}, {"", "status"}, {"", "gc"}}) {
    EXPECT_NE(run(group, name, {}), kDone) << group << name;
    EXPECT_NE(err_.find("Nothing was changed"), std::string::npos) << err_;
  }
  EXPECT_EQ(std::filesystem::file_size(theirs), 41U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(InboxCommands, R1_what_puts_nothing_there_makes_no_file) {
  for (const auto& [group, name] : {std::pair{"timer", "list"},
                                    {"", "status"},
                                    {"agent", "list"},
                                    {"source", "list"},
                                    {"", "gc"},
                                    {"inbox", "run"},
                                    {"inbox", "compact"}}) {
    EXPECT_NE(run(group, name, {}), kDone) << group << name;
    EXPECT_NE(err_.find("There is no file"), std::string::npos) << err_;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace alfred::cli
