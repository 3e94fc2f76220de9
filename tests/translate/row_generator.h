// Random declarations, registries and rows: everything the translator may meet, from a few names
// and keys, so that things meet again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alfred/random.h"
#include "pack/entity_types.h"

namespace alfred {

class RowGenerator {
 public:
  explicit RowGenerator(std::uint64_t seed);

  EntityTypes types();
  std::string table();
  // Rows of a table, mostly well formed.
  std::string rows(const EntityTypes& types, const std::string& table);
  // The same with a few bytes changed, cut or put in.
  std::string damaged(std::string text);
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(random_.next_u64() % bound);
  }
  bool once_in(std::size_t times) { return below(times) == 0; }

 private:
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }
  EntityType type(const std::string& table, const std::vector<std::string>& declared);
  std::vector<std::string> columns_of(const EntityTypes& types, const std::string& table);
  void row(const EntityTypes& types, const std::string& table, int depth);
  void list_of_rows(const EntityTypes& types, const std::string& table, int depth);
  void column_value(const EntityTypes& types, const std::string& table, const std::string& column,
                    int depth);
  void key_value();
  void plain_value(int depth);
  void string_value(std::string_view text);
  std::string prose();
  std::string key_text();
  void space();
  void put(std::string_view text) { out_ += text; }

  SeededRandom random_;
  std::vector<std::string> uuids_;
  std::vector<std::string> texts_;
  std::vector<std::string> integers_;
  std::size_t spaces_ = 0;   // 0: none; else one in so many places has some
  std::size_t escapes_ = 0;  // 0: only where needed; else one in so many characters
  std::size_t changes_ = 0;  // one in so many rows has its columns in another order
  std::string out_;
};

}  // namespace alfred
