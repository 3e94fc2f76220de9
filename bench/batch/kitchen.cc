#include "kitchen.h"

#include <fmt/format.h>

#include "engine/open_calls.h"
#include "engine/packs/pack_rows.h"
#include "pack/overlay.h"
#include "pack/pack.h"

namespace alfred::bench {
namespace {

constexpr const char* kUser = "me";
constexpr int kLinkedRows = 150;

const SystemClock kClock;
OsRandom random_bits;

Result<RecordPlace> kitchen_place(const std::string& url_text) {
  const Result<Pack> pack = load_embedded_pack("kitchen");
  if (!pack) return Unexpected(pack.error());
  const StateTables tables[] = {workspace_tables(), open_call_tables(), pack_rows_tables()};
  StoreOptions store;
  store.is_ours = true;
  store.tables = tables;
  store.packs.push_back({pack->name, pack->schema_version, pack->schema_sql, {}});
  const Result<DatabaseUrl> url = parse_database_url(url_text);
  if (!url) return Unexpected(url.error());
  RecordPlace place;
  Result<std::unique_ptr<RecordStore>> rows = open_records(*url, store);
  if (!rows) return Unexpected(rows.error());
  place.rows = std::move(*rows);
  const Result<Catalogue> catalogue = place.rows->catalogue();
  if (!catalogue) return Unexpected(catalogue.error());
  Result<Schema> schema = overlay(*pack, *catalogue);
  if (!schema) return Unexpected(schema.error());
  place.schema = std::make_shared<Schema>(std::move(*schema));
  place.caller.user = kUser;
  place.workspace = {"default", "kitchen", kUser};
  if (Result<void> done = install_pack_rows(*place.rows, *pack, *place.schema, kClock, random_bits);
      !done)
    return Unexpected(done.error());
  return place;
}

JsonObject child_row(std::size_t item, std::size_t child) {
  const std::size_t linked = (item * 7 + child * 11) % std::size_t{kLinkedRows} + 1;
  JsonObject row{{"ingredient_id", fmt::format("ingredient_{}", linked)},
                 {"name", fmt::format("ingredient number {} as the cook calls it", linked)},
                 {"quantity", 0.25 * static_cast<double>(child + 1)},
                 {"unit", child % 3 == 0 ? "cup" : "g"}};
  if (child % 4 == 0) row["notes"] = "finely chopped, at room temperature";
  return row;
}

JsonObject item_row(std::size_t item) {
  JsonArray children;
  for (std::size_t child = 0; child < kBatchChildren; ++child)
    children.push_back(child_row(item, child));
  return {{"ref", fmt::format("dish {}", item + 1)},
          {"name", fmt::format("Weeknight dish number {} with everything in it", item + 1)},
          {"description", "Ready in half an hour; the glaze catches quickly, so stay close by."},
          {"cuisine", "asian"},
          {"difficulty", item % 2 == 0 ? "easy" : "intermediate"},
          {"prep_time_minutes", static_cast<int>(10 + item % 20)},
          {"cook_time_minutes", 15},
          {"servings", 4},
          {"instructions",
           {"Heat the oven to 200 °C and line a baking tray with parchment.",
            "Whisk honey, soy sauce, rice vinegar, garlic, ginger and sesame oil in a small bowl.",
            "Lay the fillets on the tray, brush with half of the glaze and bake for 12 minutes.",
            "Brush with the rest, grill for 2 minutes and serve with rice."}},
          {"health_tags", {"high-protein", "dairy free"}},
          {"flavor_tags", {"sweet", "umami"}},
          {"recipe_ingredients", std::move(children)}};
}

std::string id_of(const std::string& declared) {
  constexpr std::string_view kBefore = "\"id\":\"";
  const std::size_t from = declared.find(kBefore) + kBefore.size();
  return declared.substr(from, declared.find('"', from) - from);
}

}  // namespace

Result<std::unique_ptr<RecordService>> open_kitchen(const std::string& url) {
  Result<RecordPlace> place = kitchen_place(url);
  if (!place) return Unexpected(place.error());
  Result<std::unique_ptr<RecordService>> service =
      RecordService::open(std::move(*place), kClock, random_bits);
  if (!service) return service;
  const JsonObject all{{"table", "ingredients"}, {"columns", {"name"}}, {"limit", kLinkedRows}};
  const Result<std::string> read = (*service)->call("db_read", all, OpId::random());
  if (!read) return Unexpected(read.error());
  if ((*service)->workspace().registry().size() < std::size_t{kLinkedRows})
    return fail(ErrorCode::bug, "The kitchen has too few ingredients to link to.");
  return service;
}

KitchenBatch::KitchenBatch(std::size_t items_per_call) {
  JsonArray items;
  for (std::size_t item = 0; item < kBatchItems; ++item) {
    if (item % items_per_call == 0) calls_.emplace_back(JsonObject{{"data", JsonArray()}});
    JsonObject row = item_row(item);
    items.push_back(row["ref"]);
    calls_.back().as_object()["data"].as_array().push_back(std::move(row));
  }
  declared_ = JsonObject{{"table", "recipes"}, {"items", std::move(items)}};
}

Result<void> KitchenBatch::save(RecordService& service) {
  const Result<std::string> declared = service.declare_batch(declared_, OpId::random());
  if (!declared) return Unexpected(declared.error());
  const std::string batch = id_of(*declared);
  std::string last;
  for (Json& call : calls_) {
    call.as_object()["batch"] = batch;
    Result<std::string> answer = service.call("db_create", call, OpId::random());
    if (!answer) return Unexpected(answer.error());
    last = std::move(*answer);
  }
  const bool is_whole = last.find("\"failed\":[],\"pending\":[]") != std::string::npos;
  if (!is_whole) return fail(ErrorCode::bug, "A batch was not saved as a whole: " + last);
  return {};
}

}  // namespace alfred::bench
