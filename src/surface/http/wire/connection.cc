#include "surface/http/wire/connection.h"

#include <sys/socket.h>

#include <array>
#include <exception>
#include <system_error>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/kept_moment.h"

// GCC 12 sees how asio gets the memory of a coroutine and not how it gives it back, and takes the
// two for strangers.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace alfred::http {
namespace {

// GCC 12 makes code that traps of a co_await inside of a condition or a larger expression: here
// each stands alone.
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

std::string head_of(const HttpResponse& response, bool keeps_alive, bool is_chunked) {
  constexpr std::size_t kMostHeads = 256;
  std::string out;
  out.reserve(kMostHeads + response.body.size());
  const auto put = [&](std::string_view name, std::string_view value) {
    (((out += name) += ": ") += value) += "\r\n";
  };
  ((out += "HTTP/1.1 ") += fmt::format_int(response.status).c_str()) += ' ';
  (out += reason_phrase(response.status)) += "\r\n";
  if (!response.type.empty()) put("Content-Type", response.type);
  if (is_chunked)
    put("Transfer-Encoding", "chunked");
  else if (!response.stream && !response.live && response.status != 304)
    put("Content-Length", fmt::format_int(response.body.size()).c_str());
  put("Cache-Control", response.cache);
  put("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) put(name, value);
  out += keeps_alive ? "\r\n" : "Connection: close\r\n\r\n";
  return out;
}

HttpResponse answered(HttpHandler& handler, const HttpRequest& request) {
  try {
    return handler.answer(request);
  } catch (const std::system_error&) {  // no thread for it (F12)
    return handler.refuse({503, "There are no threads left for this. Try again in a moment."});
  } catch (const std::exception&) {  // of third-party code, or no memory
    return handler.refuse({500, "Alfred could not answer this. Nothing is half done; try again."});
  }
}

}  // namespace

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Said";
  }
}

Connection::Connection(Workplace& place, Socket socket, Peer peer)
    : place_(place),
      socket_(std::move(socket)),
      peer_(std::move(peer)),
      reader_(place.limits.reader),
      wake_(place.io()) {
  enter(Phase::head);  // who connects and says nothing has as long as who says little
}

void Connection::enter(Phase phase) {
  if (phase == phase_ && deadline_ != Moment()) return;
  phase_ = phase;
  since_ = std::chrono::steady_clock::now();
  const ServerLimits& limits = place_.limits;
  const std::int64_t ms = phase == Phase::idle      ? limits.idle_ms
                          : phase == Phase::head    ? limits.head_ms
                          : phase == Phase::body    ? limits.body_ms
                          : phase == Phase::writing ? limits.write_ms
                                                    : 0;
  deadline_ = phase == Phase::working ? Moment::max() : since_ + std::chrono::milliseconds(ms);
}

void Connection::close() {
  boost::system::error_code none;
  socket_.shutdown(Socket::shutdown_both, none);
  socket_.close(none);
  wake_.cancel();
}

// How many bytes the socket took without waiting. What is wrong with it is told by who waits.
std::size_t Connection::send_now(std::string_view bytes) {
  const ssize_t sent =
      ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

asio::awaitable<bool> Connection::write(std::string bytes) {
  // Every piece has its time anew, so that a slow reader of a large answer is not cut off.
  for (std::size_t at = send_now(bytes); at < bytes.size();) {
    phase_ = Phase::working;
    enter(Phase::writing);
    const auto [error, sent] = co_await socket_.async_write_some(
        asio::buffer(bytes.data() + at, bytes.size() - at), kTuple);
    if (error) co_return false;
    at += sent;
  }
  co_return true;
}

// A head is shown to the handler once, before its body is read, also where the reader refuses the
// body: who may not come in learns nothing else.
std::optional<HttpResponse> Connection::refusal_of_head() {
  if (reader_.head() == nullptr || std::exchange(has_passed_, true)) return std::nullopt;
  HttpRequest head = *reader_.head();
  head.is_socket_file = peer_.is_socket_file;
  return place_.handler.refuse_head(head);
}

// The last that is written. What is still coming is read and dropped for a moment, so that it
// arrives.
asio::awaitable<void> Connection::turn_away(HttpResponse refused) {
  std::string text = head_of(refused, false, false) + refused.body;
  const bool is_told = co_await write(std::move(text));
  if (!is_told) co_return;
  boost::system::error_code none;
  socket_.shutdown(Socket::shutdown_send, none);
  for (std::size_t dropped = 0; dropped < place_.limits.reader.body;) {
    const auto [error, size] = co_await socket_.async_read_some(asio::buffer(bytes_), kTuple);
    if (error) break;
    dropped += size;
  }
}

// False: there is none.
asio::awaitable<bool> Connection::read_request() {
  using State = RequestReader::State;
  State state = reader_.state();
  has_passed_ = false;
  while (state != State::done) {
    std::optional<HttpResponse> refused;
    if (state == State::body || state == State::refused) refused = refusal_of_head();
    if (!refused && state == State::refused) refused = place_.handler.refuse(reader_.refusal());
    if (refused) {
      co_await turn_away(std::move(*refused));
      co_return false;
    }
    if (state == State::body && reader_.takes_continue()) {
      const bool is_told = co_await write("HTTP/1.1 100 Continue\r\n\r\n");
      if (!is_told) co_return false;
    }
    if (state == State::body) enter(Phase::body);
    if (state == State::head) enter(Phase::head);
    const auto [error, size] = co_await socket_.async_read_some(asio::buffer(bytes_), kTuple);
    // Who sends nothing more may still read what was wrong.
    state = error == asio::error::eof ? reader_.end() : state;
    if (error && state != State::refused) co_return false;
    if (!error) state = reader_.put({bytes_.data(), size});
  }
  co_return true;
}

namespace {

// The work owns what it needs: the connection may be gone before it ends (R5).
struct Work {
  HttpHandler& handler;
  asio::io_context& io;  // where it is gone on
  std::shared_ptr<const HttpRequest> request;
  Counted counted;
  bool is_call;
  Moment came = std::chrono::steady_clock::now();
};

// Calls are short, so those that queue may share a moment of the database (base/kept_moment.h); a
// turn would hold one for as long as a model takes.
HttpResponse answered_in_turn(const Work& work) {
  if (!work.is_call) return answered(work.handler, *work.request);
  const RequestScope scope(work.came);
  return answered(work.handler, *work.request);
}

// One way to the pool and one back: co_spawn would have a second thread of the pool wake us.
asio::awaitable<HttpResponse> answered_on(WorkerPool& pool, Work work) {
  auto start = [&pool](auto done, Work todo) {
    asio::post(pool.executor(), [done = std::move(done), mine = std::move(todo)]() mutable {
      HttpResponse response = answered_in_turn(mine);
      asio::post(mine.io, [done = std::move(done), response = std::move(response)]() mutable {
        std::move(done)(std::move(response));
      });
    });
  };
  return asio::async_initiate<const asio::use_awaitable_t<>, void(HttpResponse)>(
      std::move(start), asio::use_awaitable, std::move(work));
}

// The same with others.
asio::awaitable<HttpResponse> answered_in(GroupLane& lane, Work work, bool goes_between) {
  auto start = [&lane, goes_between](auto done, Work todo) {
    struct Mine {
      decltype(done) go_on;
      Counted counted;
    };
    auto mine = std::make_shared<Mine>(std::move(done), std::move(todo.counted));
    lane.put({std::move(todo.request), goes_between,
              [mine](HttpResponse response) { std::move(mine->go_on)(std::move(response)); }});
  };
  return asio::async_initiate<const asio::use_awaitable_t<>, void(HttpResponse)>(
      std::move(start), asio::use_awaitable, std::move(work));
}

}  // namespace

asio::awaitable<HttpResponse> Connection::start(RequestPtr request, Lane lane) {
  Work work{place_.handler, place_.io(), std::move(request), Counted(place_.working),
            lane == Lane::call};
  if (lane == Lane::together || lane == Lane::between)
    return answered_in(place_.together, std::move(work), lane == Lane::between);
  WorkerPool& pool = lane == Lane::turn   ? place_.turns
                     : lane == Lane::call ? place_.calls
                                          : place_.brief;
  return answered_on(pool, std::move(work));
}

asio::awaitable<HttpResponse> Connection::answer(RequestPtr request, Lane lane) {
  if (place_.working >= place_.limits.waiting) {
    ++place_.refused;
    co_return place_.handler.refuse({503, "Too much is going on here. Try again in a moment."});
  }
  asio::awaitable<HttpResponse> working = start(std::move(request), lane);
  HttpResponse response = co_await std::move(working);
  co_return response;
}

std::shared_ptr<LiveStream> Connection::start_stream(HttpResponse response) {
  auto buffer = std::make_shared<StreamBuffer>(place_.limits.stream_bytes);
  auto counted = std::make_shared<Counted>(place_.working);
  asio::post(place_.turns.executor(), [stream = std::move(response.stream), buffer, counted] {
    try {
      stream(*buffer);
    } catch (const std::exception&) {
      buffer->break_off();
    }
    buffer->finish();
  });
  return buffer;
}

void Connection::look_for_end() {
  if (phase_ != Phase::working || !told_gone_) return;
  char byte = 0;
  if (::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) *told_gone_ = true;
}

// A client that goes away reads as an end. What it sends already for the next request stays.
void Connection::watch_end() {
  boost::system::error_code none;
  socket_.non_blocking(true, none);
  socket_.async_wait(Socket::wait_read, [self = weak_from_this()](boost::system::error_code error) {
    const auto mine = self.lock();
    if (error || !mine) return;
    char byte = 0;
    boost::system::error_code gone;
    mine->socket_.receive(asio::buffer(&byte, 1), Socket::message_peek, gone);
    mine->is_gone_ = gone && gone != asio::error::would_block;
    if (mine->is_gone_) mine->wake_.cancel();
  });
}

asio::awaitable<bool> Connection::write_stream(LiveStream& stream, bool is_chunked) {
  const auto heartbeat = std::chrono::milliseconds(place_.limits.heartbeat_ms);
  while (!is_gone_) {
    StreamPiece piece = stream.take();
    if (piece.is_broken) co_return false;
    if (piece.bytes.empty() && piece.is_finished) {
      if (!is_chunked) co_return false;
      const bool is_ended = co_await write("0\r\n\r\n");
      co_return is_ended;
    }
    if (piece.bytes.empty()) {
      enter(Phase::working);
      wake_.expires_after(heartbeat);
      const auto [error] = co_await wake_.async_wait(kTuple);
      if (error && socket_.is_open()) continue;
      piece.bytes = ": still at it\n\n";
    }
    if (is_chunked) piece.bytes = fmt::format("{:x}\r\n{}\r\n", piece.bytes.size(), piece.bytes);
    const bool is_sent = co_await write(std::move(piece.bytes));
    if (!is_sent) co_return false;
  }
  co_return false;
}

asio::awaitable<bool> Connection::send_pieces(HttpResponse response, bool is_chunked) {
  const bool is_live = response.live != nullptr;
  if (is_live && response.work)
    asio::post(place_.turns.executor(),
               [work = std::move(response.work),
                counted = std::make_shared<Counted>(place_.working)] { work(); });
  const std::shared_ptr<LiveStream> stream =
      is_live ? response.live : start_stream(std::move(response));
  is_gone_ = false;
  stream->on_change([self = weak_from_this(), &io = place_.io()] {
    asio::post(io, [self] {
      if (const auto mine = self.lock()) mine->wake_.cancel();
    });
  });
  if (is_live) watch_end();
  const bool is_whole = co_await write_stream(*stream, is_chunked);
  stream->on_change({});
  asio::post(place_.brief.executor(), [stream] { stream->closed(); });
  co_return is_whole;
}

// What takes no time is answered on the spot: most often in one call of the system, and without a
// wait of any kind.
Connection::Served Connection::serve_here(const HttpRequest& request) {
  HttpResponse response = answered(place_.handler, request);
  Served out;
  out.keeps_alive = request.keeps_alive && !response.closes && !place_.is_draining;
  out.rest = head_of(response, out.keeps_alive, false);
  if (request.method != "HEAD") out.rest += response.body;
  out.rest.erase(0, send_now(out.rest));
  return out;
}

// False: the connection ends.
asio::awaitable<bool> Connection::serve(HttpRequest received, Lane lane) {
  enter(Phase::working);
  received.is_gone = told_gone_ = std::make_shared<StopFlag>(false);
  const auto shared = std::make_shared<const HttpRequest>(std::move(received));
  const HttpRequest& request = *shared;
  asio::awaitable<HttpResponse> answering = answer(shared, lane);
  HttpResponse response = co_await std::move(answering);
  const bool keeps_alive = request.keeps_alive && !response.closes && !place_.is_draining;
  const bool is_streamed = response.stream || response.live;
  const bool is_chunked = is_streamed && !request.is_old;
  std::string text = head_of(response, keeps_alive && (is_chunked || !is_streamed), is_chunked);
  if (request.method != "HEAD") text += response.body;
  const bool is_sent = co_await write(std::move(text));
  if (is_sent && is_streamed) {
    const bool is_whole = co_await send_pieces(std::move(response), is_chunked);
    co_return is_whole&& keeps_alive;
  }
  if (response.live)
    asio::post(place_.brief.executor(), [stream = response.live] { stream->closed(); });
  co_return is_sent&& keeps_alive;
}

asio::awaitable<void> Connection::run() {
  bool goes_on = co_await read_request();
  while (goes_on) {
    {  // it is gone before the next one is waited for
      HttpRequest request = reader_.take();
      request.is_socket_file = peer_.is_socket_file;
      const Lane lane = place_.handler.lane_of(request);
      if (lane == Lane::here) {
        Served served = serve_here(request);
        goes_on = served.keeps_alive;
        if (!served.rest.empty()) {
          const bool is_sent = co_await write(std::move(served.rest));
          goes_on = goes_on && is_sent;
        }
      } else {
        goes_on = co_await serve(std::move(request), lane);
      }
    }
    if (!goes_on) break;
    if (reader_.state() == RequestReader::State::idle) enter(Phase::idle);
    goes_on = co_await read_request();
  }
  close();
}

}  // namespace alfred::http

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
