#include "served_alfred.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

namespace alfred::bench {

ServedAlfred::ServedAlfred() {
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "alfred").string();
  const std::string out = folder_.file("out");
  child_ = ::fork();
  if (child_ == 0) {
    ::setenv("ALFRED_HOME", folder_.path().c_str(), 1);
    if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr)
      ::_exit(1);
    ::execl(program.c_str(), program.c_str(), "serve", "--port", "0", "--no-token", "--host",
            "localhost", nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 200 && port_ == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ifstream file(out);
    std::string line;
    std::getline(file, line);
    if (const std::size_t at = line.rfind(':'); at != std::string::npos && !file.eof())
      port_ = static_cast<std::uint16_t>(std::atoi(line.c_str() + at + 1));
  }
}

ServedAlfred::~ServedAlfred() {
  if (child_ <= 0) return;
  ::kill(child_, SIGTERM);
  ::waitpid(child_, nullptr, 0);
}

}  // namespace alfred::bench
