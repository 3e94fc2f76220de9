#include "surface/cli/pack_commands.h"

#include <fmt/format.h>

#include <ostream>

#include "pack/pack.h"

namespace alfred::cli {

int run_pack_check(const Arguments& arguments, const Streams& streams) {
  const Result<Pack> pack = load_pack(arguments.text("dir"));
  if (!pack) return report(pack.error(), streams.err);
  streams.out << fmt::format(
      "{}: loads. {} entity types, {} subdomains, {} categories, {} constraint types, {} units, "
      "{} texts, {} files of rows, {} of demo rows, {} scenarios{}.\n",
      pack->name, pack->entities.size(), pack->subdomains.size(), pack->categories.all().size(),
      pack->constraint_types.size(), pack->units.size(), pack->texts.size(), pack->rows.size(),
      pack->demo.size(), pack->scenarios.size(),
      pack->schema_sql.empty() ? "; no schema.sql: it is for a database of yours" : "");
  return kDone;
}

int run_pack_list(const Arguments&, const Streams& streams) {
  for (const std::string& name : embedded_packs()) {
    const Result<Pack> pack = load_embedded_pack(name);
    if (!pack) return report(pack.error(), streams.err);
    streams.out << fmt::format("{}\t{}\n", name, pack->description);
  }
  return kDone;
}

}  // namespace alfred::cli
