// robustness.md, C16: what a text looks like never matters.
#include "records/write/naughty_texts_for_tests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "records/read/read_rows.h"
#include "records/write/albums_for_tests.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

class NaughtyTextsIn : public AlbumsFixture {
 protected:
  NaughtyTextsIn() { limits.read_bytes = std::size_t{4} << 20; }
  // Creates a row for each text; their refs, in order.
  std::vector<std::string> create_all(const NaughtyTexts::Texts& texts) {
    JsonArray data;
    for (const std::string& text : texts)
      data.push_back(JsonObject{{"name", fmt::format("album number {}", ++made_)},
                                {"notes", text},
                                {"extra", JsonArray{text}}});
    const std::string made =
        answer(create(write_json(JsonObject{{"table", "albums"}, {"data", std::move(data)}})));
    std::vector<std::string> refs;
    const Json created = parse_json(made, JsonLimits::none()).value();
    for (const Json& row : created.at("created").as_array())
      refs.emplace_back(row.at("ref").as_string());
    return refs;
  }
  // What a read shows of these rows, by ref, with every lit_n as the text it stands for.
  std::map<std::string, std::pair<std::string, std::string>> read(
      const std::vector<std::string>& refs) {
    const Json filter =
        JsonObject{{"field", "_ref"}, {"op", "in"}, {"value", JsonArray(refs.begin(), refs.end())}};
    const JsonObject params{{"table", "albums"},
                            {"filters", JsonArray{filter}},
                            {"columns", JsonArray{"id", "notes", "extra"}}};
    std::map<std::string, std::pair<std::string, std::string>> shown;
    const Result<void> done = store->read(Caller{user}, [&](Tx& tx) -> Result<void> {
      RecordContext now = context();
      const Result<RecordOutcome> outcome = read_rows(tx, now, Json(params));
      if (!outcome) return Unexpected(outcome.error());
      const Json found = parse_json(outcome->answer, JsonLimits::none()).value();
      for (const Json& row : found.at("rows").as_array())
        shown[std::string(row.at("id").as_string())] = {meant(row.at("notes")),
                                                        meant(row.at("extra").at(0))};
      return {};
    });
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return shown;
  }
  std::string meant(const Json& text) {
    return LiteralMask::restore(registry, text.as_string()).value();
  }

  int made_ = 0;
};

TEST_P(NaughtyTextsIn, C16_five_hundred_come_back_byte_for_byte) {
  std::size_t count = 0;
  for (const auto& [name, texts] : NaughtyTexts::all()) {
    for (std::size_t from = 0; from < texts.size(); from += 50) {
      const auto first = texts.begin() + static_cast<std::ptrdiff_t>(from);
      const NaughtyTexts::Texts part(first, texts.size() - from > 50 ? first + 50 : texts.end());
      const std::vector<std::string> refs = create_all(part);
      ASSERT_EQ(refs.size(), part.size()) << name;
      const auto shown = read(refs);
      ASSERT_EQ(shown.size(), part.size()) << name;
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto& [notes, extra] = shown.at(refs[i]);
        EXPECT_TRUE(notes == part[i]) << name << ", text " << from + i;
        EXPECT_TRUE(extra == part[i]) << name << ", in JSON, text " << from + i;
      }
      count += part.size();
    }
  }
  EXPECT_GE(count, 500U);
}

INSTANTIATE_TEST_SUITE_P(Stores, NaughtyTextsIn,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
