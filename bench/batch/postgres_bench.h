// P7 on PostgreSQL; throws where no server can be started.
#pragma once

#include "../report.h"

namespace alfred::bench {

void bench_batch_postgres(Report& report);

}  // namespace alfred::bench
