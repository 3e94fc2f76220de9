// P9 over HTTP.
#pragma once

#include "../report.h"

namespace alfred::bench {

void bench_inbox_http(Report& report);

}  // namespace alfred::bench
