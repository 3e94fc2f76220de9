#include "surface/cli/ids/id_commands.h"

#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "alfred/ids.h"
#include "surface/cli/cli.h"

namespace alfred::cli {
namespace {

struct Outcome {
  int exit_code;
  std::string out;
  std::string err;
};

Outcome run_with(int (*command)(const Arguments&, const Streams&), const Arguments& arguments) {
  std::istringstream in;
  std::ostringstream out, err;
  const int exit_code = command(arguments, {in, out, err});
  return {exit_code, out.str(), err.str()};
}

Outcome id_new(std::string kind, std::string count = {}) {
  Arguments arguments;
  arguments.add("kind", {std::move(kind)});
  if (!count.empty()) arguments.add("--count", {std::move(count)});
  return run_with(run_id_new, arguments);
}

Outcome id_check(std::vector<std::string> ids) {
  Arguments arguments;
  arguments.add("id", std::move(ids));
  return run_with(run_id_check, arguments);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(IdNew, R1_makes_one_id_of_every_kind_by_prefix_and_by_name) {
  for (const IdKindRow& row : id_kinds()) {
    for (const std::string_view asked : {row.prefix, row.name}) {
      const Outcome outcome = id_new(std::string(asked));
      EXPECT_EQ(outcome.exit_code, kDone);
      EXPECT_EQ(outcome.err, "");
      const std::vector<std::string> lines = lines_of(outcome.out);
      ASSERT_EQ(lines.size(), 1u);
      EXPECT_EQ(identify_id(lines[0]).value(), row.kind) << lines[0];
    }
  }
}

TEST(IdNew, R1_makes_as_many_as_were_asked_for) {
  const std::vector<std::string> lines = lines_of(id_new("evt_", "1000").out);
  EXPECT_EQ(lines.size(), 1000u);
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), 1000u);
}

TEST(IdNew, I7_no_id_of_one_run_is_given_twice) {
  for (const char* kind : {"agt", "ses"}) {
    const std::vector<std::string> ids = lines_of(id_new(kind, "20000").out);
    EXPECT_EQ(ids.size(), 20000u);
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size()) << kind;
    for (const std::string& id : ids) EXPECT_TRUE(identify_id(id)) << id;
  }
}

TEST(IdNew, R1_refuses_a_count_outside_its_bounds) {
  for (const char* count :
       {"0", "-1", "1000001", "99999999999999999999", "ten", "1.5", " 1", "1 "}) {
    const Outcome outcome = id_new("ses", count);
    EXPECT_EQ(outcome.exit_code, kBadUsage) << count;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("from 1 to 1000000"), std::string::npos) << outcome.err;
  }
}

TEST(IdNew, R1_an_unknown_kind_lists_the_known_ones) {
  const Outcome outcome = id_new("sessions");
  EXPECT_EQ(outcome.exit_code, kBadUsage);
  EXPECT_NE(outcome.err.find("`sessions` is neither"), std::string::npos);
  for (const IdKindRow& row : id_kinds())
    EXPECT_NE(outcome.err.find(row.name), std::string::npos) << row.name;
}

TEST(IdNew, R1_an_output_that_takes_no_more_is_an_error) {
  Arguments arguments;
  arguments.add("kind", {"ses"});
  std::istringstream in;
  std::ostringstream err;
  std::ostream closed(nullptr);
  EXPECT_EQ(run_id_new(arguments, {in, closed, err}), kUnavailable);
  EXPECT_NE(err.str().find("standard output"), std::string::npos);
}

TEST(IdCheck, R2_prints_the_kind_of_each) {
  const Outcome outcome = id_check({"ses_7k2f9m3qw1bx", "agt_copper-fox", "src_7k2f9m3qw1bx"});
  EXPECT_EQ(outcome.exit_code, kDone);
  EXPECT_EQ(outcome.out,
            "ses_7k2f9m3qw1bx\tsession\nagt_copper-fox\tagent\nsrc_7k2f9m3qw1bx\tsource\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(IdCheck, R2_one_bad_id_is_explained_and_the_others_still_checked) {
  const Outcome outcome = id_check({"ses_7k2f", "trn_7k2f9m3qw1bx"});
  EXPECT_EQ(outcome.exit_code, kBadInput);
  EXPECT_EQ(outcome.out, "trn_7k2f9m3qw1bx\tturn\n");
  EXPECT_NE(outcome.err.find("Expected ses_ followed by 12 characters"), std::string::npos);
  EXPECT_EQ(outcome.err.find("did you mean"), std::string::npos) << outcome.err;
}

TEST(IdCheck, R2_suggests_what_was_probably_meant) {
  const Outcome outcome = id_check({" SES_7K2F9M3QWIBO"});
  EXPECT_EQ(outcome.exit_code, kBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("did you mean ses_7k2f9m3qw1b0?"), std::string::npos) << outcome.err;
}

// Through the parser of the command line, as a shell would call it.
Outcome run_line(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = run(static_cast<int>(argv.size()), argv.data());
  std::string err = testing::internal::GetCapturedStderr();
  return {exit_code, testing::internal::GetCapturedStdout(), std::move(err)};
}

TEST(IdCommandLine, R1_new_takes_a_kind_and_a_count) {
  EXPECT_EQ(lines_of(run_line({"alfred", "id", "new", "session"}).out).size(), 1u);
  EXPECT_EQ(lines_of(run_line({"alfred", "id", "new", "ses", "--count", "3"}).out).size(), 3u);
  EXPECT_EQ(run_line({"alfred", "id", "new"}).exit_code, kBadUsage);
  EXPECT_EQ(run_line({"alfred", "id", "new", "ses", "trn"}).exit_code, kBadUsage);
}

TEST(IdCommandLine, R2_check_takes_any_number_of_ids) {
  const Outcome outcome =
      run_line({"alfred", "id", "check", "ses_7k2f9m3qw1bx", "nonsense", "agt_copper-fox"});
  EXPECT_EQ(outcome.exit_code, kBadInput);
  EXPECT_EQ(outcome.out, "ses_7k2f9m3qw1bx\tsession\nagt_copper-fox\tagent\n");
  EXPECT_NE(outcome.err.find("`nonsense` is no id"), std::string::npos) << outcome.err;
  EXPECT_EQ(run_line({"alfred", "id", "check"}).exit_code, kBadUsage);
}

}  // namespace
}  // namespace alfred::cli
