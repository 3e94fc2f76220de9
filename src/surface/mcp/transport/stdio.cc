#include "surface/mcp/transport/stdio.h"

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <functional>
#include <istream>
#include <mutex>
#include <new>
#include <ostream>
#include <thread>
#include <utility>

namespace alfred::mcp {
namespace {

// Both threads send.
class LineSink final : public McpSink {
 public:
  explicit LineSink(std::ostream& out) : out_(out) {}
  void send(std::string message) override {
    const std::lock_guard lock(mutex_);
    if (is_broken_) return;
    errno = 0;
    out_ << message << '\n' << std::flush;
    is_broken_ = !out_;
    is_left_ = is_broken_ && errno == EPIPE;
  }
  void finish() override {}
  bool is_broken() {
    const std::lock_guard lock(mutex_);
    return is_broken_;
  }
  // It is broken because nobody reads any more.
  bool is_left() {
    const std::lock_guard lock(mutex_);
    return is_left_;
  }

 private:
  std::ostream& out_;
  std::mutex mutex_;
  bool is_broken_ = false;
  bool is_left_ = false;
};

// One line without its end; of one that is too long nothing is kept but that.
struct Line {
  std::string text{};
  bool is_too_long = false;
};

bool read_line(std::istream& in, Line& line) {
  line = {};
  std::streambuf& bytes = *in.rdbuf();
  for (;;) {
    const int byte = bytes.sbumpc();
    if (byte == std::char_traits<char>::eof()) return !line.text.empty() || line.is_too_long;
    if (byte == '\n') return true;
    if (line.text.size() >= kMostMessageBytes) {
      line.is_too_long = true;
      line.text.clear();
    }
    if (!line.is_too_long) line.text += static_cast<char>(byte);
  }
}

// Lines that were read and not looked at yet; a thread of its own reads, so that a cancellation
// reaches what waits and what runs.
class Arrivals {
 public:
  void add(RpcResult<RpcMessage> message) {
    const std::lock_guard lock(mutex_);
    if (!(message && message->method == "notifications/cancelled" && strike_out(*message)))
      waiting_.push_back(std::move(message));
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }
  // There is something to do beside messages.
  void poke() {
    const std::lock_guard lock(mutex_);
    is_poked_ = true;
    changed_.notify_all();
  }
  // Nothing at the end, or after a poke. The message is the one that runs until the next call; then
  // `stop` is set when it is cancelled.
  std::optional<RpcResult<RpcMessage>> next(std::shared_ptr<StopFlag>& stop) {
    std::unique_lock lock(mutex_);
    running_.reset();
    changed_.wait(lock, [&] { return is_closed_ || is_poked_ || !waiting_.empty(); });
    is_poked_ = false;
    if (waiting_.empty()) return std::nullopt;
    RpcResult<RpcMessage> first = std::move(waiting_.front());
    waiting_.pop_front();
    stop = std::make_shared<StopFlag>(false);
    if (first && first->kind == MessageKind::request) running_.emplace(Running{first->id, stop});
    changed_.notify_all();
    return first;
  }
  bool is_over() {
    const std::lock_guard lock(mutex_);
    return is_closed_ && waiting_.empty();
  }
  // Whoever sends faster than we answer waits in its pipe.
  void wait_for_room() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
  }

 private:
  static constexpr std::size_t kMostWaiting = 64;

  struct Running {
    Json id;
    std::shared_ptr<StopFlag> stop;
  };

  bool strike_out(const RpcMessage& cancelled) {
    const Json* const id = cancelled.params.if_contains("requestId");
    if (id != nullptr && running_ && running_->id == *id) {
      *running_->stop = true;
      return true;
    }
    return id != nullptr && std::erase_if(waiting_, [&](const RpcResult<RpcMessage>& one) {
                              return one && one->kind == MessageKind::request && one->id == *id;
                            }) > 0;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<RpcResult<RpcMessage>> waiting_;
  std::optional<Running> running_;
  bool is_closed_ = false;
  bool is_poked_ = false;
};

// What needs neither rows nor what comes before it (R5).
bool is_quick(const RpcMessage& message) {
  if (message.kind != MessageKind::request || message.fault) return false;
  return message.method == "server/discover" ||
         (message.method == "ping" && !McpEndpoint::is_modern(message));
}

class Reader {
 public:
  using Answer = std::function<void(const RpcMessage& quick)>;

  Reader(std::istream& in, Arrivals& inbox, Answer answer)
      : in_(in), inbox_(inbox), answer_(std::move(answer)) {}

  void run() {
    Line line;
    for (bool goes_on = true; goes_on;) {
      try {
        goes_on = read_line(in_, line);
        if (goes_on) read_one(line);
      } catch (const std::bad_alloc&) {  // what is left of the line reads as none
        inbox_.add(rpc_fail(RpcCode::internal, "There is not enough memory for this message."));
      }
    }
    inbox_.close();
  }

 private:
  void read_one(const Line& line) {
    if (line.text.find_first_not_of(" \t\r") == std::string::npos && !line.is_too_long) return;
    if (line.is_too_long) {
      inbox_.wait_for_room();
      return inbox_.add(rpc_fail(RpcCode::invalid_request, "A message has at most 4 MiB."));
    }
    RpcResult<RpcMessage> message = read_message(line.text);
    if (message && is_quick(*message)) return answer_(*message);
    inbox_.wait_for_room();
    inbox_.add(std::move(message));
  }

  std::istream& in_;
  Arrivals& inbox_;
  Answer answer_;
};

}  // namespace

bool serve_stdio(McpEndpoint& endpoint, std::istream& in, std::ostream& out, Errands* errands) {
  const auto sink = std::make_shared<LineSink>(out);
  McpPeer peer;
  peer.stream = sink;
  endpoint.attach(peer);
  Arrivals inbox;
  std::thread reader([&] {
    Reader(in, inbox, [&](const RpcMessage& quick) { endpoint.receive(quick, peer, sink); }).run();
  });
  if (errands != nullptr) errands->listen([&inbox] { inbox.poke(); });
  while (!inbox.is_over()) {
    const std::optional<RpcResult<RpcMessage>> message = inbox.next(peer.stop);
    if (errands != nullptr) errands->run();
    if (!message) continue;
    if (!*message)
      sink->send(write_json(error_message(message->error().id, message->error())));
    else
      endpoint.receive(**message, peer, sink);
    if (sink->is_broken()) break;
  }
  if (errands != nullptr) errands->listen({});
  if (sink->is_broken())
    while (!inbox.is_over()) inbox.next(peer.stop);
  else
    endpoint.finish();
  reader.join();
  endpoint.detach(peer);
  return !sink->is_broken() || sink->is_left();
}

}  // namespace alfred::mcp
