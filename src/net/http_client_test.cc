#include "net/http_client.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "net/http_server_for_tests.h"

namespace alfred {
namespace {

HttpRequest request_to(const std::string& url) {
  HttpRequest request{.url = url, .headers = {{"Content-Type", "application/json"}}, .body = "{}"};
  request.timeouts = {1'000, 300, 300, 800};
  return request;
}

HttpFault fault_at(const std::string& url) {
  const HttpOutcome outcome = HttpClient().send(request_to(url));
  EXPECT_TRUE(outcome.error) << url;
  EXPECT_FALSE(outcome.error && outcome.error->reason.empty()) << url;
  return outcome.error ? outcome.error->fault : HttpFault::cancelled;
}

TEST(HttpClient, sends_what_it_was_given_and_brings_head_and_body) {
  HttpServerForTests server([](const RequestForTests&) {
    return response_for_tests(201, "application/json", R"({"a":1})", "X-Request-Id: r7\r\n");
  });
  HttpClient client;
  const HttpOutcome outcome = client.send(request_to(server.url("/v1/x")));
  ASSERT_FALSE(outcome.error) << outcome.error->reason;
  EXPECT_EQ(outcome.head.status, 201);
  EXPECT_EQ(outcome.head.header("x-request-id"), "r7");
  EXPECT_EQ(outcome.body, R"({"a":1})");
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_TRUE(server.requests()[0].head.starts_with("POST /v1/x HTTP/1.1\r\n"));
  EXPECT_EQ(server.requests()[0].head.find("Accept-Encoding"), std::string::npos) << "D9";
  EXPECT_EQ(server.requests()[0].body, "{}");
}

TEST(HttpClient, R1_a_redirect_is_not_followed) {
  HttpServerForTests server([](const RequestForTests&) {
    return response_for_tests(302, "text/plain", "", "Location: http://169.254.169.254/\r\n");
  });
  const HttpOutcome outcome = HttpClient().send(request_to(server.url()));
  ASSERT_FALSE(outcome.error);
  EXPECT_EQ(outcome.head.status, 302);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpClient, R1_a_packed_body_is_refused) {
  HttpServerForTests server([](const RequestForTests&) {
    return response_for_tests(200, "application/json", "xx", "Content-Encoding: gzip\r\n");
  });
  EXPECT_EQ(fault_at(server.url()), HttpFault::encoded);
}

TEST(HttpClient, R2_the_first_byte_the_next_one_and_all_of_them_have_their_time) {
  HttpServerForTests silent([](const RequestForTests&) { return ResponseForTests{{"", 2'000}}; });
  EXPECT_EQ(fault_at(silent.url()), HttpFault::idle);
  HttpServerForTests stopped([](const RequestForTests&) {
    ResponseForTests out = stream_for_tests({"x"});
    out.push_back({"y", 2'000});
    return out;
  });
  HttpRequest request = request_to(stopped.url());
  request.timeouts = {1'000, 900, 100, 900};
  EXPECT_EQ(HttpClient().send(request).error->fault, HttpFault::idle);
  HttpServerForTests dripping([](const RequestForTests&) {
    ResponseForTests out = stream_for_tests({});
    for (int i = 0; i < 30; ++i) out.push_back({"x", 50});
    return out;
  });
  request = request_to(dripping.url());
  request.timeouts.total_ms = 400;
  EXPECT_EQ(HttpClient().send(request).error->fault, HttpFault::too_slow);
}

TEST(HttpClient, R2_head_and_body_are_bounded) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n";
  HttpServerForTests server([&](const RequestForTests& request) {
    if (request.head.find("/head") == std::string::npos)
      return ResponseForTests{{head + "\r\n" + std::string(5'000, 'x'), 0}};
    std::string all = head;
    for (int i = 0; i < 100; ++i)
      all += "X-" + std::to_string(i) + ": " + std::string(90, 'x') + "\r\n";
    return ResponseForTests{{all + "\r\n", 0}};
  });
  HttpRequest request = request_to(server.url());
  request.max_bytes = 5'000 + head.size() + 1;
  EXPECT_EQ(HttpClient().send(request).error->fault, HttpFault::too_large);
  request.max_bytes += 1;
  EXPECT_FALSE(HttpClient().send(request).error);
  request.url = server.url("/head");
  EXPECT_EQ(HttpClient().send(request).error->fault, HttpFault::too_large);
}

TEST(HttpClient, R2_cancelling_ends_it_at_once) {
  HttpServerForTests server([](const RequestForTests&) { return ResponseForTests{{"", 5'000}}; });
  std::atomic<bool> is_cancelled = false;
  HttpRequest request = request_to(server.url());
  request.timeouts = {};
  request.is_cancelled = [&] { return is_cancelled.load(); };
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_cancelled = true;
  });
  EXPECT_EQ(HttpClient().send(request).error->fault, HttpFault::cancelled);
  canceller.join();
}

TEST(HttpClient, R3_the_usual_variables_name_a_proxy_and_who_needs_none) {
  HttpServerForTests proxy([](const RequestForTests&) {
    return response_for_tests(200, "text/plain", "from the proxy");
  });
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  ::setenv("no_proxy", "127.0.0.1", 1);
  const HttpOutcome outcome = HttpClient().send(request_to("http://model.invalid/v1/x"));
  HttpServerForTests direct(
      [](const RequestForTests&) { return response_for_tests(200, "text/plain", "direct"); });
  const HttpOutcome past = HttpClient().send(request_to(direct.url()));
  ::unsetenv("http_proxy");
  ::unsetenv("no_proxy");
  ASSERT_FALSE(outcome.error) << outcome.error->reason;
  EXPECT_EQ(outcome.body, "from the proxy");
  EXPECT_TRUE(proxy.requests()[0].head.starts_with("POST http://model.invalid/v1/x HTTP/1.1"));
  EXPECT_EQ(past.body, "direct");
}

TEST(HttpClient, R4_who_is_not_there_is_unreachable_and_says_why) {
  std::string url;
  {
    HttpServerForTests gone([](const RequestForTests&) { return ResponseForTests(); });
    url = gone.url();
  }
  EXPECT_EQ(fault_at(url), HttpFault::unreachable);
  EXPECT_EQ(fault_at("http://nobody.invalid/"), HttpFault::unreachable);
  EXPECT_EQ(fault_at("file:///etc/hostname"), HttpFault::unreachable);
}

TEST(HttpClient, R4_a_body_that_is_cut_off_says_so) {
  HttpServerForTests server([](const RequestForTests&) {
    return ResponseForTests{{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", 0}};
  });
  EXPECT_EQ(fault_at(server.url()), HttpFault::cut);
}

TEST(HttpClient, R5_enough_is_no_error_and_a_connection_that_ends_well_is_kept) {
  HttpServerForTests server([](const RequestForTests&) {
    return chunks_for_tests({"data: a\n\n", "data: b\n\n"});
  });
  HttpClient client;
  for (int times = 0; times < 3; ++times) {
    std::string heard;
    const HttpOutcome outcome =
        client.send(request_to(server.url()), [&](const HttpHead& head, std::string_view bytes) {
          EXPECT_EQ(head.status, 200);
          heard += bytes;
          return false;
        });
    EXPECT_FALSE(outcome.error);
    EXPECT_TRUE(heard.starts_with("data: a"));
  }
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_EQ(server.connections(), 1);
  HttpServerForTests endless([](const RequestForTests&) {
    ResponseForTests out = stream_for_tests({"data: a\n\n"});
    out.push_back({"data: b\n\n", 5'000});
    return out;
  });
  EXPECT_FALSE(
      client
          .send(request_to(endless.url()), [](const HttpHead&, std::string_view) { return false; })
          .error);
}

}  // namespace
}  // namespace alfred
