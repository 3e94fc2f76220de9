// KeptTexts: which texts of prompts a session's store is known to hold, so that one that comes
// again is not put again.
//
// R1 a text is known once the write that put it has committed. Texts are never removed from the store.
// R2 what a write noted that was undone, or is run again, is forgotten; where one failed, all that was known is.
// R3 it keeps the digests of kMost at most.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

class KeptTexts {
 public:
  static constexpr std::size_t kMost = 128;

  bool has(std::string_view digest) const { return known_.contains(digest); }
  // A write begins, maybe once more.
  void begin() { put_.clear(); }
  // It put the text of this digest, or found it there.
  void note(std::string digest) { put_.push_back(std::move(digest)); }
  // It failed.
  void forget() {
    known_.clear();
    put_.clear();
  }
  // It was committed.
  void commit() {
    if (known_.size() + put_.size() > kMost) known_.clear();
    for (std::string& digest : put_)
      if (known_.size() < kMost) known_.insert(std::move(digest));
    put_.clear();
  }

 private:
  std::set<std::string, std::less<>> known_;
  std::vector<std::string> put_;
};

}  // namespace alfred
