#include "surface/http/wire/plain_head.h"

#include <gtest/gtest.h>

namespace alfred::http {
namespace {

std::optional<PlainHead> read(std::string_view lines) {
  return read_plain_head(std::string(lines) + "\r\n", 8);
}

TEST(PlainHead, R2_what_clients_send_is_taken) {
  const std::optional<PlainHead> head = read(
      "POST /v1/a?b=c HTTP/1.1\r\nHost: localhost:8177\r\nX-Odd:  a b \r\ncontent-LENGTH: 12\r\n"
      "Connection: Keep-Alive\r\nEmpty:\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->request.method, "POST");
  EXPECT_EQ(head->request.target, "/v1/a?b=c");
  EXPECT_EQ(head->request.headers, (Headers{{"host", "localhost:8177"},
                                            {"x-odd", "a b"},
                                            {"content-length", "12"},
                                            {"connection", "Keep-Alive"},
                                            {"empty", ""}}));
  EXPECT_EQ(head->length, 12U);
  EXPECT_TRUE(head->request.keeps_alive);
  EXPECT_FALSE(head->request.is_old);
  EXPECT_FALSE(read("GET / HTTP/1.1\r\nConnection: close\r\n")->request.keeps_alive);
  EXPECT_TRUE(read("GET / HTTP/1.1\r\n"));
}

TEST(PlainHead, R2_what_is_rare_or_wrong_is_left) {
  for (const char* line :
       {"GET / HTTP/1.0\r\n", "GET / HTTP/1.2\r\n", "GET /\r\n", "GET  / HTTP/1.1\r\n",
        "GET / a HTTP/1.1\r\n", " / HTTP/1.1\r\n", "get / HTTP/1.1\r\n", "G-T / HTTP/1.1\r\n",
        "GET http://h/ HTTP/1.1\r\n", "OPTIONS * HTTP/1.1\r\n", "GET /\x80 HTTP/1.1\r\n",
        "GET /\t HTTP/1.1\r\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1", "\r\nGET / HTTP/1.1\r\n"})
    EXPECT_FALSE(read(line)) << line;
  for (const char* field : {"Content-Length: 1\r\nContent-Length: 1",
                            "Content-Length: -1",
                            "Content-Length: +1",
                            "Content-Length: 1, 1",
                            "Content-Length: 0x1",
                            "Content-Length:",
                            "Content-Length: 1 1",
                            "Content-Length: 1234567890123456",
                            "Transfer-Encoding: chunked",
                            "transfer-encoding: identity",
                            "Content-Encoding: identity",
                            "Expect: 100-continue",
                            "Upgrade: h2c",
                            "Proxy-Connection: close",
                            "Connection: upgrade",
                            "Connection: close, keep-alive",
                            "Connection: close\r\nConnection: close",
                            "X : a",
                            ": a",
                            "X",
                            "X\ty: a",
                            "X: a\tb",
                            "X: \x7f",
                            "X: \xc3\xa9",
                            "X: a\r\n b",
                            "X: a\rb",
                            "X: a\nb"})
    EXPECT_FALSE(read("GET / HTTP/1.1\r\n" + std::string(field) + "\r\n")) << field;
  EXPECT_FALSE(read(std::string_view("GET / HTTP/1.1\r\nX: a\0b\r\n", 24)));
}

TEST(PlainHead, R2_as_many_fields_as_are_allowed_and_no_more) {
  std::string many = "GET / HTTP/1.1\r\n";
  for (int at = 0; at < 8; ++at) many += "X: a\r\n";
  EXPECT_TRUE(read(many));
  EXPECT_FALSE(read(many + "X: a\r\n"));
}

}  // namespace
}  // namespace alfred::http
