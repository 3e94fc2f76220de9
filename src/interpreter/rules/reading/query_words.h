// Words that questions are made of, and that no row is looked for by.
#pragma once

#include <array>
#include <string_view>

namespace alfred::rules {

inline constexpr std::array<std::string_view, 105> kIdle{
    "what",       "which",   "who",       "where",      "when",  "how",       "show",
    "list",       "find",    "is",        "are",        "do",    "does",      "have",
    "has",        "any",     "got",       "count",      "give",  "tell",      "me",
    "i",          "we",      "us",        "you",        "there", "in",        "on",
    "of",         "at",      "the",       "a",          "an",    "my",        "our",
    "your",       "all",     "every",     "everything", "many",  "much",      "left",
    "right",      "now",     "please",    "see",        "can",   "could",     "would",
    "like",       "to",      "for",       "that",       "with",  "it",        "its",
    "and",        "from",    "by",        "some",       "own",   "need",      "be",
    "was",        "about",   "stuff",     "thing",      "one",   "something", "anything",
    "moment",     "still",   "already",   "right",      "did",   "get",       "number",
    "out",        "search",  "display",   "whole",      "too",   "also",      "currently",
    "am",         "as",      "open",      "look",       "here",  "just",      "again",
    "then",       "read",    "item",      "items",      "use",   "using",     "contain",
    "containing", "include", "including", "but",        "or",    "take",      "either"};
inline constexpr std::array<std::string_view, 12> kHaving{
    "have", "has", "got", "left", "any", "where", "there", "own", "much", "many", "in", "need"};

}  // namespace alfred::rules
