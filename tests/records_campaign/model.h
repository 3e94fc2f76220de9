// The records of the campaign as plain maps: what every call should answer, worked out without SQL
// and without any of the code that is tested. It shares the declarations of tables (pack/schema.h),
// JSON values and error codes with it, nothing else.
//
// R1 a call is judged in stages: what it says by itself, then the rows it links to, then the rows it
//    changes one by one. The first stage with faults gives the codes an error may have.
// R2 rows are never changed in place: a call works on a copy of the tables and is taken over whole.
// R3 keys are texts whose order is that of the database: rows are numbered in the order of their making.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"
#include "pack/schema.h"

namespace alfred::campaign {

using Faults = std::set<ErrorCode>;

struct ModelRow {
  std::string key;
  std::string owner;                   // empty: everybody's
  std::map<std::string, Json> values;  // as a read shows them; of a link: the key it leads to
  Json value(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? Json() : found->second;
  }
};
using RowPtr = std::shared_ptr<const ModelRow>;
using ModelTable = std::map<std::string, RowPtr, std::less<>>;  // by key
using ModelTables = std::map<std::string, ModelTable, std::less<>>;

// The refs of one workspace.
struct ModelRefs {
  struct Entity {
    const Table* table;
    std::string key;
    std::string ref;
    std::string label;
    bool is_deleted = false;
  };
  std::vector<Entity> entities;
  std::map<std::string, std::size_t, std::less<>> by_ref;
  std::map<std::pair<std::string, std::string>, std::size_t> by_key;  // table, key: the newest
  std::map<std::string, std::size_t, std::less<>> counters;           // by type

  Entity* find(const Table& table, const std::string& key);
  // A row that is there: a key that comes back after a delete is a new entity.
  Entity& meet(const Table& table, const std::string& key);
  // A row that another leads to: what is known of it stays, a delete included.
  Entity& meet_linked(const Table& table, const std::string& key);

 private:
  Entity& add(const Table& table, const std::string& key);
};

struct ModelBatch {
  std::string table;
  std::vector<std::string> items;
  std::map<std::string, std::string> done;  // item → ref
  std::set<std::string> failed;
};

// A read's place, as the model remembers it.
struct ModelPlace {
  std::vector<Json> order;
  std::string key;
  int score = 0;
};

struct ModelAnswer {
  std::string
      text;       // where a cursor stands: CURSOR; in a failed item: neither reason nor retriable
  Faults faults;  // not empty: an error with one of these
  std::optional<ModelPlace> place;  // of the cursor
};

// Who asks: a user, with the refs of a workspace.
struct ModelSession {
  std::string user;
  ModelRefs refs;
  std::map<std::string, ModelBatch> batches;
};

class Model {
 public:
  explicit Model(const Schema& schema) : schema_(schema) {
    for (const Table& table : schema.tables()) tables_[table.name];
  }

  ModelAnswer read(ModelSession& session, const JsonObject& params,
                   const std::optional<ModelPlace>& after);
  ModelAnswer write(ModelSession& session, std::string_view tool, const JsonObject& params,
                    std::int64_t now_ms);

  const ModelTables& tables() const { return tables_; }
  void put(const std::string& table, ModelRow row);  // a row that is there from the beginning
  std::size_t count(std::string_view table, std::string_view user) const;
  std::vector<RowPtr> visible(std::string_view table, std::string_view user) const;

 private:
  struct Change {  // of one row
    const Table* table;
    RowPtr before;
    RowPtr after;
    std::size_t parent = kTop;  // of a nested row: its parent's place
    std::string member{};
  };
  static constexpr std::size_t kTop = static_cast<std::size_t>(-1);
  struct Job {  // a write on its way
    ModelSession& session;
    std::int64_t now_ms;
    bool is_dry_run = false;
    ModelTables tables{};
    std::vector<Change> changes{};
    std::vector<std::string> missing{};
    std::vector<std::string> gone{};  // of the missing, those that are not there at all
    std::set<std::string> named{};    // keys of the rows a delete names
    std::int64_t next = 0;
    Faults faults{};
  };

  // Reading (model_read.cc).
  using Order = std::vector<std::pair<std::string, bool>>;  // column, descending
  static Order order_of(const JsonObject& params);
  std::vector<Json> sort_values(const Table& table, const Order& order, const ModelRow& row) const;
  JsonObject shown_row(ModelSession& session, const Table& table, const ModelRow& row,
                       const std::vector<std::string>& columns);
  std::vector<RowPtr> children(const ModelRow& row, const Relation& relation,
                               std::string_view user) const;
  JsonObject labels_of(ModelSession& session, const Table& table, const std::vector<RowPtr>& rows,
                       const std::vector<std::string>& columns,
                       const std::vector<const Relation*>& include);
  JsonArray shown_rows(ModelSession& session, const Table& table, const std::vector<RowPtr>& rows,
                       const std::vector<std::string>& columns,
                       const std::vector<const Relation*>& include);

  // Filters (model_filter.cc).
  bool all_hold(ModelSession& session, const Table& table, const JsonObject& params,
                const ModelRow& row) const;
  bool holds(ModelSession& session, const Table& table, const Json& filter,
             const ModelRow& row) const;
  int score(const Table& table, const JsonObject& test, const ModelRow& row) const;
  void check_filter_refs(ModelSession& session, const Table& table, const Json& filter,
                         Faults& faults) const;
  void check_refs(ModelSession& session, const Table& table, const JsonObject& params,
                  Faults& faults) const;

  // Writing (model_write.cc, model_delete.cc).
  std::optional<std::string> resolve(ModelSession& session, const Table& table, const Json& ref,
                                     Faults& faults) const;
  void create(Job& job, const Table& table, const std::vector<const JsonObject*>& rows);
  void check_row(Job& job, const Table& table, const JsonObject& row, const Field* parent,
                 Faults& bad_refs, Faults& bad_links) const;
  void create_row(Job& job, const Table& table, const JsonObject& row, std::size_t parent,
                  std::string member);
  bool fits(const Job& job, const Table& table, const ModelRow& row) const;
  Json stored(const Field& field, const Json& json, ModelSession& session) const;
  void update(Job& job, const Table& table, const JsonObject& params);
  void change_row(Job& job, const Table& table, const RowPtr& row, const JsonObject& data,
                  const Json& version);
  void remove(Job& job, const Table& table, const JsonObject& params);
  void remove_rows(Job& job, const Table& table, const std::vector<RowPtr>& rows);
  void touch(const Job& job, const Table& table, ModelRow& row) const;
  std::vector<RowPtr> targets(Job& job, const Table& table, const JsonObject& params) const;
  bool is_whole(const ModelTables& tables) const;  // every link leads to a row
  void note(Job& job);
  std::string created_text(Job& job) const;
  std::string changed_text(Job& job, std::string_view tool, const Table& table) const;
  ModelAnswer batch(ModelSession& session, std::string_view tool, const JsonObject& params,
                    std::int64_t now_ms);
  Faults batch_item(Job& job, std::string_view tool, const Table& table, const JsonObject& row,
                    const std::string& item, std::string& result);

  const Schema& schema_;
  ModelTables tables_;
  std::int64_t next_ = 0;
};

inline std::string text_of(const Json& json) { return std::string(json.as_string()); }
// Case folding as far as the campaign's words need it.
std::string folded(std::string_view text);
int compare_json(const Json& a, const Json& b);  // neither is null; numbers of both kinds compare
const Field* link_of(const Table& table, std::string_view column);
std::string key_column(const Table& table);  // of a key of one column that is no link; else empty

}  // namespace alfred::campaign
