// WriteQueue: appends and acks that come while others are being written wait, and go into one
// transaction together.
//
// R1 who comes while nobody leads, leads: it writes for all who wait by then, itself among them, at
//    most kMostTogether. Who came meanwhile is led by the first of them.
// R2 everybody has an answer of its own. When a group fails as a whole, each of it goes alone, on
//    its own thread and with its own time to live.
// R3 any number of threads. Nobody waits for company: who leads lets others run before it takes
//    along who is there, and only where there was company before.
#pragma once

#include <array>
#include <deque>
#include <mutex>
#include <optional>
#include <span>

#include "base/awaited.h"
#include "inbox/flow/write_together.h"

namespace alfred {

class WriteQueue {
 public:
  enum class Turn : std::uint8_t { leads, told, alone };
  struct Waiting {
    inbox::AskedWrite asked{};
    std::optional<Result<Json>> answer{};
    Awaited<Turn> turn{};
  };
  static constexpr std::size_t kMostTogether = 64;
  // Without memory of its own: nothing can fail once somebody leads.
  class Group {
   public:
    std::span<Waiting* const> all() const { return {places_.data(), size_}; }

   private:
    friend class WriteQueue;
    std::array<Waiting*, kMostTogether> places_{};
    std::size_t size_ = 0;
  };

  // Blocks until it is its turn to lead, or another has led: told, or to go alone.
  Turn join(Waiting& mine);
  // For who leads: the group, itself first.
  Group take();
  // The others have their turns: those who have no answer go alone; the next one leads.
  void end(const Group& group);

 private:
  std::mutex mutex_;
  std::deque<Waiting*> waiting_;
  bool is_led_ = false;
  std::size_t last_group_ = 1;
};

}  // namespace alfred
