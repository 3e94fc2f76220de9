// What was written to a stream and is not sent yet: bounded, written by one thread and taken by
// another.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "surface/http/wire/http_message.h"

namespace alfred::http {

class StreamBuffer final : public ResponseStream {
 public:
  // on_news: called after each change by the writer, on its thread.
  StreamBuffer(std::size_t most, std::function<void()> on_news)
      : most_(most), on_news_(std::move(on_news)) {}

  bool write(std::string_view piece) override {
    {
      const std::scoped_lock lock(mutex_);
      if (is_broken_) return false;
      is_broken_ = bytes_.size() + piece.size() > most_;
      if (!is_broken_) bytes_ += piece;
    }
    on_news_();
    return !is_broken();
  }
  std::size_t waiting() const override {
    const std::scoped_lock lock(mutex_);
    return bytes_.size();
  }
  void finish() {
    {
      const std::scoped_lock lock(mutex_);
      is_finished_ = true;
    }
    on_news_();
  }

  struct Taken {
    std::string bytes{};
    bool is_finished = false;
    bool is_broken = false;
  };
  Taken take() {
    const std::scoped_lock lock(mutex_);
    return {std::exchange(bytes_, {}), is_finished_, is_broken_};
  }
  // The reader is gone.
  void break_off() {
    const std::scoped_lock lock(mutex_);
    is_broken_ = true;
  }

 private:
  bool is_broken() {
    const std::scoped_lock lock(mutex_);
    return is_broken_;
  }

  mutable std::mutex mutex_;
  std::string bytes_;
  std::size_t most_;
  bool is_finished_ = false;
  bool is_broken_ = false;
  std::function<void()> on_news_;
};

}  // namespace alfred::http
