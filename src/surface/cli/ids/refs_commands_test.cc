#include "surface/cli/ids/refs_commands.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/odd_locale_for_tests.h"

namespace alfred::cli {
namespace {

struct Outcome {
  int exit_code;
  std::string out;
  std::string err;
};

class RefsCommands : public ::testing::Test {
 protected:
  RefsCommands() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-refs-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
  }
  ~RefsCommands() override { std::filesystem::remove_all(dir_); }

  std::string path(std::string_view name) const { return (dir_ / name).string(); }
  std::string write(std::string_view name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string registry_text() const { return read_file(path("r.json")).value(); }
  ino_t registry_inode() const {
    struct stat status {};
    EXPECT_EQ(::stat(path("r.json").c_str(), &status), 0);
    return status.st_ino;
  }

  using Run = int (*)(const Arguments&, const Streams&);
  Outcome run(Run command, std::string_view table, std::string_view input,
              std::vector<std::pair<std::string, std::string>> more = {}) const {
    Arguments arguments;
    arguments.add("--table", {std::string(table)});
    arguments.add("--registry", {path("r.json")});
    for (auto& [name, value] : more) arguments.add(name, {value});
    std::istringstream in{std::string(input)};
    std::ostringstream out, err;
    const int exit_code = command(arguments, {in, out, err});
    return {exit_code, out.str(), err.str()};
  }
  std::string rows(std::string_view table, std::string_view input) const {
    const Outcome outcome = run(run_refs_out, table, input);
    EXPECT_EQ(outcome.exit_code, kDone) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  Outcome show(bool with_keys = false) const {
    return with_keys ? run(run_refs_show, "", "", {{"--keys", ""}}) : run(run_refs_show, "", "");
  }

  std::filesystem::path dir_;
};

TEST_F(RefsCommands, rows_go_out_and_parameters_come_in) {
  EXPECT_EQ(rows("books", "[{\"id\": 17, \"title\": \"Dune\", \"author_id\": 4}]\n"),
            "[{\"id\": \"book_1\", \"title\": \"Dune\", \"author_id\": \"author_1\"}]\n");
  const Outcome in =
      run(run_refs_in, "books", "{\"filters\":[{\"field\":\"id\",\"value\":\"book_1\"}]}\n");
  EXPECT_EQ(in.exit_code, kDone);
  EXPECT_EQ(in.err, "");
  EXPECT_EQ(in.out, "{\"filters\":[{\"field\":\"id\",\"value\":17}]}\n");
}

TEST_F(RefsCommands, show_prints_a_line_for_each_ref_and_keys_only_when_asked) {
  rows("books",
       R"([{"id":17,"title":"Dune | \n","author_id":"5ab7c0de-1f2e-4d3c-8b4a-5968778695a4"},)"
       R"({"id":"a\tb","note":"5ab7c0de-1f2e-4d3c-8b4a-5968778695a4"}])");
  EXPECT_EQ(show().out,
            "book_1\tread\tDune \\| \\n\nauthor_1\tlinked\t\nbook_2\tread\t\nlit_1\tliteral\t\n");
  EXPECT_EQ(show(true).out,
            "book_1\tread\tDune \\| \\n\t17\n"
            "author_1\tlinked\t\t5ab7c0de-1f2e-4d3c-8b4a-5968778695a4\n"
            "book_2\tread\t\t\"a\\tb\"\n"
            "lit_1\tliteral\t\t5ab7c0de-1f2e-4d3c-8b4a-5968778695a4\n");
  EXPECT_EQ(show().exit_code, kDone);
}

TEST_F(RefsCommands, show_prints_tombstones_and_what_a_row_was_saved_from) {
  write("r.json",
        R"({"format":"alfred-registry","version":1,"turn":0,"types":[{"type":"book","table":""}],)"
        R"("entities":[{"ref":"book_1","alias":"gen_book_1","key":{"integer":1},"label":"A",)"
        R"("status":"deleted","origin":"user","turn_created":0,"turn_last_referenced":0},)"
        R"({"ref":"gen_book_2","label":"B","status":"generated","origin":"system",)"
        R"("turn_created":0,"turn_last_referenced":0}],"literals":[]})");
  EXPECT_EQ(show().out, "book_1\tdeleted\tA\tsaved from gen_book_1\ngen_book_2\tgenerated\tB\n");
  EXPECT_EQ(show(true).out,
            "book_1\tdeleted\tA\t1\tsaved from gen_book_1\ngen_book_2\tgenerated\tB\t(no row)\n");
}

TEST_F(RefsCommands, the_same_input_twice_gives_the_same_bytes) {
  const std::string_view input = R"([{"id":"k1","a_id":"k2","note":"k3 lit_4"},{"id":"k2"}])";
  const std::string first = rows("things", input);
  const std::string registry = registry_text();
  EXPECT_EQ(rows("things", input), first);
  EXPECT_EQ(registry_text(), registry);
  std::filesystem::remove(path("r.json"));
  EXPECT_EQ(rows("things", input), first);
  EXPECT_EQ(registry_text(), registry);
}

TEST_F(RefsCommands, F16_neither_locale_nor_time_zone_changes_a_byte) {
  std::string input = "[";
  std::string call = R"({"filters":[{"field":"id","value":[)";
  for (int i = 1; i <= 1'500; ++i) {
    input += fmt::format(R"({{"id":{},"price":{}.50,"TITLE":"I i"}},)", 1'000'000 + i, i);
    call += fmt::format(R"("book_{}","book_{}",)", i, i);
  }
  input.back() = ']';
  call.back() = ']';
  call += "}]}";
  const auto all_output = [&] {
    std::filesystem::remove(path("r.json"));
    const Outcome in_and_out[] = {run(run_refs_out, "books", input),
                                  run(run_refs_in, "books", call), show(true),
                                  run(run_refs_out, "books", input + "}"),
                                  run(run_refs_in, "books", R"({"data":{"id":"BOOK_1234"}})")};
    std::string all = registry_text();
    for (const Outcome& one : in_and_out)
      all += fmt::format("{}{}{}", one.exit_code, one.out, one.err);
    return all;
  };
  const std::string before = all_output();
  EXPECT_NE(before.find("alfred: 1500 repeated refs were taken once"), std::string::npos);
  EXPECT_NE(before.find("\"price\":1234.50"), std::string::npos);
  const OddLocale odd;
  EXPECT_EQ(all_output(), before);
}

TEST_F(RefsCommands, rows_may_be_newline_delimited_or_none_at_all) {
  EXPECT_EQ(rows("books", "{\"id\":1}\n{\"id\":2}\n[{\"id\":1}]\n"),
            "{\"id\":\"book_1\"}\n{\"id\":\"book_2\"}\n[{\"id\":\"book_1\"}]\n");
  EXPECT_EQ(rows("books", ""), "");
  EXPECT_EQ(rows("books", "[]"), "[]");
}

TEST_F(RefsCommands, types_declare_links_and_nested_rows) {
  const std::string types = write("types.toml",
                                  "[[entity]]\ntable = \"people\"\nref = \"person\"\n"
                                  "[[entity]]\ntable = \"books\"\n"
                                  "links = { written_by = \"people\" }\n"
                                  "nested = { parts = \"books\" }\n");
  const Outcome out =
      run(run_refs_out, "books", R"({"id":1,"written_by":7,"series_id":9,"parts":[{"id":2}]})",
          {{"--types", types}});
  EXPECT_EQ(out.out,
            R"({"id":"book_1","written_by":"person_1","series_id":9,"parts":[{"id":"book_2"}]})");
  const Outcome in =
      run(run_refs_in, "books", R"({"data":{"written_by":"person_1"}})", {{"--types", types}});
  EXPECT_EQ(in.out, R"({"data":{"written_by":7}})");
  // Without the declarations, written_by is a plain column.
  EXPECT_EQ(run(run_refs_in, "books", R"({"data":{"written_by":"person_1"}})").out,
            R"({"data":{"written_by":"person_1"}})");
}

TEST_F(RefsCommands, repeated_refs_are_told) {
  rows("books", R"({"id":1})");
  const Outcome in =
      run(run_refs_in, "books", R"({"filters":[{"field":"id","value":["book_1","book_1"]}]})");
  EXPECT_EQ(in.exit_code, kDone);
  EXPECT_EQ(in.out, R"({"filters":[{"field":"id","value":[1]}]})");
  EXPECT_EQ(in.err, "alfred: 1 repeated refs were taken once\n");
}

TEST_F(RefsCommands, a_bad_ref_prints_nothing_but_what_is_allowed) {
  rows("books", R"({"id":918273645})");
  const std::string before = registry_text();
  const Outcome in = run(run_refs_in, "books", R"({"filters":[{"field":"id","value":"book_2"}]})");
  EXPECT_EQ(in.exit_code, kBadInput);
  EXPECT_EQ(in.out, "");
  EXPECT_EQ(in.err,
            "alfred: book_2 was not issued here. Use a ref that was shown, or read first. (at "
            "filters[0].value) [ref_unknown]\n  allowed: book_1\n");
  EXPECT_EQ(registry_text(), before);
}

TEST_F(RefsCommands, malformed_rows_leave_the_registry_untouched) {
  rows("books", R"({"id":1})");
  const std::string before = registry_text();
  const ino_t inode = registry_inode();
  for (const char* input : {"[{\"id\":2},", "{\"id\":2}x", "7", R"([{"id":2},{"id":1.5}])"}) {
    const Outcome out = run(run_refs_out, "books", input);
    EXPECT_EQ(out.exit_code, kBadInput) << input;
    EXPECT_EQ(out.out, "") << input;
    EXPECT_NE(out.err, "") << input;
    EXPECT_EQ(registry_text(), before);
    EXPECT_EQ(registry_inode(), inode);
  }
  std::filesystem::remove(path("r.json"));
  EXPECT_EQ(run(run_refs_out, "books", "[").exit_code, kBadInput);
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
}

TEST_F(RefsCommands, a_registry_that_is_not_there_is_an_error_for_in_and_show) {
  const Outcome in = run(run_refs_in, "books", R"({"filters":[]})");
  EXPECT_EQ(in.exit_code, kUnavailable);
  EXPECT_NE(in.err.find(path("r.json")), std::string::npos) << in.err;
  EXPECT_EQ(show().exit_code, kUnavailable);
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
}

TEST_F(RefsCommands, a_file_that_is_no_registry_is_refused_and_kept) {
  for (const char* text : {"", "{}", "[1]", "not json",
                           R"({"format":"alfred-registry","version":2,"turn":0,"types":[],)"
                           R"("entities":[],"literals":[]})"}) {
    write("r.json", text);
    for (const Outcome& outcome : {run(run_refs_out, "books", R"({"id":1})"),
                                   run(run_refs_in, "books", R"({"data":{}})"), show()}) {
      EXPECT_EQ(outcome.exit_code, kBadInput) << text;
      EXPECT_EQ(outcome.out, "") << text;
      EXPECT_NE(outcome.err.find(path("r.json")), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(registry_text(), text);
  }
}

TEST_F(RefsCommands, paths_that_cannot_be_used_are_named) {
  std::filesystem::create_directory(path("dir"));
  const std::vector<std::string> paths = {path("no/such/dir/r.json"), path("dir"),
                                          path("x/") + std::string(5000, 'x')};
  for (const std::string& bad : paths) {
    const Outcome out = run(run_refs_out, "books", R"({"id":1})", {{"--registry", bad}});
    EXPECT_EQ(out.exit_code, kUnavailable) << bad.substr(0, 80) << out.err.substr(0, 300);
    EXPECT_EQ(out.out, "");
    EXPECT_NE(out.err, "");
  }
  const Outcome nameless = run(run_refs_out, "books", R"({"id":1})", {{"--registry", ""}});
  EXPECT_EQ(nameless.exit_code, kBadUsage);
  EXPECT_NE(nameless.err.find("--registry"), std::string::npos) << nameless.err;
  const Outcome types = run(run_refs_out, "books", R"({"id":1})", {{"--types", path("none")}});
  EXPECT_EQ(types.exit_code, kUnavailable);
  EXPECT_NE(types.err.find(path("none")), std::string::npos);
  const std::string bad = write("bad.toml", "[[entity]]\nname = \"x\"\n");
  const Outcome wrong = run(run_refs_out, "books", R"({"id":1})", {{"--types", bad}});
  EXPECT_EQ(wrong.exit_code, kBadInput);
  EXPECT_NE(wrong.err.find("bad.toml:2:1"), std::string::npos) << wrong.err;
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
}

TEST_F(RefsCommands, a_new_registry_is_for_its_owner_alone) {
  rows("books", R"({"id":1})");
  struct stat status {};
  ASSERT_EQ(::stat(path("r.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(RefsCommands, output_that_cannot_be_written_is_an_error) {
  rows("books", R"({"id":1})");
  Arguments arguments;
  arguments.add("--registry", {path("r.json")});
  std::istringstream in;
  std::ostringstream err;
  std::ofstream full("/dev/full");
  EXPECT_EQ(run_refs_show(arguments, {in, full, err}), kUnavailable);
}

TEST_F(RefsCommands, output_to_a_full_device_says_so) {
  rows("books", R"({"id":1})");
  Arguments arguments;
  arguments.add("--registry", {path("r.json")});
  std::istringstream in;
  std::ostringstream err;
  std::ofstream full("/dev/full");
  EXPECT_EQ(run_refs_show(arguments, {in, full, err}), kUnavailable);
  EXPECT_NE(err.str().find("standard output"), std::string::npos) << err.str();
}

TEST_F(RefsCommands, a_registry_behind_a_link_that_leads_nowhere_is_made_there) {
  std::filesystem::create_directory(path("elsewhere"));
  std::filesystem::create_symlink("elsewhere/real.json", path("r.json"));
  rows("books", R"({"id":1})");
  EXPECT_TRUE(std::filesystem::is_symlink(path("r.json")));
  EXPECT_TRUE(std::filesystem::is_regular_file(path("elsewhere/real.json")));
}

TEST_F(RefsCommands, an_empty_registry_file_is_named) {
  write("r.json", "");
  const Outcome outcome = run(run_refs_out, "books", R"({"id":1})");
  EXPECT_EQ(outcome.exit_code, kBadInput);
  EXPECT_NE(outcome.err.find(path("r.json") + " is empty"), std::string::npos) << outcome.err;
}

TEST_F(RefsCommands, I3_a_broken_registry_is_not_repeated) {
  rows("books", R"({"id":"a508000d-9b55-40f0-8886-dbdd88bd2de2"})");
  const std::string text = registry_text();
  for (std::size_t size = 0; size < text.size(); size += 3) {
    write("r.json", text.substr(0, size));
    EXPECT_EQ(run(run_refs_out, "books", "[]").err.find("a508000d"), std::string::npos);
    write("r.json", text.substr(0, size) + "\x01" + text.substr(size));
    EXPECT_EQ(run(run_refs_out, "books", "[]").err.find("a508000d"), std::string::npos);
  }
}

// What this machine knows and nobody asked for stands in nothing that is written.
TEST_F(RefsCommands, I4_no_secret_of_the_environment_is_written) {
  const std::string canary = "canary-7f3e9b-secret";
  ::setenv("ALFRED_CANARY", canary.c_str(), 1);
  std::string written;
  for (const char* input : {R"({"id":1,"name":"$ALFRED_CANARY"})", "{", R"([1])", R"({"id":{}})"}) {
    const Outcome out = run(run_refs_out, "books", input);
    const Outcome in = run(run_refs_in, "books", input);
    written += out.out + out.err + in.out + in.err;
  }
  ::unsetenv("ALFRED_CANARY");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_))
    if (entry.is_regular_file()) written += read_file(entry.path().string()).value();
  EXPECT_NE(written.find("$ALFRED_CANARY"), std::string::npos);
  EXPECT_EQ(written.find(canary), std::string::npos);
}

class RefsCommandsThreads : public RefsCommands {};

TEST_F(RefsCommandsThreads, rows_going_out_side_by_side_lose_nothing) {
  constexpr int kThreads = 6;
  constexpr int kRuns = 8;
  std::array<std::vector<std::string>, kThreads> shown;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kRuns; ++i)
          shown[static_cast<std::size_t>(t)].push_back(
              run(run_refs_out, "books", "{\"id\":" + std::to_string(1000 * t + i) + "}").out);
      });
  }
  std::set<std::string> distinct;
  for (int t = 0; t < kThreads; ++t)
    for (int i = 0; i < kRuns; ++i) {
      const std::string row = shown[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
      EXPECT_TRUE(distinct.insert(row).second) << row;
      // What was shown leads back to its row.
      EXPECT_EQ(run(run_refs_in, "books", "{\"data\":" + row + "}").out,
                "{\"data\":{\"id\":" + std::to_string(1000 * t + i) + "}}");
    }
  EXPECT_EQ(distinct.size(), static_cast<std::size_t>(kThreads * kRuns));
}

}  // namespace
}  // namespace alfred::cli
