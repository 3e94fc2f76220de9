// Lists in pages: what is cut says so, and can be gone on with.
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxPages : public InboxUnderTest {
 protected:
  using List = std::function<Result<Json>(const inbox::ListPage&)>;
  struct Kind {
    std::string name, id, unknown;
    List list;
  };
  std::vector<Kind> kinds() {
    const auto page = [](const auto& call) { return List(call); };
    return {
        {"agents", "agentId", "nobody", page([this](const auto& p) { return inbox_->agents(p); })},
        {"hosts", "hostId", "hst_000000000000",
         page([this](const auto& p) { return inbox_->hosts(p); })},
        {"sources", "sourceId", "src_000000000000",
         page([this](const auto& p) { return inbox_->sources(p); })},
        {"subscriptions", "subscriptionId", "sub_000000000000", page([this](const auto& p) {
           return inbox_->subscriptions({.agent = "fox", .page = p});
         })},
        {"timers", "scheduleId", "sch_000000000000",
         page([this](const auto& p) { return inbox_->timers("fox", p); })},
        {"dead", "deadLetterId", "ded_000000000000",
         page([this](const auto& p) { return inbox_->dead(p); })},
        {"entries", "entryId", "ent_000000000000", page([this](const auto& p) {
           return inbox_->entries("fox", {.after_entry = p.after, .most = p.most});
         })}};
  }
  // Five of each kind or more, three at a moment, so that moments alone would not do.
  void fill() {
    add_agent("fox");
    const std::string source = add_source();
    subscribe("fox", source, json(R"j({"filter":{"expr":"matches('x', metadata.pattern)"}})j"));
    for (int i = 0; i < 5; ++i) {
      if (i == 3) clock_.advance_ms(1'000);
      const std::string number = std::to_string(i);
      add_agent("owl " + number);
      add_source("key-" + number);
      must(inbox_->add_host(JsonObject{{"hostType", "local_event"}, {"hostKey", number}}));
      subscribe("fox", source);
      must(inbox_->add_timer(json(R"({"agentId":"fox","message":"m","every":"1h"})")));
      append(source, number, json(R"({"pattern":"("})"));  // on which the filter fails
    }
  }
  std::vector<std::string> ids(const Kind& kind, const Json& page) {
    std::vector<std::string> out;
    for (const Json& one : page.at(kind.name).as_array()) out.push_back(text(one, kind.id));
    return out;
  }
};

TEST_P(InboxPages, R1_a_list_that_is_cut_says_so_and_goes_on) {
  fill();
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Json whole = must(kind.list({}));
    EXPECT_EQ(whole.at("hasMore"), Json(false));
    const std::vector<std::string> all = ids(kind, whole);
    ASSERT_GE(all.size(), 5U);
    for (const std::int64_t most : {1, 2, static_cast<int>(all.size())}) {
      std::vector<std::string> seen;
      inbox::ListPage page{.most = most};
      for (bool has_more = true; has_more && seen.size() <= all.size();) {
        const Json one = must(kind.list(page));
        const std::vector<std::string> more = ids(kind, one);
        ASSERT_EQ(std::ssize(more), std::min(most, std::ssize(all) - std::ssize(seen)));
        seen.insert(seen.end(), more.begin(), more.end());
        has_more = one.at("hasMore").as_bool();
        page.after = seen.back();
      }
      EXPECT_EQ(seen, all);
    }
    const Json beyond = must(kind.list({.after = all.back()}));
    EXPECT_TRUE(ids(kind, beyond).empty());
    EXPECT_EQ(beyond.at("hasMore"), Json(false));
  }
}

TEST_P(InboxPages, R1_what_is_added_meanwhile_makes_none_come_twice) {
  add_agent("fox");
  add_agent("owl");
  const Json first = must(inbox_->agents({.most = 1}));
  clock_.advance_ms(1'000);
  add_agent("elk");
  const Json rest =
      must(inbox_->agents({.after = text(first.at("agents").at(0), "agentId"), .most = 10}));
  EXPECT_EQ(rest.at("agents").as_array().size(), 2U);
  EXPECT_EQ(text(rest.at("agents").at(1), "agentId"), "elk");
}

TEST_P(InboxPages, R2_what_is_not_there_is_nothing_to_go_on_behind) {
  fill();
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(code_of(kind.list({.after = kind.unknown})), "record");
    if (kind.name == "agents") continue;  // their ids may be anything
    EXPECT_EQ(code_of(kind.list({.after = "nonsense"})), "id_syntax");
    EXPECT_EQ(code_of(kind.list({.after = "itm_000000000000"})), "id_syntax");
  }
  const Result<Json> gone = inbox_->hosts({.after = "hst_000000000000"});
  EXPECT_NE(gone.error().message.find("begin the list anew"), std::string::npos)
      << gone.error().message;
  // One that was removed and is kept for what it brought is still a place.
  const std::string source = add_source("key-0");
  must(inbox_->remove_source(source, false));
  EXPECT_TRUE(inbox_->sources({.after = source}).has_value());
}

TEST_P(InboxPages, the_status_lists_the_first_of_each) {
  fill();
  const Json status = must(inbox_->status());
  EXPECT_EQ(status.at("agents").as_array().size(), 6U);
  EXPECT_EQ(status.at("sources").as_array().size(), 6U);
  EXPECT_EQ(status.at("subscriptions").as_array().size(), 6U);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxPages,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
