#include "beast_hello.h"

#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace alfred::bench {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

class Hello : public std::enable_shared_from_this<Hello> {
 public:
  explicit Hello(tcp::socket socket) : socket_(std::move(socket)) {
    socket_.set_option(tcp::no_delay(true));
  }
  void read() {
    request_ = {};
    http::async_read(socket_, buffer_, request_,
                     [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                       if (!error) self->write();
                     });
  }

 private:
  void write() {
    response_ = {http::status::ok, request_.version()};
    response_.set(http::field::content_type, "application/json");
    response_.keep_alive(request_.keep_alive());
    response_.body() = "{\"status\":\"ok\"}\n";
    response_.prepare_payload();
    http::async_write(socket_, response_,
                      [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }

  tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
};

}  // namespace

struct BeastHello::Parts {
  asio::io_context io{1};
  tcp::acceptor door{io, {asio::ip::address_v4::loopback(), 0}};
  std::thread thread;

  void accept() {
    door.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return;
      std::make_shared<Hello>(std::move(socket))->read();
      accept();
    });
  }
};

BeastHello::BeastHello() : parts_(std::make_unique<Parts>()) {
  parts_->accept();
  parts_->thread = std::thread([this] { parts_->io.run(); });
}

BeastHello::~BeastHello() {
  parts_->io.stop();
  parts_->thread.join();
}

std::uint16_t BeastHello::port() const { return parts_->door.local_endpoint().port(); }

}  // namespace alfred::bench
