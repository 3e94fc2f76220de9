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

class StreamBuffer final : public ResponseStream, public LiveStream {
 public:
  explicit StreamBuffer(std::size_t most) : most_(most) {}

  // Who writes nothing only asks whether somebody still reads, and wakes nobody: silence is broken
  // by who sends, which is how a client that has gone is noticed.
  bool write(std::string_view piece) override {
    if (piece.empty()) return !is_broken();
    {
      const std::scoped_lock lock(mutex_);
      if (is_broken_) return false;
      is_broken_ = bytes_.size() + piece.size() > most_;
      if (!is_broken_) bytes_ += piece;
    }
    tell();
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
    tell();
  }

  StreamPiece take() override {
    const std::scoped_lock lock(mutex_);
    return {std::exchange(bytes_, {}), is_finished_, is_broken_};
  }
  void on_change(std::function<void()> wake) override {
    const std::scoped_lock lock(mutex_);
    wake_ = std::move(wake);
  }
  void closed() override { break_off(); }
  void break_off() {
    const std::scoped_lock lock(mutex_);
    is_broken_ = true;
  }

 private:
  void tell() {
    std::unique_lock lock(mutex_);
    const std::function<void()> wake = wake_;
    lock.unlock();
    if (wake) wake();
  }
  bool is_broken() {
    const std::scoped_lock lock(mutex_);
    return is_broken_;
  }

  mutable std::mutex mutex_;
  std::string bytes_;
  std::size_t most_;
  bool is_finished_ = false;
  bool is_broken_ = false;
  std::function<void()> wake_;
};

}  // namespace alfred::http
