// A model that does everything wrong, now and then something right: from a seed, the same each
// time.
//
// It types keys and uuids, makes refs up, completes too early, takes actions and tools that are not
// there, answers with prose, nothing, halves of JSON and floods, claims what did not happen, and
// names what it was shown just often enough for conversations to go somewhere.
#pragma once

#include <random>
#include <set>
#include <string>
#include <vector>

#include "contracts/ask.h"

namespace alfred {

class Adversary {
 public:
  explicit Adversary(std::uint64_t seed) : random_(seed) {}

  // Keys of the database, for it to leak if it can.
  void learn_keys(std::vector<std::string> keys) { keys_ = std::move(keys); }
  // Whether it typed the first half of this key: what it makes up itself nobody showed it.
  bool typed_half_of(const std::string& key) const { return halves_.contains(key.substr(0, 8)); }
  std::string message();
  Answer answer(const Ask& ask);

  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

 private:
  std::string understand(const Ask& ask);
  std::string think(const Ask& ask);
  std::string act(const Ask& ask);
  std::string tool_call(const Ask& ask);
  std::string artifacts();
  std::string reply();
  std::string garbage();
  std::string ref(const Ask& ask);
  std::string subdomain();
  template <class T, std::size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[below(N)];
  }

  std::mt19937_64 random_;
  std::vector<std::string> keys_;
  std::set<std::string> halves_;
};

}  // namespace alfred
