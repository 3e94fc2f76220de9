// A private PostgreSQL for tests: a cluster in a short temporary directory, reached by a Unix
// socket.
//
// R1 started at first use, once per test program; without PostgreSQL the test fails and says what to install.
// R2 gone when the program ends, however it ends: a helper waits for the end of a pipe and stops it.
// R3 only this cluster is ever stopped or killed.
// R4 small on disk: a database is dropped by the next who asks for one after the test that had it.
#pragma once

#include <pwd.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "storage/postgres/pg_session.h"

namespace alfred {

class PostgresForTests {
 public:
  static PostgresForTests& server() {
    static PostgresForTests one;
    return one;
  }
  PostgresForTests(const PostgresForTests&) = delete;
  PostgresForTests& operator=(const PostgresForTests&) = delete;
  ~PostgresForTests() {
    if (watcher_ != nullptr) ::pclose(watcher_);
  }

  // The URL of an empty database that nobody else uses, until the test that asks has ended.
  std::string fresh_database() {
    drop_those_of_ended_tests();
    const std::string name = new_database();
    if (const auto* test = this_test()) of_tests_.push_back(OfTest{name, test});
    return url(name);
  }
  // One that many tests share: it stays as long as the program.
  std::string lasting_database() { return url(new_database()); }

  std::string url(const std::string& database, const std::string& user = "alfred") const {
    return fmt::format("postgresql:///{}?host={}&user={}", database, dir_, user);
  }
  // The same database for another login.
  static std::string as_user(std::string url, const std::string& user) {
    return url.replace(url.find("&user="), std::string::npos, "&user=" + user);
  }
  const std::string& directory() const { return dir_; }

  // A folder for sockets, whose paths have 107 bytes at most: where temporary files go, if that is
  // short.
  static std::string new_folder(const std::string& prefix) {
    const std::string where = std::filesystem::temp_directory_path();
    std::string name = (where.size() <= 40 ? where : "/tmp") + "/" + prefix + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    return name;
  }

  // As the superuser, on a connection of its own.
  void admin(const std::string& sql, const std::string& database = "postgres") {
    run_on(url(database), sql);
  }
  static void run_on(const std::string& url, const std::string& sql) {
    auto session = PgSession::open(url);
    if (!session) throw std::runtime_error("PostgreSQL for tests: " + session.error().message);
    if (auto done = (*session)->run_script(sql); !done)
      throw std::runtime_error("PostgreSQL for tests: " + done.error().message);
  }
  // The first column of the first row.
  static std::string ask(const std::string& url, const std::string& sql) {
    auto session = PgSession::open(url);
    if (!session) throw std::runtime_error("PostgreSQL for tests: " + session.error().message);
    auto rows = (*session)->run(PgCommand{sql, {}, false});
    if (!rows) throw std::runtime_error("PostgreSQL for tests: " + rows.error().message);
    return rows->size() == 0 ? std::string() : rows->text(0, 0);
  }

  void start() {
    must(
        fmt::format("{} -D {}/data -w -t 30 -l {}/log -o \"-k {} -c listen_addresses='' "
                    "-c fsync=off -c shared_buffers=64MB -c max_connections=60 "
                    "-c min_wal_size=2MB -c max_wal_size=64MB\" start",
                    tool("pg_ctl"), dir_, dir_, dir_));
  }
  void stop() { must(fmt::format("{} -D {}/data -m fast -w stop", tool("pg_ctl"), dir_)); }
  // As a crash does it: nothing is finished, the next start recovers.
  void crash() { must(fmt::format("{} -D {}/data -m immediate -w stop", tool("pg_ctl"), dir_)); }
  void restart() {
    stop();
    start();
  }
  // Ends all connections to a database but the one that does it.
  void end_backends(const std::string& url) {
    run_on(url,
           "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
           "WHERE datname = current_database() AND pid <> pg_backend_pid()");
  }

 private:
  PostgresForTests() : bin_(find_tools()) {
    dir_ = new_folder("apg");
    if (::geteuid() == 0) {
      const passwd* owner = ::getpwnam("postgres");
      if (owner == nullptr) throw std::runtime_error(kMissing);
      if (::chown(dir_.c_str(), owner->pw_uid, owner->pw_gid) != 0)
        throw std::runtime_error("cannot give away " + dir_);
      run_as_ = "runuser -u postgres -- ";
    }
    const std::string cleanup = fmt::format(
        "trap '' INT TERM; cat >/dev/null; {} -D {}/data -m immediate -w stop "
        ">/dev/null 2>&1; rm -rf {}",
        tool("pg_ctl"), dir_, dir_);
    watcher_ = ::popen(cleanup.c_str(), "we");
    must(
        fmt::format("{} -D {}/data -U alfred -A trust -E UTF8 --locale=C --no-sync "
                    "--wal-segsize=1",
                    tool("initdb"), dir_));
    start();
  }

  static constexpr const char* kMissing =
      "PostgreSQL is not installed, and these tests need it: run scripts/setup --tests";

  static std::string find_tools() {
    const std::filesystem::path root = "/usr/lib/postgresql";
    std::string best;
    std::error_code failure;
    for (const auto& version : std::filesystem::directory_iterator(root, failure))
      if (std::filesystem::exists(version.path() / "bin/initdb"))
        best = std::max(best, (version.path() / "bin").string());
    if (best.empty()) throw std::runtime_error(kMissing);
    return best;
  }

  static const testing::TestInfo* this_test() {
    return testing::UnitTest::GetInstance()->current_test_info();
  }

  std::string new_database() {
    std::string name = fmt::format("t{}", ++databases_);
    admin(fmt::format("CREATE DATABASE {} TEMPLATE template0", name));
    return name;
  }

  // By force: without it PostgreSQL waits five seconds for who is still connected.
  void drop_those_of_ended_tests() {
    std::erase_if(of_tests_, [this](const OfTest& one) {
      if (one.test == this_test()) return false;
      auto session = PgSession::open(url("postgres"));
      const std::string drop = fmt::format("DROP DATABASE {} WITH (FORCE)", one.name);
      return session && (*session)->run_script(drop).has_value();
    });
  }

  std::string tool(const std::string& name) const { return run_as_ + bin_ + "/" + name; }

  void must(const std::string& command) const {
    const std::string quiet = fmt::format("cd / && {} </dev/null >{}/out 2>&1", command, dir_);
    if (std::system(quiet.c_str()) == 0) return;
    std::ifstream out(dir_ + "/out");
    const std::string said((std::istreambuf_iterator<char>(out)), std::istreambuf_iterator<char>());
    throw std::runtime_error("PostgreSQL for tests: " + command + ": " + said);
  }

  struct OfTest {
    std::string name;
    const testing::TestInfo* test;
  };

  std::string bin_;
  std::string run_as_;
  std::string dir_;
  std::FILE* watcher_ = nullptr;
  int databases_ = 0;
  std::vector<OfTest> of_tests_;
};

}  // namespace alfred
