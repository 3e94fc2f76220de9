#include "batch/manifest.h"

namespace alfred {

std::string_view item_status_name(ItemStatus status) {
  switch (status) {
    case ItemStatus::pending: return "pending";
    case ItemStatus::in_progress: return "in_progress";
    case ItemStatus::complete: return "complete";
    case ItemStatus::failed: return "failed";
  }
  return "pending";
}

}  // namespace alfred
