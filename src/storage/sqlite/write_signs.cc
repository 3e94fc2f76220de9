#include "storage/sqlite/write_signs.h"

#include <atomic>

namespace alfred {
namespace {

std::atomic<std::uint64_t> writes{0};
std::atomic<int> long_logs{0};

}  // namespace

std::uint64_t sqlite_writes() { return writes.load(); }
void note_sqlite_write() { writes.fetch_add(1); }

LongLog::LongLog() { long_logs.fetch_add(1); }
LongLog::~LongLog() { long_logs.fetch_sub(1); }
bool LongLog::is_any() { return long_logs.load() != 0; }

}  // namespace alfred
