#include "net/http_client.h"

#include <charconv>

#include "base/time/clock.h"
#include "net/curl_calls.h"

namespace alfred {
namespace {

constexpr int kLongestWaitMs = 50;      // between two looks at who cancels
constexpr std::int64_t kLingerMs = 50;  // for the end of an answer that was enough

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

std::int64_t now_ms() { return SystemClock().monotonic_ns() / 1'000'000; }

int status_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  int status = 0;
  if (space != std::string_view::npos && line.size() >= space + 4)
    std::from_chars(line.data() + space + 1, line.data() + space + 4, status);
  return status;
}

// One request while it runs.
class Transfer {
 public:
  Transfer(const CurlCalls& curl, const HttpRequest& request, const HttpClient::Pieces& pieces)
      : curl_(curl), request_(request), pieces_(pieces) {}

  void set_up(CURL* easy, curl_slist* headers) {
    curl_.curl_easy_reset(easy);
    curl_.curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
    curl_.curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    curl_.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    if (!request_.body.empty() || request_.method == "POST") {
      curl_.curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.c_str());
      curl_.curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                             static_cast<curl_off_t>(request_.body.size()));
    }
    curl_.curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_.curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // who cancels does not wait for a name
    if (!request_.ca_file.empty())
      curl_.curl_easy_setopt(easy, CURLOPT_CAINFO, request_.ca_file.c_str());
    curl_.curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_.curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_.curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_.curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                           static_cast<long>(request_.timeouts.connect_ms));
    curl_.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
    curl_.curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
    curl_.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    curl_.curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
    curl_.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, reason_);
  }

  // R2, R5: what ends it from our side.
  bool is_over() {
    if (outcome.error) return true;
    if (enough_at_) return now_ms() - *enough_at_ >= kLingerMs;
    if (request_.is_cancelled && request_.is_cancelled())
      return fails(HttpFault::cancelled, "it was cancelled");
    const HttpTimeouts& most = request_.timeouts;
    if (now_ms() - started_ > most.total_ms)
      return fails(HttpFault::too_slow,
                   "it took more than " + std::to_string(most.total_ms) + " ms");
    if (!is_connected_) return false;
    const std::int64_t wait = has_begun_ ? most.idle_ms : most.first_byte_ms;
    if (now_ms() - last_byte_ > wait)
      return fails(HttpFault::idle, "no byte came for " + std::to_string(wait) + " ms");
    return false;
  }

  void look_at(CURL* easy) {
    if (is_connected_) return;
    curl_off_t connected = 0;
    curl_.curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
    if (connected == 0) return;
    is_connected_ = true;
    last_byte_ = now_ms();
  }

  void end(CURLcode code) {
    if (outcome.error || enough_at_ || code == CURLE_OK) return;
    const std::string reason = reason_[0] != '\0' ? reason_ : curl_.curl_easy_strerror(code);
    fails(outcome.head.status == 0 ? HttpFault::unreachable : HttpFault::cut, reason);
  }

  HttpOutcome outcome;

 private:
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->take_header({bytes, size * count});
  }
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->take_body({bytes, size * count});
  }

  bool fails(HttpFault fault, std::string reason) {
    outcome.error = HttpError{fault, std::move(reason)};
    return true;
  }

  // Whether the bytes may be taken.
  bool count(std::size_t bytes) {
    last_byte_ = now_ms();
    has_begun_ = true;
    taken_ += bytes;
    if (taken_ <= request_.max_bytes) return true;
    fails(HttpFault::too_large,
          "the answer is larger than " + std::to_string(request_.max_bytes) + " bytes");
    return false;
  }

  std::size_t take_header(std::string_view line) {
    if (!count(line.size())) return 0;
    if (line.starts_with("HTTP/")) {
      outcome.head = {};
      outcome.head.status = status_of(line);
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      outcome.head.headers[lower(trimmed(line.substr(0, colon)))] = trimmed(line.substr(colon + 1));
    }
    return line.size();
  }

  std::size_t take_body(std::string_view bytes) {
    const std::string encoding = lower(outcome.head.header("content-encoding"));
    if (!encoding.empty() && encoding != "identity") {
      fails(HttpFault::encoded, "the body is packed, which nobody asked for");
      return 0;
    }
    if (!count(bytes.size())) return 0;
    if (enough_at_) return bytes.size();
    if (!pieces_) {
      outcome.body += bytes;
    } else if (!pieces_(outcome.head, bytes)) {
      enough_at_ = now_ms();
    }
    return bytes.size();
  }

  const CurlCalls& curl_;
  const HttpRequest& request_;
  const HttpClient::Pieces& pieces_;
  const std::int64_t started_ = now_ms();
  std::int64_t last_byte_ = started_;
  std::size_t taken_ = 0;
  bool is_connected_ = false;
  bool has_begun_ = false;
  std::optional<std::int64_t> enough_at_{};
  char reason_[CURL_ERROR_SIZE] = {};
};

}  // namespace

struct HttpClient::Handles {
  explicit Handles(const CurlCalls& with)
      : curl(with), multi(curl.curl_multi_init()), easy(curl.curl_easy_init()) {}
  ~Handles() {
    curl.curl_easy_cleanup(easy);
    curl.curl_multi_cleanup(multi);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  const CurlCalls& curl;
  CURLM* multi;
  CURL* easy;
};

HttpClient::HttpClient() = default;
HttpClient::~HttpClient() = default;

HttpOutcome HttpClient::send(const HttpRequest& request, const Pieces& pieces) {
  const Result<CurlCalls>& calls = curl_calls();
  if (!calls) {
    HttpOutcome outcome;
    outcome.error = HttpError{HttpFault::unreachable, calls.error().message};
    return outcome;
  }
  const CurlCalls& curl = *calls;
  if (!handles_) handles_ = std::make_unique<Handles>(curl);
  curl_slist* headers = nullptr;
  for (const auto& [name, value] : request.headers) {
    std::string line = name;
    headers = curl.curl_slist_append(headers, line.append(": ").append(value).c_str());
  }
  headers = curl.curl_slist_append(headers, "Expect:");
  Transfer transfer(curl, request, pieces);
  transfer.set_up(handles_->easy, headers);
  curl.curl_multi_add_handle(handles_->multi, handles_->easy);
  for (int running = 1; running > 0;) {
    curl.curl_multi_perform(handles_->multi, &running);
    transfer.look_at(handles_->easy);
    if (running == 0 || transfer.is_over()) break;
    curl.curl_multi_poll(handles_->multi, nullptr, 0, kLongestWaitMs, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl.curl_multi_info_read(handles_->multi, &left))
    if (message->msg == CURLMSG_DONE) transfer.end(message->data.result);
  curl.curl_multi_remove_handle(handles_->multi, handles_->easy);
  curl.curl_easy_reset(handles_->easy);  // it must not remember the transfer
  curl.curl_slist_free_all(headers);
  return std::move(transfer.outcome);
}

}  // namespace alfred
