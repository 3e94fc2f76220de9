// InboxDoor: what the routes under /inbox work with.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "inbox/inbox.h"

namespace alfred::http {

struct InboxDoor {
  static constexpr std::size_t kMostWatchers = 32;  // each has a thread

  InboxDoor(Inbox& one, std::function<bool()> ending) : inbox(one), is_ending(std::move(ending)) {}

  Inbox& inbox;
  std::function<bool()> is_ending{};  // streams end then
  std::atomic<std::size_t> watchers{0};
};

}  // namespace alfred::http
