#include "surface/cli/packs/pack_commands.h"

#include <fmt/format.h>

#include <ostream>

#include "engine/packs/pack_tools.h"

namespace alfred::cli {

int run_pack_check(const Arguments& arguments, const Streams& streams) {
  const Result<PackReport> report_of = check_pack(arguments.text("dir"), arguments.text("--db"));
  if (!report_of) return report(report_of.error(), streams.err);
  const Pack& pack = report_of->pack;
  const PackSummary& summary = report_of->summary;
  streams.out << fmt::format(
      "{}: fits. {} entity types, {} subdomains, {} categories, {} constraint types, {} units, "
      "{} texts, {} rows, {} demo rows, {} scenarios{}.\n",
      pack.name, pack.entities.size(), pack.subdomains.size(), pack.categories.all().size(),
      pack.constraint_types.size(), pack.units.size(), pack.texts.size(), summary.rows,
      summary.demo_rows, pack.scenarios.size(),
      summary.tables == 0 ? "; no schema.sql: check it against its database with --db" : "");
  return kDone;
}

int run_pack_init(const Arguments& arguments, const Streams& streams) {
  const Result<std::string> text = init_pack(arguments.text("--db"));
  if (!text) return report(text.error(), streams.err);
  streams.out << *text << std::flush;
  return streams.out ? kDone : kUnavailable;
}

int run_pack_install(const Arguments& arguments, const Streams& streams) {
  const SystemClock clock;
  OsRandom random;
  const Result<PackInstalled> done =
      install_pack(arguments.text("dir"), arguments.text("--db"), clock, random);
  if (!done) return report(done.error(), streams.err);
  streams.out << fmt::format(
      "{0}: installed, {1} tables, {2} of them walled by owner. Use it with --db and --pack {3}.\n",
      done->pack, done->tables, done->walled, arguments.text("dir"));
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
