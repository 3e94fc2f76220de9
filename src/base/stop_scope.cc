#include "base/stop_scope.h"

#include <utility>

namespace alfred {
namespace {

constinit thread_local const StopFlag* t_flag = nullptr;

}  // namespace

StopScope::StopScope(const StopFlag* flag) : before_(std::exchange(t_flag, flag)) {}
StopScope::~StopScope() { t_flag = before_; }

const StopFlag* stop_flag() { return t_flag; }
bool is_stop_wanted() { return t_flag != nullptr && t_flag->load(std::memory_order_relaxed); }

}  // namespace alfred
