// ParamsToKeys: one walk over a call's parameters. params_to_keys.cc, params_filters.cc and
// params_rows.cc know where columns stand in a call, params_values.cc what becomes of a column's
// value; only this class opens keys for the database (KeyDoor).
//
// Functions return the place after what they read, or null: then error_ or the scanner says why.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/json/json_scanner.h"
#include "records/to_keys/params_to_keys.h"
#include "records/to_refs/ref_writer.h"
#include "records/to_refs/row_plan.h"

namespace alfred {

class ParamsToKeys {
 public:
  ParamsToKeys(const RefRegistry& registry, const EntityTypes& types, std::string_view json,
               ByteBuffer& out, const ParamsOptions& options)
      : registry_(registry),
        plans_(registry, types),
        pieces_(registry.keys()),
        options_(options),
        scanner_(json, options.max_depth, false),
        writer_(json, out) {}

  enum class Part : std::uint8_t { params, filters, payload };
  Result<ParamsReport> run(Part part, std::string_view table);

 private:
  struct Member {
    std::string name;
    bool is_restored = false;  // the text has a lit_n in its place
    const char* name_at;       // the opening quote
    const char* value_at;
    const char* value_end;
  };
  struct Field {  // of a filter on a key column
    const Member& member;
    std::string column;
  };
  struct RefList {  // a list of refs as it is read
    std::size_t count = 0;
    std::set<EntityNo> seen;
    std::string keys;
    std::vector<std::string> bad;  // each with what is wrong
    std::optional<Error> first_error;
    std::string first_path;
  };
  struct Wanted {  // what a key column takes
    std::string type;
    std::size_t parts = 1;  // columns of the key it stands for
  };

  const char* params(const char* at, RowPlan& plan);
  const char* filters(const char* at, RowPlan& plan, const std::string& path);
  const char* filter(const char* at, RowPlan& plan, const std::string& path);
  const char* key_filter(const std::vector<Member>& members, RowPlan& plan, const Field& named,
                         const Wanted& wanted, const std::string& path);
  std::string near_key_column(const RowPlan& plan, std::string_view field);
  const char* payload(const char* at, RowPlan& plan, const std::string& path);
  const char* row(const char* at, RowPlan& plan, const std::string& path);
  const char* column_value(const Member& member, RowPlan& plan, const std::string& where);
  const char* open_rows(const char* at, RowPlan& plan, const std::string& path);
  const char* read_members(const char* at, std::vector<Member>& members);
  template <class Element>
  const char* each_element(const char* at, const std::string& path, Element&& element);
  Result<std::optional<Wanted>> wanted_by(RowPlan& plan, std::string_view column);
  const char* own_column(const Member& member, RowPlan& plan, const std::string& where);

  const char* ref_value(const char* at, const Wanted& wanted, const std::string& path);
  const char* ref_list(const char* at, const Wanted& wanted, const std::string& path);
  void add_to(RefList& list, const char* at, const char* after, const Wanted& wanted,
              const std::string& path);
  const char* inserted_ref(const std::vector<Member>& members, const Member& member, RowPlan& plan,
                           const std::string& path);
  const char* restore_texts(const char* at, const std::string& path);
  bool restore_string(std::string_view raw, const StringTraits& traits, const std::string& path);
  bool restore_names(std::vector<Member>& members, const std::string& path);
  void put_name(const Member& member);
  bool agrees(const Member& member, RowPlan& plan, const RecordKey& part, const std::string& path);

  Result<EntityNo> resolve(const char* at, const char* after, const Wanted& wanted);
  std::string key_text(EntityNo entity) const;
  static void append_key(std::string& out, const RecordKey& key);
  bool is_secret(std::string_view name);
  std::string shown_path(std::string_view path);

  // A path as it grows: steps that may be any text, between bytes that no text holds.
  static constexpr char kStep = '\xff';
  static constexpr char kIndex = '\xfe';
  static std::string place(const std::string& path, const std::string& name) {
    return path + kStep + name;
  }
  static std::optional<std::string> text_of(const Member& member);  // none: it is no string

  const char* stop(Error error, const std::string& path) {
    if (!error_) {
      error_ = std::move(error);
      error_->path = shown_path(path);
    }
    return nullptr;
  }
  const char* stop(ErrorCode code, std::string message, const std::string& path) {
    return stop(Error{code, std::move(message), {}, {}, {}}, path);
  }

  const RefRegistry& registry_;
  RowPlans plans_;
  KeyPieces pieces_;
  const ParamsOptions& options_;
  JsonScanner scanner_;
  RefWriter writer_;
  ParamsReport report_;
  std::size_t depth_ = 0;
  std::optional<Error> error_;
};

template <class Element>
const char* ParamsToKeys::each_element(const char* at, const std::string& path, Element&& element) {
  if (++depth_ > options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  at = scanner_.space(at + 1);
  if (scanner_.peek(at) == ']') {
    --depth_;
    return at + 1;
  }
  for (std::size_t i = 0;; ++i) {
    at = element(scanner_.space(at), fmt::format("{}{}[{}]", path, kIndex, i));
    if (at == nullptr) return nullptr;
    at = scanner_.space(at);
    if (scanner_.peek(at) == ']') break;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
  }
  --depth_;
  return at + 1;
}

}  // namespace alfred
