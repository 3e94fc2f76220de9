#include "surface/http/gate/gate.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "pack/load/folder_for_tests.h"
#include "surface/http/gate/token_file.h"

namespace alfred::http {
namespace {

HttpRequest asked(Headers headers) {
  HttpRequest request{.method = "GET", .target = "/v1/sessions"};
  request.headers = std::move(headers);
  return request;
}

Gate gate() { return Gate({"0123abcd", own_hosts("127.0.0.1", 8177)}); }

int origin_status(Headers headers) {
  const auto no = gate().check_origin(asked(std::move(headers)));
  return no ? no->status : 200;
}

int token_status(Headers headers) {
  const auto no = gate().check_token(asked(std::move(headers)));
  return no ? no->status : 200;
}

TEST(Gate, G1_only_own_names_are_hosts) {
  for (const char* good : {"127.0.0.1:8177", "localhost:8177", "LocalHost:8177", "[::1]:8177"})
    EXPECT_EQ(origin_status({{"host", good}}), 200) << good;
  for (const char* bad :
       {"evil.com", "evil.com:8177", "localhost.:8177", "localhost", "2130706433:8177",
        "user@localhost:8177", "127.0.0.1:8178", "", "127.1:8177"})
    EXPECT_EQ(origin_status({{"host", bad}}), 403) << bad;
  EXPECT_EQ(origin_status({}), 400);
  EXPECT_EQ(origin_status({{"host", "localhost:8177"}, {"host", "localhost:8177"}}), 400);
}

TEST(Gate, G1_the_usual_port_may_be_left_out) {
  const Gate usual({"", own_hosts("127.0.0.1", 80)});
  for (const char* good : {"127.0.0.1", "127.0.0.1:80", "localhost", "[::1]"})
    EXPECT_FALSE(usual.check_origin(asked({{"host", good}}))) << good;
  EXPECT_FALSE(usual.check_origin(asked({{"host", "localhost"}, {"origin", "http://localhost"}})));
  EXPECT_TRUE(usual.check_origin(asked({{"host", "127.0.0.1:8177"}})));
  EXPECT_TRUE(usual.check_origin(asked({{"host", "evil.com"}})));
}

TEST(Gate, G1_all_addresses_are_those_of_loopback_too) {
  for (const char* address : {"0.0.0.0", "::"}) {
    const Gate open({"", own_hosts(address, 8177)});
    for (const char* good : {"127.0.0.1:8177", "localhost:8177", "[::1]:8177"})
      EXPECT_FALSE(open.check_origin(asked({{"host", good}}))) << good;
    EXPECT_TRUE(open.check_origin(asked({{"host", "evil.com:8177"}})));
  }
}

TEST(Gate, G2_only_own_origins_may_ask) {
  const auto status = [](const char* origin) {
    return origin_status({{"host", "localhost:8177"}, {"origin", origin}});
  };
  EXPECT_EQ(status("http://localhost:8177"), 200);
  for (const char* bad : {"null", "", "http://localhost.evil.com", "https://localhost:8177",
                          "http://localhost:1", "http://localhost:8177/", "http://evil.com"})
    EXPECT_EQ(status(bad), 403) << bad;
  EXPECT_EQ(origin_status({{"host", "localhost:8177"}, {"sec-fetch-site", "cross-site"}}), 403);
  EXPECT_EQ(origin_status({{"host", "localhost:8177"}, {"sec-fetch-site", "same-origin"}}), 200);
}

TEST(Gate, G2_of_two_origins_none_is_believed) {
  for (const char* name : {"origin", "sec-fetch-site"}) {
    const std::string good = name == std::string_view("origin") ? "http://localhost:8177" : "none";
    EXPECT_EQ(origin_status({{"host", "localhost:8177"}, {name, good}, {name, "cross-site"}}), 400);
    EXPECT_EQ(origin_status({{"host", "localhost:8177"}, {name, good}, {name, good}}), 400);
  }
}

TEST(Gate, R1_a_name_that_was_given_counts_in_any_case) {
  const Gate named({"", {"Alfred.Example:80"}});
  EXPECT_FALSE(named.check_origin(asked({{"host", "alfred.example:80"}})));
  EXPECT_FALSE(named.check_origin(asked({{"host", "ALFRED.example:80"}})));
  EXPECT_TRUE(named.check_origin(asked({{"host", "localhost:80"}})));
}

TEST(Gate, R1_a_socket_file_has_no_name) {
  HttpRequest request = asked({{"host", "anything"}});
  request.is_socket_file = true;
  EXPECT_FALSE(gate().check_origin(request));
}

TEST(Gate, G3_nothing_but_the_token_counts) {
  const std::string token = "0123abcd";
  EXPECT_EQ(token_status({{"authorization", "Bearer " + token}}), 200);
  EXPECT_EQ(token_status({{"authorization", "bearer " + token}}), 200);
  for (std::size_t size = 0; size < token.size(); ++size)
    EXPECT_EQ(token_status({{"authorization", "Bearer " + token.substr(0, size)}}), 401) << size;
  EXPECT_EQ(token_status({{"authorization", "Bearer " + token + token}}), 401);
  EXPECT_EQ(token_status({{"authorization", "Bearer 0123abce"}}), 401);
  EXPECT_EQ(token_status({{"authorization", "Basic " + token}}), 401);
  EXPECT_EQ(token_status({{"authorization", token}}), 401);
  EXPECT_EQ(token_status({}), 401);
  HttpRequest in_query = asked({});
  in_query.target += "?token=" + token + "&access_token=" + token;
  EXPECT_TRUE(gate().check_token(in_query));
}

TEST(Gate, G4_changes_are_json) {
  const auto status = [](Headers headers) {
    const auto no = Gate::check_type(asked(std::move(headers)));
    return no ? no->status : 200;
  };
  EXPECT_EQ(status({{"content-type", "application/json"}}), 200);
  EXPECT_EQ(status({{"content-type", "Application/JSON; charset=utf-8"}}), 200);
  for (const char* bad : {"application/x-www-form-urlencoded", "text/plain", "multipart/form-data",
                          "application/jsonx", "text/plain; application/json", ""})
    EXPECT_EQ(status({{"content-type", bad}}), 415) << bad;
  EXPECT_EQ(status({}), 415);
}

TEST(TokenFile, R1_it_is_made_once_and_kept_for_its_owner) {
  const FolderForTests folder({});
  const std::string path = folder.path() + "/token";
  OsRandom random;
  const Token made = token_in(path, random).value();
  EXPECT_TRUE(made.is_new);
  EXPECT_EQ(made.value.size(), 64U);
  struct stat found {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  const Token again = token_in(path, random).value();
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.value, made.value);
}

TEST(TokenFile, F13_one_that_others_may_read_is_refused) {
  const FolderForTests folder({});
  const std::string path = folder.path() + "/token";
  OsRandom random;
  ASSERT_TRUE(token_in(path, random));
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  const auto read = token_in(path, random);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::access);
  EXPECT_NE(read.error().message.find("chmod 600"), std::string::npos);
}

TEST(TokenFile, R2_a_file_that_holds_no_token_is_refused) {
  const FolderForTests folder({});
  const std::string path = folder.path() + "/token";
  OsRandom random;
  ASSERT_TRUE(write_file_atomically(path, "hunter2\n", 0600));
  EXPECT_EQ(token_in(path, random).error().code, ErrorCode::access);
}

}  // namespace
}  // namespace alfred::http
