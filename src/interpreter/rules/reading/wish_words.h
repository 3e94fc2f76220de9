// Small words of wishes: for making and wanting things, for leaving something out, and those that
// say nothing there.
#pragma once

#include <array>
#include <string_view>

namespace alfred::rules {

inline constexpr std::array<std::string_view, 14> kMakingWords{
    "make",  "create", "generate", "invent", "suggest", "propose", "write",
    "think", "come",   "design",   "devise", "build",   "draft",   "need"};
inline constexpr std::array<std::string_view, 10> kWantingWords{
    "want", "like", "love", "fancy", "feel", "craving", "would", "looking", "prefer", "keep"};
inline constexpr std::array<std::string_view, 12> kNotWords{
    "no",     "not",     "without", "never",   "minus", "skip",
    "except", "exclude", "avoid",   "nothing", "omit",  "zero"};
// What stands between a word for making and words that are no longer the name of what is made.
inline constexpr std::array<std::string_view, 23> kBehindNames{
    "with", "without", "using", "use",     "of",    "from",     "the", "my",
    "our",  "this",    "that",  "it",      "them",  "to",       "for", "no",
    "need", "not",     "about", "tonight", "today", "tomorrow", "'s"};
// Said of others: what they hate is left out.
inline constexpr std::array<std::string_view, 5> kHatingWords{"hate", "dislike", "detest", "loathe",
                                                              "refuse"};
inline constexpr std::array<std::string_view, 4> kLikingWords{"love", "like", "adore", "enjoy"};
inline constexpr std::array<std::string_view, 6> kBearingWords{"eat",      "stand", "bear",
                                                               "tolerate", "touch", "drink"};
inline constexpr std::array<std::string_view, 67> kIdleInWishes{
    "me",    "i",         "we",       "us",     "you",   "with", "and",   "or",      "but",
    "the",   "a",         "an",       "some",   "that",  "it",   "them",  "be",      "is",
    "are",   "to",        "of",       "in",     "on",    "for",  "up",    "use",     "using",
    "uses",  "want",      "like",     "would",  "feel",  "new",  "more",  "another", "other",
    "else",  "something", "anything", "please", "only",  "just", "can",   "could",   "do",
    "too",   "also",      "very",     "really", "so",    "make", "keep",  "now",     "today",
    "think", "come",      "have",     "made",   "which", "this", "these", "those",   "one",
    "ones",  "take",      "give",     "get"};

}  // namespace alfred::rules
