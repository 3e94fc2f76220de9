#include "surface/http/wire/request_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/test_seed.h"
#include "base/test_size.h"

namespace alfred::http {
namespace {

using State = RequestReader::State;

// The status that these bytes get: 0 for a whole request, -1 when more is waited for.
int status_of(std::string_view bytes, const ReaderLimits& limits = {}) {
  RequestReader reader(limits);
  const State state = reader.put(bytes);
  if (state == State::refused) return reader.refusal().status;
  return state == State::done ? 0 : -1;
}

// The same head with a field that only the parser of all of HTTP takes (plain_head.h, R2).
std::string unusual(std::string_view bytes) {
  std::size_t begin = 0;
  while (bytes.substr(begin).starts_with("\r\n")) begin += 2;  // before a request they are nothing
  const std::size_t line = bytes.find("\r\n", begin);
  if (line == std::string_view::npos) return std::string(bytes);
  return std::string(bytes.substr(0, line)) + "\r\nUpgrade: none" + std::string(bytes.substr(line));
}

// The status, which is the same whoever reads the head; -2: it is not.
int status_by_both(std::string_view bytes) {
  const int status = status_of(bytes);
  return status == status_of(unusual(bytes)) ? status : -2;
}

std::string post(std::string_view headers, std::string_view body) {
  return "POST /a HTTP/1.1\r\nHost: h\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

TEST(RequestReader, R3_a_request_comes_in_any_pieces) {
  const std::string bytes =
      post("Content-Length: 5\r\nX-Name:  v \r\n", "hello") + "GET /b HTTP/1.1\r\n";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    RequestReader reader;
    for (std::size_t at = 0; at < bytes.size(); at += size) reader.put(bytes.substr(at, size));
    ASSERT_EQ(reader.state(), State::done) << size;
    const HttpRequest request = reader.take();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/a");
    EXPECT_EQ(request.header("x-name"), "v");
    EXPECT_EQ(request.body, "hello");
    EXPECT_EQ(reader.state(), State::head);
  }
}

TEST(RequestReader, R3_chunks_are_put_together) {
  RequestReader reader;
  reader.put(post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"));
  ASSERT_EQ(reader.state(), State::done);
  EXPECT_EQ(reader.take().body, "abcde");
}

TEST(RequestReader, G5_what_two_programs_read_in_two_ways_is_refused) {
  EXPECT_EQ(
      status_by_both(post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
      400);
  EXPECT_EQ(
      status_by_both(post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n")),
      400);
  EXPECT_EQ(status_by_both(post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc")), 400);
  EXPECT_EQ(status_by_both(post("Content-Length: 3, 3\r\n", "abc")), 400);
  EXPECT_EQ(status_by_both(post("Content-Length: -1\r\n", "abc")), 400);
  EXPECT_EQ(status_by_both(post("Content-Length: +3\r\n", "abc")), 400);
  EXPECT_EQ(status_by_both(post("Content-Length: 99999999999999999999\r\n", "abc")), 400);
  EXPECT_EQ(status_by_both(post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")), 400);
  EXPECT_EQ(status_by_both(post("Transfer-Encoding: identity\r\n", "")), 400);
  EXPECT_EQ(status_by_both(
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
            400);
  EXPECT_EQ(status_by_both("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
}

TEST(RequestReader, G5_chunks_that_lie_are_refused) {
  const auto chunked = [](std::string_view body) {
    return status_by_both(post("Transfer-Encoding: chunked\r\n", body));
  };
  EXPECT_EQ(chunked("-2\r\nab\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(chunked("zz\r\n"), 400);
  EXPECT_EQ(chunked("ffffffffffffffff\r\nab\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(chunked("2\r\nab\r\n00000000fffffffff\r\nab"), 400);
  EXPECT_EQ(chunked("fffffff\r\nab\r\n0\r\n\r\n"), 413);
  EXPECT_EQ(chunked("2\r\nabX\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(chunked("2\r\nab\r\n"), -1);  // the final one is waited for, and never made up
}

TEST(RequestReader, G5_chunks_with_a_bare_line_feed_are_refused_at_once) {
  const auto chunked = [](std::string_view body) {
    return status_by_both(post("Transfer-Encoding: chunked\r\n", body));
  };
  EXPECT_EQ(chunked("2\n"), 400);
  EXPECT_EQ(chunked("2\nab\n0\n\n"), 400);
  EXPECT_EQ(chunked("2\r\nab\n"), 400);
  EXPECT_EQ(chunked("2\rab"), 400);
  EXPECT_EQ(chunked("2;a\tb\r\nab\r\n0\r\n\r\n"), 0);
  EXPECT_EQ(chunked(std::string("2;a\0b", 5)), 400);
  EXPECT_EQ(chunked(" 2\r\n"), 400);
  EXPECT_EQ(chunked("2 \r\n"), 400);
  EXPECT_EQ(chunked("0x2\r\n"), 400);
  EXPECT_EQ(chunked("\r\n"), 400);
  EXPECT_EQ(chunked("0\r\n\n"), 400);
  EXPECT_EQ(chunked("0\r\nX: a\n"), 400);
  EXPECT_EQ(chunked("0\r\nX: a\r\n b\r\n\r\n"), 400);
  EXPECT_EQ(chunked("0\r\nno field\r\n\r\n"), 400);
  EXPECT_EQ(chunked("0\r\nX : a\r\n\r\n"), 400);
  EXPECT_EQ(chunked(std::string(9000, '1')), 400);
}

TEST(RequestReader, R6_fields_behind_the_body_never_count) {
  const std::string bytes =
      post("Transfer-Encoding: chunked\r\n",
           "2\r\n{}\r\n0\r\nAuthorization: Bearer a\r\nHost: evil\r\nIdempotency-Key: k\r\n"
           "Connection: close\r\nContent-Length: 7\r\nOrigin: null\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
  for (const std::size_t size : {bytes.size(), std::size_t{1}}) {
    RequestReader reader;
    for (std::size_t at = 0; at < bytes.size(); at += size) reader.put(bytes.substr(at, size));
    ASSERT_EQ(reader.state(), State::done);
    const HttpRequest request = reader.take();
    EXPECT_EQ(request.headers, (Headers{{"host", "h"}, {"transfer-encoding", "chunked"}}));
    EXPECT_TRUE(request.keeps_alive);
    EXPECT_EQ(request.body, "{}");
    ASSERT_EQ(reader.state(), State::done);
    EXPECT_EQ(reader.take().target, "/b");
  }
}

TEST(RequestReader, R6_fields_behind_the_body_share_the_limits_of_headers) {
  ReaderLimits limits;
  limits.header_count = 4;
  limits.header_bytes = 200;
  const auto with = [&](std::string_view trailer) {
    return status_of(
        post("Transfer-Encoding: chunked\r\n", "0\r\n" + std::string(trailer) + "\r\n"), limits);
  };
  EXPECT_EQ(with("A: a\r\nB: b\r\n"), 0);
  EXPECT_EQ(with("A: a\r\nB: b\r\nC: c\r\n"), 431);
  EXPECT_EQ(with("A: " + std::string(100, 'a') + "\r\n"), 0);
  EXPECT_EQ(with("A: " + std::string(200, 'a') + "\r\n"), 431);
  EXPECT_EQ(with("A: " + std::string(200, 'a')), 431);  // before its end has come
}

TEST(RequestReader, R7_the_head_is_known_before_the_body_is_read) {
  RequestReader reader;
  reader.put("POST /a HTTP/1.1\r\nHost: h\r\n");
  EXPECT_EQ(reader.head(), nullptr);
  ASSERT_EQ(reader.put("Content-Length: 2\r\n\r\n"), State::body);
  ASSERT_NE(reader.head(), nullptr);
  EXPECT_EQ(reader.head()->header("content-length"), "2");
  ASSERT_EQ(reader.put("{}"), State::done);
  EXPECT_EQ(reader.take().body, "{}");
  EXPECT_EQ(reader.head(), nullptr);
  ASSERT_EQ(reader.put(post("Content-Length: 9000000\r\n", "")), State::refused);
  ASSERT_NE(reader.head(), nullptr);
  EXPECT_EQ(reader.head()->target, "/a");
}

TEST(RequestReader, R7_a_body_that_is_packed_or_expects_more_is_refused) {
  EXPECT_EQ(status_by_both(post("Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}")), 415);
  EXPECT_EQ(status_by_both(post("Content-Encoding: Identity\r\nContent-Length: 2\r\n", "{}")), 0);
  EXPECT_EQ(status_by_both(post("Expect: foo\r\nContent-Length: 2\r\n", "{}")), 417);
  EXPECT_EQ(status_by_both(post("Expect: 100-Continue\r\nContent-Length: 2\r\n", "{}")), 0);
  EXPECT_EQ(
      status_by_both(post("Expect: 100-continue\r\nExpect: foo\r\nContent-Length: 2\r\n", "{}")),
      417);
}

TEST(RequestReader, G5_what_ends_before_it_is_whole_is_refused) {
  for (const char* cut : {"GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab",
                          "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"}) {
    RequestReader reader;
    reader.put(cut);
    EXPECT_EQ(reader.end(), State::refused) << cut;
    EXPECT_EQ(reader.refusal().status, 400);
  }
  RequestReader reader;
  EXPECT_EQ(reader.end(), State::idle);
  reader.put("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(reader.end(), State::done);
}

TEST(RequestReader, G5_bytes_that_do_not_belong_in_a_head_are_refused) {
  EXPECT_EQ(status_by_both("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n\tb\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("GET / HTTP/1.1\nHost: h\n\n"), 400);
  EXPECT_EQ(status_by_both("GET / HTTP/1.1\r\nHost: h\rX: a\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both(std::string("GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", 27)), 400);
  EXPECT_EQ(status_by_both("GET / HTTP/1.1\r\nX : a\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("GET / HTTP/1.1\r\n: a\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("G\x01T / HTTP/1.1\r\n\r\n"), 400);
}

TEST(RequestReader, G6_a_body_is_as_large_as_the_limit_and_no_larger) {
  ReaderLimits limits;
  limits.body = 10;
  const std::string ten(10, 'a');
  EXPECT_EQ(status_of(post("Content-Length: 10\r\n", ten), limits), 0);
  EXPECT_EQ(status_of(post("Content-Length: 11\r\n", ""), limits), 413);
  EXPECT_EQ(
      status_of(post("Transfer-Encoding: chunked\r\n", "a\r\n" + ten + "\r\n0\r\n\r\n"), limits),
      0);
  EXPECT_EQ(status_of(post("Transfer-Encoding: chunked\r\n", "a\r\n" + ten + "\r\n1\r\n"), limits),
            413);
}

TEST(RequestReader, R2_heads_have_limits) {
  const ReaderLimits limits;
  const std::string line(limits.request_line - 14, 'a');
  EXPECT_EQ(status_of("GET /" + line + " HTTP/1.1\r\n\r\n"), 0);
  EXPECT_EQ(status_of("GET /" + line + "a HTTP/1.1\r\n\r\n"), 414);
  EXPECT_EQ(status_of("GET /" + line + line), 414);
  std::string many = "GET / HTTP/1.1\r\n";
  for (std::size_t at = 0; at < limits.header_count; ++at) many += "X: a\r\n";
  EXPECT_EQ(status_of(many + "\r\n"), 0);
  EXPECT_EQ(status_of(many + "X: a\r\n\r\n"), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: " + std::string(limits.header_bytes, 'a')), 431);
}

TEST(RequestReader, G8_requests_behind_each_other_do_not_mix) {
  std::string bytes;
  for (int at = 0; at < 100; ++at)
    bytes += "POST /" + std::to_string(at) + " HTTP/1.1\r\nContent-Length: 2\r\n\r\n" +
             std::to_string(at % 10) + "x";
  RequestReader reader;
  reader.put(bytes);
  for (int at = 0; at < 100; ++at) {
    ASSERT_EQ(reader.state(), State::done);
    const HttpRequest request = reader.take();
    EXPECT_EQ(request.target, "/" + std::to_string(at));
    EXPECT_EQ(request.body, std::to_string(at % 10) + "x");
  }
  EXPECT_EQ(reader.state(), State::idle);
}

TEST(RequestReader, G8_other_protocols_get_a_refusal) {
  EXPECT_EQ(status_by_both("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("GET / HTTP/3.0\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("GET /\r\n\r\n"), 400);
  EXPECT_EQ(status_by_both("\x16\x03\x01\x02"), 400);
}

TEST(RequestReader, G9_a_path_is_read_in_one_way) {
  for (const char* good : {"/", "/healthz", "/v1/sessions/ses_7k2f9m3qw1bx", "/a.b/c..d", "/a%20b",
                           "/b%C3%A9a", "/%e7%8b%90/inbox", "/team%2Fa:b"})
    EXPECT_TRUE(is_plain_path(good)) << good;
  for (const char* bad :
       {"",        "a",         "//",    "/a//b",      "/..",     "/a/../b",    "/%2e%2e/a",
        "/%2E./a", "/a/%2f/b",  "/a%00", "/%",         "/%1",     "/%zz",       "/\xc0\xaf",
        "/%c0%af", "/a b",      "/a\\b", "*",          "/a%5Cb",  "/a%0Ab",     "/%7f",
        "/%c2%85", "/\xc3\xa9", "/%c3",  "/%ed%a0%80", "/%2F%2F", "/%20/%2E%2E"})
    EXPECT_FALSE(is_plain_path(bad)) << bad;
}

// What one request is, or why it is none, in one text; without the field of unusual().
std::string told(std::string_view bytes) {
  RequestReader reader;
  const State state = reader.put(bytes);
  if (state == State::refused) return "refused " + std::to_string(reader.refusal().status);
  if (state != State::done) return "waits";
  HttpRequest request = reader.take();
  std::erase(request.headers, std::pair<std::string, std::string>("upgrade", "none"));
  std::stable_sort(request.headers.begin(), request.headers.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::string out = request.method + " " + request.target + (request.keeps_alive ? " +" : " -") +
                    (request.is_old ? " old" : "") + "\n";
  for (const auto& [name, value] : request.headers) out += name + "=" + value + "\n";
  return out + request.body;
}

TEST(RequestReader, R8_G5_heads_of_any_shape_mean_the_same_by_both_readers) {
  const std::vector<std::string> heads{
      "GET /healthz HTTP/1.1\r\nHost: localhost:8177\r\n\r\n",
      "POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: */*\r\n"
      "Content-Length: 12\r\nConnection: keep-alive\r\n\r\n{\"a\":\"bcde\"}",
      "DELETE /v1/a%20b?c=d&e HTTP/1.1\r\nhost:  h \r\nX: \r\nX: b: c\r\nConnection: Close\r\n\r\n",
      "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTE: x\r\n\r\n1\r\na\r\n0\r\n\r\n"};
  using namespace std::string_view_literals;
  constexpr std::string_view bytes = "\0\t\r\n :/\x7f\x80\xff,;=+-019aZ_%HTCcLl\"(){}"sv;
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "ALFRED_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  std::size_t taken = 0;
  const std::size_t rounds = test_size({2000, 10'000, 200'000});
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string head = heads[below(heads.size())];
    for (std::size_t change = below(4); change > 0; --change) {
      const std::size_t at = below(head.size());
      switch (below(4)) {
        case 0: head[at] = bytes[below(bytes.size())]; break;
        case 1: head.insert(at, 1, bytes[below(bytes.size())]); break;
        case 2: head.erase(at, 1 + below(3)); break;
        default: {  // a line once more
          const std::size_t from = head.rfind("\r\n", at);
          const std::size_t end = head.find("\r\n", at + 1);
          if (from != std::string::npos && end != std::string::npos && end > from)
            head.insert(end, head.substr(from, end - from));
        }
      }
    }
    const std::string one = told(head);
    taken += one.starts_with("refused") || one == "waits" ? 0U : 1U;
    ASSERT_EQ(one, told(unusual(head))) << "round " << round << "\n" << head;
  }
  EXPECT_GT(taken, rounds / 5);
}

TEST(RequestReader, R1_nothing_is_read_after_a_refusal) {
  RequestReader reader;
  reader.put("GET / HTTP/9.9\r\n\r\n");
  EXPECT_EQ(reader.put("GET / HTTP/1.1\r\n\r\n"), State::refused);
}

TEST(RequestReader, R5_an_absolute_target_names_the_host_that_counts) {
  RequestReader reader{ReaderLimits{}};
  ASSERT_EQ(reader.put("GET HTTP://evil.com:8177/v1/x?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            RequestReader::State::done);
  HttpRequest request = reader.take();
  EXPECT_EQ(request.target, "/v1/x?limit=1");
  EXPECT_EQ(request.header("host"), "evil.com:8177");
  ASSERT_EQ(reader.put("GET http://localhost:1 HTTP/1.1\r\nHost: x\r\n\r\n"),
            RequestReader::State::done);
  request = reader.take();
  EXPECT_EQ(request.target, "/");
  EXPECT_EQ(request.header("host"), "localhost:1");
  ASSERT_EQ(reader.put("GET https://localhost/a HTTP/1.1\r\nHost: x\r\n\r\n"),
            RequestReader::State::done);
  EXPECT_FALSE(is_plain_path(reader.take().path()));
}

}  // namespace
}  // namespace alfred::http
