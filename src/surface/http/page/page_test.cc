// The page's files as a browser gets them.
#include "surface/http/page/page.h"

#include <map>

#include <gtest/gtest.h>

#include "base/files/embedded_file.h"

namespace alfred {
std::span<const EmbeddedFile> embedded_web();
}

namespace alfred::http {
namespace {

HttpRequest ask(std::string method, std::string target, Headers headers = {}) {
  HttpRequest request;
  request.method = std::move(method);
  request.target = std::move(target);
  request.headers = std::move(headers);
  return request;
}

std::string header(const HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return "";
}

TEST(Page, R1_the_page_and_its_files_have_paths_and_nothing_else_has) {
  for (const char* path : {"/", "/page/main.js", "/page/style.css", "/page/index.html"})
    EXPECT_TRUE(is_page(path)) << path;
  for (const char* path : {"", "/index.html", "/main.js", "/page", "/page/", "/page/none.js",
                           "/page/../CMakeLists.txt", "/page//main.js", "/page/main.js/", "/v1"})
    EXPECT_FALSE(is_page(path)) << path;
}

TEST(Page, R1_a_query_changes_nothing) {
  EXPECT_EQ(page_response(ask("GET", "/?a=b")).body, page_response(ask("GET", "/")).body);
}

TEST(Page, files_come_whole_and_with_their_types) {
  const std::map<std::string, std::string> types{
      {"/", "text/html; charset=utf-8"},
      {"/page/main.js", "text/javascript; charset=utf-8"},
      {"/page/style.css", "text/css; charset=utf-8"}};
  for (const auto& [path, type] : types) {
    const HttpResponse response = page_response(ask("GET", path));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.type, type);
    EXPECT_GT(response.body.size(), 100U) << path;
  }
  EXPECT_TRUE(page_response(ask("GET", "/")).body.starts_with("<!doctype html>"));
}

TEST(Page, R3_every_file_says_what_it_may_do) {
  for (const char* path : {"/", "/page/main.js"}) {
    const HttpResponse response = page_response(ask("GET", path));
    EXPECT_EQ(header(response, "Content-Security-Policy"),
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    EXPECT_EQ(header(response, "Referrer-Policy"), "no-referrer");
  }
}

TEST(Page, R4_what_a_browser_has_is_not_sent_again) {
  const HttpResponse first = page_response(ask("GET", "/"));
  const std::string tag = header(first, "ETag");
  EXPECT_EQ(first.cache, "no-cache");
  EXPECT_EQ(tag.size(), 34U);
  const HttpResponse again = page_response(ask("GET", "/", {{"if-none-match", tag}}));
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(header(again, "ETag"), tag);
  EXPECT_EQ(page_response(ask("GET", "/page/main.js", {{"if-none-match", tag}})).status, 200);
}

TEST(Page, it_is_looked_at_and_nothing_else) {
  // The connection leaves the body out; its length is told.
  EXPECT_EQ(page_response(ask("HEAD", "/")).body, page_response(ask("GET", "/")).body);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    const HttpResponse response = page_response(ask(method, "/"));
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(header(response, "Allow"), "GET, HEAD");
  }
}

TEST(Page, no_file_of_it_makes_markup_of_text_or_names_another_host) {
  ASSERT_GT(embedded_web().size(), 10U);
  for (const EmbeddedFile& file : embedded_web()) {
    EXPECT_TRUE(is_page("/page/" + std::string(file.name)));
    for (const char* word : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
                             "eval(", "new Function", "srcdoc", "style=", "onclick=", "https://"})
      EXPECT_EQ(file.text().find(word), std::string_view::npos) << file.name << " " << word;
  }
}

}  // namespace
}  // namespace alfred::http
