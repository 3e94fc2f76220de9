// While one lives, the process is somewhere else: decimal comma and grouped thousands as in
// Germany, the letter i as in Turkey, a time zone of odd minutes. None of it need be installed;
// what is, the C library gets too. For tests only (F16).
#pragma once

#include <clocale>
#include <cstdlib>
#include <ctime>
#include <locale>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace alfred {

class OddLocale {
 public:
  OddLocale() : before_(std::locale::global(odd())), c_before_(std::setlocale(LC_ALL, nullptr)) {
    for (const char* name : {"tr_TR.UTF-8", "de_DE.UTF-8"})
      if (std::setlocale(LC_ALL, name) != nullptr) break;
    if (const char* zone = std::getenv("TZ")) zone_before_ = zone;
    ::setenv("TZ", "<+1345>-13:45", 1);
    ::tzset();
    std::ostringstream shows_the_locale;
    shows_the_locale << 1234.5;
    EXPECT_EQ(shows_the_locale.str(), "1.234,5");
    EXPECT_NE(std::tolower('I', std::locale()), 'i');
  }
  ~OddLocale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, c_before_.c_str());
    if (zone_before_)
      ::setenv("TZ", zone_before_->c_str(), 1);
    else
      ::unsetenv("TZ");
    ::tzset();
  }
  OddLocale(const OddLocale&) = delete;
  OddLocale& operator=(const OddLocale&) = delete;

 private:
  struct CommaNumbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  struct DottedLetters : std::ctype<char> {  // as in ISO 8859-9
    char do_tolower(char c) const override {
      return c == 'I' ? '\xfd' : std::ctype<char>::do_tolower(c);
    }
    char do_toupper(char c) const override {
      return c == 'i' ? '\xdd' : std::ctype<char>::do_toupper(c);
    }
  };
  static std::locale odd() {
    return {std::locale(std::locale::classic(), new CommaNumbers), new DottedLetters};
  }

  std::locale before_;
  std::string c_before_;
  std::optional<std::string> zone_before_;
};

}  // namespace alfred
