// EventStream: messages on their way to one HTTP client, as server-sent events.
//
// R1 sends may come from another thread than takes.
// R2 a client that does not read loses its stream at kMostWaiting bytes; what it asked for is done all the same.
// R3 after finish() nothing is added.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "surface/mcp/peer.h"

namespace alfred::mcp {

class EventStream final : public McpSink {
 public:
  static constexpr std::size_t kMostWaiting = std::size_t{16} << 20;

  // `stop` is set when the client closes it; null: that stops nothing.
  explicit EventStream(std::shared_ptr<StopFlag> stop = nullptr) : stop_(std::move(stop)) {}

  void send(std::string message) override;
  void finish() override;

  // The events that came since the last time, ready to be written; empty: none.
  std::string take();
  // The message of a finished stream that has one and no more, for who answers with it; it is
  // taken out. Nothing: it is not so. Only before the first take().
  std::optional<std::string> take_only_message();
  bool is_finished() const;
  // The client takes nothing more.
  void closed();
  // Called at every change, by the thread that makes it; it should only wake somebody.
  void on_change(std::function<void()> wake);

 private:
  void changed(std::unique_lock<std::mutex>& lock);

  const std::shared_ptr<StopFlag> stop_;
  mutable std::mutex mutex_;
  std::vector<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool is_finished_ = false;
  std::function<void()> wake_;
};

}  // namespace alfred::mcp
