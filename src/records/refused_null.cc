#include "records/refused_null.h"

namespace alfred {

bool is_refused_null(const Error& error) {
  return error.code == ErrorCode::conflict &&
         (error.detail.starts_with("sqlite 1299:") || error.detail.starts_with("SQLSTATE 23502"));
}

}  // namespace alfred
