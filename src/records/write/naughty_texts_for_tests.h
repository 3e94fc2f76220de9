// Texts that programs stumble over, made by class: each class is a generator, so that a new kind of
// trouble is one line, and all of them are at least 500. All are UTF-8 without zero bytes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

class NaughtyTexts {
 public:
  using Texts = std::vector<std::string>;
  // By the name of their class.
  static std::map<std::string, Texts> all() {
    std::map<std::string, Texts> out;
    out["control characters"] = both(around(points(0x01, 0x1F)), around(points(0x7F, 0x9F)));
    out["white space"] = around(each({0x20, 0xA0, 0x1680, 0x2000, 0x2003, 0x2009, 0x200A, 0x2028,
                                      0x2029, 0x202F, 0x205F, 0x3000, 0x85}));
    out["direction"] = both(both(around(points(0x202A, 0x202E)), around(points(0x2066, 0x2069))),
                            around(each({0x200E, 0x200F, 0x061C})));
    out["no width"] = around(each({0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x180E, 0xAD, 0x034F}));
    out["combining"] = both(both(stacked(0x0300, 24), stacked(0x0483, 6)), stacked(0x20D0, 8));
    out["same letter twice"] = {"\u00e9", "e\u0301", "\u212b", "\u00c5", "A\u030a", "\ufb01", "fi"};
    out["right to left"] = runs({0x05D0, 0x0627, 0x0710, 0x07CA, 0x0840}, 6);
    out["scripts"] = runs({0x0391, 0x0410, 0x0531, 0x0905, 0x0E01, 0x10A0, 0x1100, 0x3042, 0x30A2,
                           0x4E00, 0xAC00, 0x13A0, 0x1780, 0x20000, 0x1D400, 0x10330},
                          8);
    out["emoji"] =
        both(joined({0x1F468, 0x1F469, 0x1F467, 0x1F466, 0x1F3FD, 0x2764, 0xFE0F, 0x1F3F4}),
             runs({0x1F1E6, 0x1F600, 0x1F300, 0x1F680, 0x1F900}, 5));
    out["edges of Unicode"] = around(each({0xFFFD, 0xFFFE, 0xFFFF, 0xE000, 0xF8FF, 0xD7FF, 0x10FFFF,
                                           0x10FFFE, 0x1FFFF, 0x7FF, 0x800, 0x10000, 0xE0001}));
    out["SQL"] = wrapped({"'",
                          "\"",
                          "`",
                          ";",
                          "--",
                          "/*",
                          "*/",
                          "\\",
                          "''",
                          "$$",
                          "$1",
                          "?1",
                          ":a",
                          "@p",
                          "%",
                          "_",
                          "' OR '1'='1",
                          "'; DROP TABLE albums;--",
                          "1; DELETE FROM albums",
                          "x' UNION SELECT * FROM albums --",
                          "E'\\n'",
                          "\\'",
                          "X'00'",
                          "[a]"});
    out["JSON"] = wrapped({"{", "}", "[", "]", "{}", "[]", "{\"a\":1}", "\\u0000", "\\u12", "\\",
                           "\"", "\\\"", "//", "null", "NaN", "Infinity", "{\"__proto__\":{}}"});
    out["Markdown"] = wrapped({"*", "**", "_", "`", "```", "# a", "- a", "> a", "| a | b |", "---",
                               "[a](b)", "![a](b)", "~~a~~", "<!-- -->", "1. a"});
    out["markup"] = wrapped({"<", ">", "&", "&amp;", "&#0;", "<b>", "</b>", "<script>a()</script>",
                             "<img src=x onerror=a()>", "<![CDATA[", "]]>", "<?xml?>",
                             "<!DOCTYPE a [<!ENTITY b \"c\">]>", "javascript:a()"});
    out["formats"] = wrapped({"%s", "%n", "%d%d", "%1$s", "%%", "{}", "{0}", "{0.a}", "{{x}}",
                              "${x}", "#{x}", "<%= x %>", "{% x %}", "$(x)", "%x%", "\\1", "$&"});
    out["shell"] = wrapped({"`id`", "$(id)", "| id", "&& id", "; id", "> /dev/null", "*", "~", "!",
                            "--help", "-rf", "\\", "$HOME", "$'\\n'", "2>&1"});
    out["paths"] = wrapped({"../..", "../../../etc/passwd", "/dev/null", "C:\\", "\\\\a\\b",
                            "file:///a", "CON", "NUL", "a/./b", "~root", "%2e%2e%2f"});
    out["numbers"] = {"0",
                      "-0",
                      "00",
                      "+1",
                      "1e3",
                      "1E400",
                      "0x10",
                      "0b1",
                      "1_000",
                      "1,000",
                      "1.",
                      ".5",
                      "-1",
                      "9223372036854775807",
                      "9223372036854775808",
                      "1e-400",
                      "NaN",
                      "Infinity",
                      "-Infinity",
                      "1/0",
                      "\u0661\u0662",
                      "\u00bd",
                      "01:02",
                      "1 000"};
    out["words with a meaning"] = wrapped(
        {"null",        "NULL",     "nil",       "None",   "undefined", "true",    "false",
         "TRUE",        "yes",      "no",        "select", "table",     "default", "order",
         "constructor", "toString", "__proto__", "id",     "ref",       "rowid",   "version"});
    out["dates"] = {"2026-02-30", "2026-02-28",           "24:00",      "2026-W01", "1/2/3",
                    "0000-00-00", "2026-02-28T17:05:00Z", "99999-01-01"};
    out["long"] = {std::string(4096, 'a'), std::string(60'000, ' '), repeated("\u00e9", 20000),
                   repeated("a\n", 10000), repeated("\\\"", 10000),  repeated("'", 10001)};
    return out;
  }

 private:
  using Points = std::vector<std::uint32_t>;

  static std::string utf8(std::uint32_t point) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3F)); };
    if (point < 0x80) return {static_cast<char>(point)};
    if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
    if (point < 0x10000) return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
  }
  static Points points(std::uint32_t first, std::uint32_t last) {
    Points out;
    for (std::uint32_t point = first; point <= last; ++point) out.push_back(point);
    return out;
  }
  static Points each(std::initializer_list<std::uint32_t> points) { return points; }
  // A character alone, and between letters.
  static Texts around(const Points& points) {
    Texts out;
    for (const std::uint32_t point : points) {
      out.push_back(utf8(point));
      out.push_back("a" + utf8(point) + "b");
    }
    return out;
  }
  static Texts stacked(std::uint32_t first, std::uint32_t most) {
    Texts out;
    std::string text = "o";
    for (std::uint32_t i = 0; i < most; ++i) out.push_back(text += utf8(first + i));
    return out;
  }
  static Texts runs(const Points& firsts, std::uint32_t length) {
    Texts out;
    for (const std::uint32_t first : firsts) {
      std::string text;
      for (std::uint32_t i = 0; i < length; ++i) text += utf8(first + i);
      out.push_back(text);
      out.push_back(text + " abc 123 " + text);
    }
    return out;
  }
  // Every two of them, with what joins emoji between them.
  static Texts joined(const Points& points) {
    Texts out;
    for (const std::uint32_t a : points)
      for (const std::uint32_t b : points) out.push_back(utf8(a) + utf8(0x200D) + utf8(b));
    return out;
  }
  static Texts wrapped(std::initializer_list<std::string_view> texts) {
    Texts out;
    for (const std::string_view text : texts) {
      out.emplace_back(text);
      out.push_back(" " + std::string(text) + "\n" + std::string(text));
    }
    return out;
  }
  static std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  }
  static Texts both(Texts left, const Texts& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }
};

}  // namespace alfred
