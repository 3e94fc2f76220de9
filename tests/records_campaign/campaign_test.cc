// Random calls on records, by several users with several workspaces in turn: a plain model, SQLite
// and PostgreSQL give the same answers, and the rows are the same in the end.
//
// The seed is printed when something differs; ALFRED_TEST_SEED=<number> repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <cmath>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "call_maker.h"
#include "places.h"

namespace alfred::campaign {
namespace {

std::string said(const Result<std::string>& answer) {
  if (answer) return *answer;
  const Error& error = answer.error();
  return fmt::format("{} at {}: {} [{}]", error_name(error.code), error.path, error.message,
                     fmt::join(error.allowed, ", "));
}

// The cursor's text as the model writes it, and taken out.
std::string without_cursor(std::string text, std::string& cursor) {
  constexpr std::string_view kMember = "\"cursor\":\"";
  const std::size_t at = text.find(kMember);
  if (at == std::string::npos) return text;
  const std::size_t from = at + kMember.size();
  cursor = text.substr(from, text.find('"', from) - from);
  return text.replace(from, cursor.size(), "CURSOR");
}

std::string without_reasons(const std::string& text) {
  Json answer = parse_json(text, JsonLimits::none()).value();
  for (Json& item : answer.at("failed").as_array()) {
    const Json ref = item.at("ref");
    item = JsonObject{{"ref", ref}};
  }
  return write_json(answer);
}

// Whether something in a text has the shape of a uuid, or of its first part.
bool holds_uuid(std::string_view text) {
  std::size_t run = 0;
  for (const char c : text) {
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (c == '-' && run >= 8) return true;
    run = is_hex ? run + 1 : 0;
  }
  return false;
}

class Campaign : public testing::Test {
 protected:
  struct Page {
    Call call;
    ModelPlace place;
    std::string cursor;
  };
  struct Kept {
    Call call;
    OpId op;
    std::string answer;
  };

  Campaign() {
    for (const Who& who : kSessions) sessions.push_back({who.user, {}, {}});
    for (const char* name : {"blue", "gold", "red"})
      model.put("charts", {name, "", {{"name", Json(name)}, {"week", Json(7)}}});
  }

  // The call on both databases, which say the same; no key is told.
  Result<std::string> both(const Call& call, OpId op) {
    const Json params = parse_json(write_json(call.params), JsonLimits::none()).value();
    const std::uint64_t chance = seed * 1'000'003 + ++calls;
    sqlite.set_chance(chance);
    postgres.set_chance(chance);
    Result<std::string> one = sqlite.service(call.session).call(call.tool, params, op);
    const Result<std::string> other = postgres.service(call.session).call(call.tool, params, op);
    EXPECT_EQ(said(one), said(other)) << shown(call);
    EXPECT_FALSE(holds_uuid(said(one))) << shown(call);
    return one;
  }
  std::string shown(const Call& call) const {
    return fmt::format("seed {} call {} session {} {} {}", seed, calls, call.session, call.tool,
                       write_json(call.params));
  }

  // Runs a call everywhere and compares. The answer when it is one.
  std::optional<std::string> run(const Call& call, const std::optional<Page>& page = std::nullopt,
                                 std::optional<OpId> op = std::nullopt) {
    clock.advance_ms(1 + static_cast<std::int64_t>(maker.below(3)));
    const OpId used = op ? *op : OpId::random(ops);
    const Result<std::string> real = both(call, used);
    ModelAnswer model_says;
    ModelSession& session = sessions[call.session];
    if (!call.faults.empty())
      model_says.faults = call.faults;
    else if (call.tool == "db_read")
      model_says =
          model.read(session, call.params, page ? std::optional(page->place) : std::nullopt);
    else
      model_says = model.write(session, call.tool, call.params, clock.wall_ms());
    ++(model_says.faults.empty() ? answered : refused);
    if (!model_says.faults.empty()) {
      EXPECT_TRUE(!real && model_says.faults.contains(real.error().code))
          << shown(call) << "\nmodel: " << error_name(*model_says.faults.begin())
          << "\nreal:  " << said(real);
      return std::nullopt;
    }
    std::string cursor;
    const bool is_batch = call.params.contains("batch");
    const std::string plain =
        real ? without_cursor(is_batch ? without_reasons(*real) : *real, cursor) : said(real);
    EXPECT_EQ(model_says.text, plain) << shown(call);
    // A dry run does not use its op up.
    if (call.tool != "db_read" && real && !call.params.contains("dry_run"))
      kept.push_back({call, used, *real});
    if (kept.size() > 40) kept.erase(kept.begin());
    if (model_says.place && pages.size() < 20) pages.push_back({call, *model_says.place, cursor});
    return plain;
  }

  // An op that happened gives its first answer; for anything else it is refused.
  void repeat() {
    if (kept.empty()) return;
    const Kept before = kept[maker.below(kept.size())];
    Call call = before.call;
    const std::uint64_t kind = maker.below(3);
    if (kind == 1) call.session = (call.session + 1) % std::size(kSessions);
    if (kind == 2) call.params["dry_run"] = false;
    const Result<std::string> real = both(call, before.op);
    if (kind == 0)
      EXPECT_EQ(said(real), before.answer) << shown(call);
    else
      EXPECT_TRUE(!real && real.error().code == ErrorCode::op_reused) << shown(call) << said(real);
  }

  void next_page() {
    if (pages.empty()) return;
    const std::size_t at = maker.below(pages.size());
    const Page page = pages[at];
    pages.erase(pages.begin() + static_cast<std::ptrdiff_t>(at));
    Call call = page.call;
    call.params["cursor"] = page.cursor;
    run(call, page);
  }

  void batch(std::size_t session) {
    std::string tool;
    const JsonObject declared = maker.batch(sessions[session], tool);
    if (declared.at("items").as_array().empty()) return;
    const OpId op = OpId::random(ops);
    sqlite.set_chance(++calls);
    postgres.set_chance(calls);
    const Result<std::string> one = sqlite.service(session).declare_batch(declared, op);
    const Result<std::string> other = postgres.service(session).declare_batch(declared, op);
    ASSERT_EQ(said(one), said(other));
    const bool has_key = holds_uuid(write_json(declared));
    ASSERT_EQ(one.has_value(), !has_key) << said(one);
    if (has_key) return;
    const std::string id(parse_json(*one, JsonLimits::none()).value().at("id").as_string());
    ModelBatch made{std::string(declared.at("table").as_string()), {}, {}, {}};
    for (const Json& item : declared.at("items").as_array())
      made.items.emplace_back(item.as_string());
    sessions[session].batches[id] = made;
    for (int i = 0; i < 2; ++i) run({session, tool, maker.batch_rows(sessions[session], id, tool)});
  }

  // I-9: a filter more never finds a row more, and `in` and `not_in` part the rows that have a
  // value.
  void narrow(std::size_t session) {
    Call call = maker.read(session, sessions[session]);
    const auto ids_of = [&](const Call& asked) {
      std::set<std::string> ids;
      const std::optional<std::string> answer = run(asked);
      if (!answer) return ids;
      const Json found = parse_json(*answer, JsonLimits::none()).value();
      for (const Json& row : found.at("rows").as_array())
        ids.emplace(row.as_object().begin()->value().as_string());
      return ids;
    };
    call.params["limit"] = 200;
    const std::set<std::string> wide = ids_of(call);
    const Table& table = *schema.find(std::string(call.params.at("table").as_string()));
    if (!call.params.contains("filters")) call.params["filters"] = JsonArray();
    call.params["filters"].as_array().push_back(maker.filter(table));
    for (const std::string& id : ids_of(call)) EXPECT_TRUE(wide.contains(id)) << shown(call);
  }

  void compare_rows() {
    const std::string here = sqlite.rows();
    ASSERT_EQ(here, postgres.rows()) << "seed " << seed << " call " << calls;
    ASSERT_EQ(model_rows(schema, model), here) << "seed " << seed << " call " << calls;
    maker.stolen = sqlite.uuid_keys();
  }

  const std::uint64_t seed = test_seed();
  Schema schema = Schema::make(campaign_tables()).value();
  ManualClock clock{1'767'578'849'000};
  Place sqlite{Place::Kind::sqlite, clock};
  Place postgres{Place::Kind::postgres, clock};
  Model model{schema};
  CallMaker maker{seed, schema, model};
  SeededRandom ops{seed + 1};
  std::vector<ModelSession> sessions;
  std::vector<Page> pages;
  std::vector<Kept> kept;
  std::uint64_t calls = 0;
  std::size_t answered = 0;
  std::size_t refused = 0;
};

TEST_F(Campaign, I8_I9_I10_I11_a_model_and_two_databases_agree_on_every_call) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  const std::uint64_t size = test_size({300, 3'000, 20'000});
  for (std::uint64_t round = 0; calls < size; ++round) {
    const std::size_t session = maker.below(std::size(kSessions));
    switch (maker.below(24)) {
      case 0: repeat(); break;
      case 1:
      case 2: next_page(); break;
      case 3: batch(session); break;
      case 4: narrow(session); break;
      default: run(maker.any(session, sessions[session]));
    }
    if (round % 40 == 0) compare_rows();
    if (HasFailure()) return;
  }
  compare_rows();
  // About half are to be answered; short runs differ by chance.
  const auto chance = static_cast<std::size_t>(3 * std::sqrt(static_cast<double>(size)));
  EXPECT_GT(answered + chance, size / 2);
  EXPECT_GT(refused, size / 20);
}

}  // namespace
}  // namespace alfred::campaign
