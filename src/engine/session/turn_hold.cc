#include "engine/session/turn_hold.h"

#include <sys/stat.h>

#include "alfred/ids.h"

namespace alfred {

Result<TurnHold> hold_turns(const RecordPlace& place, const std::string& session, int timeout_ms) {
  // What is no id names no session, and no file either.
  if (place.data_dir.empty() || !identify_id(session)) return TurnHold();
  const std::string folder = place.data_dir + "/turns";
  ::mkdir(folder.c_str(), 0700);  // what is wrong with it is told by who locks in it
  Result<FileLock> lock = lock_file(folder + "/" + session, timeout_ms);
  if (!lock) return Unexpected(std::move(lock).error());
  return TurnHold(std::move(*lock));
}

}  // namespace alfred
