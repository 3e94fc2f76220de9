#include "surface/http/page/page.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/files/embedded_file.h"
#include "surface/http/api/route.h"

namespace alfred {

std::span<const EmbeddedFile> embedded_web();

namespace http {
namespace {

constexpr std::string_view kFolder = "/page/";

const EmbeddedFile* file_of(std::string_view path) {
  const std::string_view name = path == "/"                 ? "index.html"
                                : path.starts_with(kFolder) ? path.substr(kFolder.size())
                                                            : std::string_view();
  if (name.empty()) return nullptr;
  for (const EmbeddedFile& file : embedded_web())
    if (file.name == name) return &file;
  return nullptr;
}

std::string type_of(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  return "text/html; charset=utf-8";
}

}  // namespace

bool is_page(std::string_view path) { return file_of(path) != nullptr; }

HttpResponse page_response(const HttpRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse out = error_response(
        Error{ErrorCode::request, "The page is only looked at: GET, HEAD.", "method", {}, {}}, 405);
    out.headers.emplace_back("Allow", "GET, HEAD");
    return out;
  }
  const EmbeddedFile& file = *file_of(request.path());
  HttpResponse out;
  out.type = type_of(file.name);
  out.cache = "no-cache";
  const std::string tag = fmt::format("\"{}\"", quick_digest(file.text()));
  out.headers = {{"ETag", tag},
                 {"Content-Security-Policy", std::string(kPagePolicy)},
                 {"Referrer-Policy", "no-referrer"},
                 {"Cross-Origin-Opener-Policy", "same-origin"},
                 {"Cross-Origin-Resource-Policy", "same-origin"}};
  if (request.header("if-none-match").find(tag) != std::string_view::npos)
    out.status = 304;
  else
    out.body = std::string(file.text());
  return out;
}

}  // namespace http
}  // namespace alfred
