// A database for a while: a copy of another that is gone with this object, so that whatever is
// tried on it leaves the original as it was. And SQL of somebody else, who uses the database beside
// us.
//
// R1 SQLite: the original is only read, its log included. PostgreSQL: a database of its own on the same
//    server, which the login has to be allowed to make while nobody else is connected to the
//    original.
// R2 no copy is left behind, unless the process is killed.
#pragma once

#include <memory>
#include <string>

#include "alfred/random.h"
#include "storage/open_store.h"

namespace alfred {

class ScratchDatabase {
 public:
  // folder: where a copied file goes.
  static Result<std::unique_ptr<ScratchDatabase>> copy_of(const DatabaseUrl& original,
                                                          const std::string& folder,
                                                          Random& random);
  ScratchDatabase(const ScratchDatabase&) = delete;
  ScratchDatabase& operator=(const ScratchDatabase&) = delete;
  ~ScratchDatabase();

  const std::string& url() const { return url_; }  // as parse_database_url takes it

 private:
  ScratchDatabase() = default;

  std::string url_;
  std::string file_;      // of SQLite
  std::string original_;  // of PostgreSQL: whose server it is on
  std::string name_;
};

// Any statements, with the rights of the login; links are looked after by nobody, where the login
// may do so. The error is `query`, with the database's own words: for people, not for a model.
Result<void> run_sql(const DatabaseUrl& url, const std::string& sql);

}  // namespace alfred
