// The rows that come with a pack, put into a database of ours: those always there once for all, the
// demo's once for each user. Through the same plans as every other row; keys are made here.
#pragma once

#include <optional>

#include "alfred/random.h"
#include "base/time/clock.h"
#include "pack/pack.h"
#include "pack/schema.h"
#include "pack/seed_rows.h"
#include "storage/store.h"

namespace alfred {

StateTables pack_rows_tables();

// Does nothing where it was done before, by whichever process.
Result<void> install_pack_rows(RecordStore& store, const Pack& pack, const Schema& schema,
                               const Clock& clock, Random& random);
Result<void> install_demo_rows(RecordStore& store, const Pack& pack, const Schema& schema,
                               const Caller& caller, const Clock& clock, Random& random);
// Both, into a database that is being made; no demo for nobody.
struct SeedingPorts {
  const Clock& clock;
  Random& random;
};
Result<void> put_first_rows(NewDatabase& database, const Pack& pack, const Schema& schema,
                            const PackRows& rows, const std::optional<Caller>& demo_for,
                            const SeedingPorts& ports);

}  // namespace alfred
