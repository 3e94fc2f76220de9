// Random calls: good ones made of what the model knows, and bad ones with the code they must get.
#pragma once

#include <string>
#include <vector>

#include "alfred/random.h"
#include "model.h"

namespace alfred::campaign {

struct Call {
  std::size_t session = 0;
  std::string tool;
  JsonObject params;
  Faults faults{};  // not empty: what it says is wrong in itself, and the model is not asked
};

class CallMaker {
 public:
  CallMaker(std::uint64_t seed, const Schema& schema, const Model& model)
      : random_(seed), schema_(schema), model_(model) {}

  // Of one session.
  Call any(std::size_t session, ModelSession& refs);
  Call read(std::size_t session, ModelSession& refs);
  Json filter(const Table& table, std::size_t depth = 0);
  // The declaration of a batch, and the rows of some of its items.
  JsonObject batch(ModelSession& refs, std::string& tool);
  JsonObject batch_rows(ModelSession& refs, const std::string& id, const std::string& tool);

  std::uint64_t below(std::uint64_t most) { return random_.next_u64() % most; }
  bool chance(std::uint64_t in) { return below(in) == 0; }
  std::vector<std::string> stolen;  // keys of rows, whoever they belong to

 private:
  template <class T>
  T of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  const Table& any_table(std::initializer_list<const char*> names);
  std::string name();
  Json data_value(const Field& field);
  Json filter_value(const Table& table, const Field& field);
  Json ref(const Table& table);  // mostly of a row that is there
  Json live_ref(const Table& table);
  Json refs_list(const Table& table, std::size_t most);
  Json test(const Table& table);
  JsonObject row(const Table& table, bool is_nested = false);
  JsonObject changes(const Table& table);
  Call create(std::size_t session);
  Call update(std::size_t session);
  Call remove(std::size_t session);
  Call bad(std::size_t session);
  JsonObject naming(const Table& table);
  void add_version(JsonObject& params, const Table& table, const Json& named);

  SeededRandom random_;
  const Schema& schema_;
  const Model& model_;
  ModelSession* session_ = nullptr;
};

}  // namespace alfred::campaign
