// DueWake: a target that is to be woken, and what is known of it before.
#pragma once

#include <string>

namespace alfred::inbox {

struct DueWake {
  std::string target, agent;
  bool has_failed = false;  // the attempt before
};

}  // namespace alfred::inbox
