#include "turn/background.h"

#include <algorithm>
#include <utility>

#include "base/json/same_json.h"
#include "base/time/iso_time.h"
#include "context/call_effects.h"
#include "context/entity_block.h"
#include "context/shown_text.h"
#include "turn/prompt/user_clock.h"

namespace alfred {
namespace {

constexpr std::size_t kMostWords = 12;
constexpr std::size_t kMostSubdomains = 4;  // when the message names none
constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::string_view kMatches = "matches the message";
constexpr std::string_view kLately = "changed lately";
constexpr std::string_view kCount = "{count}";

// Words that say nothing of which row is meant.
constexpr std::string_view kEmptyWords[] = {
    "about", "add", "all",  "and",  "any",   "are",  "can",  "change", "delete", "did",
    "does",  "for", "from", "get",  "give",  "had",  "has",  "have",   "how",    "into",
    "just",  "let", "list", "make", "many",  "mark", "more", "much",   "need",   "not",
    "now",   "one", "our",  "out",  "put",   "save", "set",  "show",   "some",   "tell",
    "that",  "the", "them", "then", "there", "they", "this", "those",  "to",     "use",
    "want",  "was", "what", "when", "which", "will", "with", "yes",    "you",    "your"};

std::vector<std::string> words_of_message(const Scene& scene) {
  std::vector<std::string> words(1);
  for (const char c : scene.turn().message) {
    const bool is_letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80) != 0;
    if (is_letter)
      words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Visits what people call a subdomain and its rows.
template <class Visit>
void visit_names(const Scene& scene, const Subdomain& subdomain, const Visit& visit) {
  visit(subdomain.name);
  for (const std::string& word : subdomain.words) visit(word);
  for (const auto& [word, scope] : subdomain.scopes) visit(word);
  if (subdomain.tables.empty()) return;
  if (const PackEntity* entity = scene.world().pack.find(subdomain.tables.front())) {
    for (const std::string& word : entity->words) visit(word);
    visit(entity->ref);
  }
}

bool is_single(const Scene& scene, const Subdomain& subdomain) {
  const PackEntity* entity =
      subdomain.tables.empty() ? nullptr : scene.world().pack.find(subdomain.tables.front());
  return entity != nullptr && entity->is_single;
}

struct SaidWord {
  std::string word;
  std::string plain;
  bool is_name = false;  // of a subdomain or its rows
};

struct InPlay {
  std::vector<const Subdomain*> subdomains{};
  std::vector<std::string> words{};  // that may name a row
};

// R1.
InPlay in_play(const Scene& scene) {
  InPlay out;
  std::vector<SaidWord> said;
  for (std::string& word : words_of_message(scene)) {
    std::string plain = Categories::plain_word(word);
    said.push_back({std::move(word), std::move(plain)});
  }
  const std::optional<ActiveGoal>& goal = scene.facts().constraints.active_goal;
  for (const Subdomain& one : scene.world().pack.subdomains) {
    bool is_named = false;
    visit_names(scene, one, [&](const std::string& name) {
      const std::string plain = Categories::plain_word(name);
      for (SaidWord& word : said)
        if (word.plain == plain) word.is_name = is_named = true;
    });
    if ((is_named || (goal && goal->subdomain == one.name)) && !is_single(scene, one))
      out.subdomains.push_back(&one);
  }
  for (const auto& [word, plain, is_name] : said) {
    const bool is_empty =
        plain.size() < 3 ||
        std::find(std::begin(kEmptyWords), std::end(kEmptyWords), word) != std::end(kEmptyWords);
    if (is_empty || is_name || out.words.size() >= kMostWords ||
        std::find(out.words.begin(), out.words.end(), plain) != out.words.end())
      continue;
    out.words.push_back(plain);
  }
  if (!out.subdomains.empty() || out.words.empty()) return out;
  for (const Subdomain& one : scene.world().pack.subdomains)
    if (!is_single(scene, one) && out.subdomains.size() < kMostSubdomains)
      out.subdomains.push_back(&one);
  return out;
}

void call(Scene& scene, CallPurpose purpose, JsonObject params) {
  scene.tell(CallMade{RecordCall{.id = scene.turn().calls + 1,
                                 .purpose = purpose,
                                 .tool = "db_read",
                                 .params = std::move(params)}});
}

// Rows whose label shares a word with the message or the goal; without words, those changed since
// yesterday. In the order of their keys, as a read brings them, so that refs count as people do.
void call_for_rows(Scene& scene, const InPlay& play) {
  const std::size_t most =
      scene.facts().settings.background_rows / std::max<std::size_t>(1, play.subdomains.size());
  for (const Subdomain* subdomain : play.subdomains) {
    const Table* table =
        subdomain->tables.empty() ? nullptr : scene.world().schema.find(subdomain->tables.front());
    if (table == nullptr || table->key.empty() || table->label.empty() || most == 0) continue;
    JsonObject params{{"table", table->name},
                      {"columns", JsonArray{Json(table->label)}},
                      {"limit", static_cast<std::int64_t>(most)}};
    JsonArray filters;
    for (const std::string& word : play.words)
      filters.push_back(JsonObject{{"field", table->label}, {"op", "similar"}, {"value", word}});
    if (!filters.empty())
      params["or_filters"] = std::move(filters);
    else if (!table->updated_at.empty())
      params["filters"] = JsonArray{
          JsonObject{{"field", table->updated_at},
                     {"op", ">="},
                     {"value", iso_date_of(scene.turn().at_ms - kDayMs) + "T00:00:00.000Z"}}};
    else
      continue;
    call(scene, CallPurpose::background, std::move(params));
  }
}

using DashboardLines = std::vector<DashboardLine>;

// Those of the pack, or, in `lines`, one for each subdomain.
const DashboardLines& dashboard_lines(const Scene& scene, DashboardLines& lines) {
  if (!scene.world().pack.dashboard.empty()) return scene.world().pack.dashboard;
  for (const Subdomain& one : scene.world().pack.subdomains)
    if (!one.tables.empty() && !is_single(scene, one)) {
      DashboardLine line;
      line.table = one.tables.front();
      line.text = one.name + ": {count}";
      lines.push_back(std::move(line));
    }
  return lines;
}

JsonObject count_params(const Scene& scene, const DashboardLine& line) {
  JsonArray filters;
  for (const auto& [field, value] : line.where)
    filters.push_back(JsonObject{{"field", field}, {"op", "="}, {"value", value}});
  for (const std::string& field : line.empty)
    filters.push_back(JsonObject{{"field", field}, {"op", "is_null"}});
  if (!line.before.empty())
    filters.push_back(JsonObject{
        {"field", line.before}, {"op", "<="}, {"value", user_date(scene, line.within_days)}});
  if (line.is_from_today)
    filters.push_back(
        JsonObject{{"field", line.before}, {"op", ">="}, {"value", user_date(scene)}});
  JsonObject params{{"table", line.table}, {"limit", std::int64_t{0}}, {"count", true}};
  if (!filters.empty()) params["filters"] = std::move(filters);
  return params;
}

void call_for_counts(Scene& scene) {
  DashboardLines made;
  for (const DashboardLine& line : dashboard_lines(scene, made))
    if (scene.world().schema.find(line.table) != nullptr)
      call(scene, CallPurpose::dashboard, count_params(scene, line));
}

std::string dashboard_text(const Scene& scene, const RecordCall& done, std::int64_t count) {
  DashboardLines made;
  for (const DashboardLine& line : dashboard_lines(scene, made)) {
    // Most are told by their table alone.
    if (std::string_view(done.params.at("table").get_string()) != line.table) continue;
    if (!is_same_json(count_params(scene, line), done.params)) continue;
    std::string text = line.text;
    const std::size_t at = text.find(kCount);
    if (at != std::string::npos) text.replace(at, kCount.size(), std::to_string(count));
    return "- " + text + "\n";
  }
  return "";
}

std::optional<Change> found_rows(const Scene& scene, const RecordCall& done,
                                 const JsonArray& rows) {
  const bool is_match = done.params.get_object().contains("or_filters");
  BackgroundFound found;
  for (const Json& row : rows) {
    std::string ref = ref_of_row(row);
    if (ref.empty()) continue;
    const std::vector<std::string>& known = scene.turn().known;
    if (std::binary_search(known.begin(), known.end(), ref)) continue;
    found.entities.push_back({std::move(ref), std::string(is_match ? kMatches : kLately)});
  }
  if (found.entities.empty()) return std::nullopt;
  return found;
}

std::vector<SubdomainGuidance> guidance_of(const Pack& pack, const JsonObject& row) {
  std::vector<SubdomainGuidance> out;
  const Json* field = row.if_contains(pack.profile.guidance);
  const JsonObject* guidance = field == nullptr ? nullptr : field->if_object();
  if (guidance == nullptr) return out;
  for (const auto& member : *guidance)
    if (const JsonString* text = member.value().if_string())
      out.push_back({std::string(member.key()), std::string(*text)});
  return out;
}

std::optional<Change> found_profile(const Scene& scene, const JsonArray& rows) {
  const JsonObject* row = rows.empty() ? nullptr : rows.front().if_object();
  if (row == nullptr) {
    // What a profile said that is no longer there does not hold any more.
    if (scene.has_edition(2) && !scene.facts().constraints.permanent.empty()) return ProfileRead{};
    return std::nullopt;
  }
  const Pack& pack = scene.world().pack;
  return ProfileRead{format_row(*row, pack.profile.layout), guidance_of(pack, *row),
                     permanent_of(pack, *row)};
}

}  // namespace

std::vector<Constraint> permanent_of(const Pack& pack, const JsonObject& row) {
  std::vector<Constraint> out;
  for (const PermanentConstraint& rule : pack.profile.constraints) {
    const Json* value = row.if_contains(rule.field);
    if (value == nullptr || value->is_null()) continue;
    if (const JsonArray* list = value->if_array())
      for (const Json& one : *list) out.push_back({rule.type, "", one, 1.0});
    else
      out.push_back({rule.type, "", *value, 1.0});
  }
  return out;
}

void call_for_background(Scene& scene) {
  const Pack& pack = scene.world().pack;
  if (!pack.profile.table.empty() && scene.world().schema.find(pack.profile.table) != nullptr)
    call(scene, CallPurpose::profile, {{"table", pack.profile.table}, {"limit", 1}});
  call_for_counts(scene);
  call_for_rows(scene, in_play(scene));
}

std::optional<Change> background_in(const Scene& scene, const RecordCall& done,
                                    const CallOutcome& outcome) {
  const JsonArray* rows = outcome.answer ? rows_of(*outcome.answer) : nullptr;
  if (rows == nullptr) return std::nullopt;
  if (done.purpose == CallPurpose::profile) return found_profile(scene, *rows);
  if (done.purpose == CallPurpose::background) return found_rows(scene, done, *rows);
  const Json* count = outcome.answer->get_object().if_contains("count");
  if (count == nullptr || !count->is_int64()) return std::nullopt;
  std::string line = dashboard_text(scene, done, count->get_int64());
  if (line.empty()) return std::nullopt;
  return DashboardRead{std::move(line)};
}

}  // namespace alfred
