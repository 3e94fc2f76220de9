#include "surface/cli/config/config.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

class ConfigTest : public testing::Test {
 protected:
  Environment environment() {
    return [this](const std::string& name) {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::string() : found->second;
    };
  }
  Result<Config> load(const std::string& text) {
    folder_.write("config.toml", text);
    return Config::load(arguments_, environment());
  }
  std::string place(const std::string& line) const {
    return folder_.path() + "/config.toml:" + line;
  }

  FolderForTests folder_{{}};
  std::map<std::string, std::string> variables_{{"ALFRED_HOME", folder_.path()}};
  Arguments arguments_;
};

TEST_F(ConfigTest, R1_flag_over_environment_over_file_over_usual) {
  EXPECT_EQ(load("").value().text("chat.colour"), "auto");
  EXPECT_EQ(load("user = \"ann\"").value().text("user"), "ann");
  variables_["ALFRED_USER"] = "bob";
  EXPECT_EQ(load("user = \"ann\"").value().of("user").where, "$ALFRED_USER");
  arguments_.add("--user", {"eve"});
  const Config config = load("user = \"ann\"").value();
  EXPECT_EQ(config.text("user"), "eve");
  EXPECT_EQ(config.of("user").where, "--user");
}

TEST_F(ConfigTest, R1_no_color_is_environment) {
  variables_["NO_COLOR"] = "1";
  EXPECT_EQ(load("[chat]\ncolour = \"always\"").value().text("chat.colour"), "never");
}

TEST_F(ConfigTest, F13_R2_an_unknown_key_is_refused_with_its_place) {
  const Result<Config> wrong = load("user = \"ann\"\n[model]\nurll = \"http://x\"\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().path, place("3:1"));
  EXPECT_EQ(wrong.error().allowed.at(0), "url");
  const Result<Config> table = load("[modell]\nurl = \"x\"\n");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().path, place("1:2"));
}

TEST_F(ConfigTest, F13_R2_another_type_is_refused_with_its_place) {
  for (const char* text :
       {"user = 3", "[model]\nmax_tokens = \"many\"", "[model]\nmax_tokens = -1",
        "[model.price]\ninput = \"a\"", "[chat]\nprogress = \"yes\"", "[chat]\ncolour = \"blue\"",
        "model = 1", "user = \"\"", "[model.think]\neffort = 1", "broken ="})
    EXPECT_FALSE(load(text)) << text;
  const Config config = load("[model.think]\nmax_tokens = 99").value();
  EXPECT_EQ(config.text("model.think.max_tokens"), "99");
}

TEST_F(ConfigTest, R2_a_word_of_the_environment_is_checked_too) {
  variables_["ALFRED_INTERPRETER"] = "magic";
  const Result<Config> wrong = load("");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().path, "$ALFRED_INTERPRETER");
  EXPECT_EQ(wrong.error().allowed, (std::vector<std::string>{"rules", "chat_http"}));
}

TEST_F(ConfigTest, R3_db_and_pack_come_from_one_source) {
  const std::string file = "db = \"mine.db\"\npack = \"shelf\"";
  EXPECT_EQ(load(file).value().text("pack"), "shelf");
  arguments_.add("--db", {"other.db"});
  EXPECT_EQ(load(file).value().text("pack"), "");
  EXPECT_EQ(load(file).value().text("db"), "other.db");
  arguments_ = {};
  variables_["ALFRED_PACK"] = "garage";
  EXPECT_EQ(load(file).value().text("pack"), "garage");
  EXPECT_EQ(load(file).value().text("db"), "");
}

TEST_F(ConfigTest, R4_the_key_itself_is_refused_in_the_file) {
  const Result<Config> wrong = load("[model]\nkey = \"sk-secret\"");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.find("sk-secret"), std::string::npos);
  EXPECT_EQ(wrong.error().allowed, (std::vector<std::string>{"key_file", "key_env"}));
}

TEST_F(ConfigTest, F13_R4_a_key_file_that_others_may_read_is_refused) {
  folder_.write("key", "sk-secret\n");
  const std::string path = folder_.path() + "/key";
  const Config config = load("[model]\nkey_file = \"" + path + "\"").value();
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  const auto open = model_key(config, environment());
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().message.find("sk-secret"), std::string::npos);
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(model_key(config, environment()).value()->value, "sk-secret");
  EXPECT_EQ(model_key(config, environment()).value()->from, path);
}

TEST_F(ConfigTest, R4_the_key_of_a_variable) {
  const Config config = load("[model]\nkey_env = \"MY_KEY\"").value();
  EXPECT_FALSE(model_key(config, environment()));
  variables_["MY_KEY"] = "sk-1";
  EXPECT_EQ(model_key(config, environment()).value()->from, "$MY_KEY");
  variables_["ALFRED_MODEL_KEY"] = "sk-2";
  EXPECT_EQ(model_key(config, environment()).value()->value, "sk-2");
}

TEST_F(ConfigTest, the_table_of_the_model_comes_out_as_it_was_written) {
  const Config config = load(
                            "[model]\nurl = \"http://x\"\nkey_env = \"K\"\nretries = 0\n"
                            "[model.price]\ninput = 1.5\noutput = 2\n"
                            "[model.reply]\nmodel = \"m\"\n")
                            .value();
  EXPECT_EQ(write_json(model_table(config)),
            R"({"url":"http://x","retries":0,"price":{"input":1.5,"output":2},)"
            R"("reply":{"model":"m"}})");
}

TEST(ConfigPaths, R1_the_files_follow_xdg) {
  std::map<std::string, std::string> variables{{"HOME", "/home/ann"}};
  const Environment environment = [&](const std::string& name) { return variables[name]; };
  EXPECT_EQ(config_path(environment), "/home/ann/.config/alfred/config.toml");
  EXPECT_EQ(history_path(environment), "/home/ann/.local/state/alfred/history");
  variables["XDG_CONFIG_HOME"] = "/conf";
  variables["XDG_STATE_HOME"] = "relative";
  EXPECT_EQ(config_path(environment), "/conf/alfred/config.toml");
  EXPECT_EQ(history_path(environment), "/home/ann/.local/state/alfred/history");
  variables["ALFRED_HOME"] = "/all";
  EXPECT_EQ(config_path(environment), "/all/config.toml");
  variables = {};
  EXPECT_EQ(config_path(environment), "");
}

}  // namespace
}  // namespace alfred::cli
