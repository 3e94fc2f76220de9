// For tests only: a TLS server on loopback, which is OpenSSL's own, with a certificate made for it
// that holds from one time to another.
#pragma once

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace alfred {

class TlsServerForTests {
 public:
  // Times as 20200101000000Z.
  TlsServerForTests(const std::string& from, const std::string& until) {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-tls-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) return;
    folder_ = pattern;
    std::ofstream(folder_ + "/index.txt");
    std::ofstream(folder_ + "/ca.cnf")
        << "[ca]\ndefault_ca=own\n[own]\ndatabase=" << folder_
        << "/index.txt\nnew_certs_dir=" << folder_
        << "\ndefault_md=sha256\npolicy=any\nrand_serial=yes\nx509_extensions=names\n[any]\n"
           "commonName=supplied\n[names]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=CA:TRUE\n";
    const std::string make =
        "cd '" + folder_ +
        "' && openssl req -new -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout key.pem -out "
        "request.pem >log 2>&1 && openssl ca -batch -selfsign -config ca.cnf -keyfile key.pem "
        "-in request.pem -out cert.pem -notext -startdate " +
        from + " -enddate " + until + " >>log 2>&1";
    if (::system(make.c_str()) == 0) serve();
  }
  ~TlsServerForTests() {
    if (child_ > 0) {
      ::kill(child_, SIGTERM);
      ::waitpid(child_, nullptr, 0);
    }
    std::error_code failure;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, failure);
  }
  TlsServerForTests(const TlsServerForTests&) = delete;
  TlsServerForTests& operator=(const TlsServerForTests&) = delete;

  std::string url() const { return port_.empty() ? "" : "https://127.0.0.1:" + port_; }
  std::string certificate() const { return folder_ + "/cert.pem"; }

 private:
  // It says "ACCEPT 127.0.0.1:port" when it listens.
  void serve() {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
      ::close(ends[0]);
      if (::chdir(folder_.c_str()) == 0)
        ::execlp("openssl", "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem",
                 "-key", "key.pem", "-www", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string text;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && !(c == '\n' && is_said(text));) text += c;
    ::close(ends[0]);
  }
  bool is_said(const std::string& text) {
    const std::size_t at = text.find("ACCEPT ");
    if (at == std::string::npos) return false;
    port_ = text.substr(text.rfind(':') + 1);
    return true;
  }

  std::string folder_;
  std::string port_;
  pid_t child_ = -1;
};

}  // namespace alfred
