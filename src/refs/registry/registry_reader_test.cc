// Files that are no registry: each is refused, with the place of what is wrong (registry_json.h,
// R3).
#include "refs/registry/registry_reader.h"

#include <gtest/gtest.h>

#include "refs/registry/registry_for_tests.h"
#include "refs/registry/registry_json.h"

namespace alfred {
namespace {

// A sound file of two books, of which the second was saved from generated content.
const std::string kSound =
    R"({"format":"alfred-registry","version":1,"turn":2,"types":[{"type":"book","table":"books"}],)"
    R"("entities":[{"ref":"book_1","key":{"integer":1},"label":"A","status":"read",)"
    R"("origin":"system","turn_created":1,"turn_last_referenced":1},)"
    R"({"ref":"book_2","alias":"gen_book_1","key":{"text":"k"},"label":"B","status":"created",)"
    R"("origin":"user","place":{"step":1,"artifact":0},"turn_created":1,)"
    R"("turn_last_referenced":2,"turn_promoted":2,"last_referenced_phrase":"p",)"
    R"("retention_reason":"r"}],"literals":["x"]})"
    "\n";

std::string with(std::string_view from, std::string_view to) {
  std::string text = kSound;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void expect_refused(const std::string& text, ErrorCode code, std::string_view path) {
  const Result<RefRegistry> registry = RegistryJson::read(text);
  ASSERT_FALSE(registry) << text;
  EXPECT_EQ(registry.error().code, code) << text << "\n" << registry.error().message;
  EXPECT_EQ(registry.error().path, path) << text << "\n" << registry.error().message;
}

TEST(RegistryReader, the_sound_file_is_sound) {
  const Result<RefRegistry> registry = RegistryJson::read(kSound);
  ASSERT_TRUE(registry) << registry.error().message << registry.error().path;
  EXPECT_EQ(RegistryJson::write(*registry), kSound);
}

struct Misfit {
  std::string_view from;
  std::string_view to;
  std::string_view path;
};

TEST(RegistryReader, R3_each_wrong_member_is_a_schema_error_with_its_path) {
  const std::vector<Misfit> misfits = {
      {"alfred-registry", "other", "format"},
      {"\"alfred-registry\"", "7", "format"},
      {"\"format\":\"alfred-registry\",", "", "format"},
      {"\"version\":1", "\"version\":2", "version"},
      {"\"version\":1", "\"version\":\"1\"", "version"},
      {"\"turn\":2", "\"turn\":-1", "turn"},
      {"\"turn\":2", "\"turn\":4294967296", "turn"},
      {"\"turn\":2", "\"turn\":2.0", "turn"},
      {"\"turn\":2,", "", "turn"},
      {"\"turn\":2", "\"turn\":2,\"more\":1", ""},
      {"[{\"type\":\"book\",\"table\":\"books\"}]", "{}", "types"},
      {"{\"type\":\"book\",\"table\":\"books\"}", "7", "types[0]"},
      {"\"type\":\"book\"", "\"type\":\"Book\"", "types[0]"},
      {"\"type\":\"book\"", "\"type\":\"gen_book\"", "types[0]"},
      {"\"type\":\"book\"", "\"kind\":\"book\"", "types[0].type"},
      {"\"table\":\"books\"", "\"table\":null", "types[0].table"},
      {"\"table\":\"books\"", "\"table\":\"books\",\"x\":1", "types[0]"},
      {"\"types\":[", "\"types\":[{\"type\":\"book\",\"table\":\"b\"},", "types[1]"},
      {"\"types\":[", "\"types\":[{\"type\":\"tome\",\"table\":\"books\"},", "types[1]"},
      {"\"ref\":\"book_1\"", "\"ref\":\"Book_1\"", "entities[0].ref"},
      {"\"ref\":\"book_1\"", "\"ref\":1", "entities[0].ref"},
      {"\"ref\":\"book_1\",", "", "entities[0].ref"},
      {"\"ref\":\"book_1\"", "\"ref\":\"page_1\"", "entities[0].ref"},
      {"\"ref\":\"book_1\"", "\"ref\":\"gen_book_1\"", "entities[0]"},
      {"\"key\":{\"integer\":1},", "", "entities[0]"},
      {"{\"integer\":1}", "1", "entities[0].key"},
      {"{\"integer\":1}", "{}", "entities[0].key"},
      {"{\"integer\":1}", "{\"integer\":1,\"text\":\"a\"}", "entities[0].key"},
      {"{\"integer\":1}", "{\"integer\":1.0}", "entities[0].key"},
      {"{\"integer\":1}", "{\"integer\":9223372036854775808}", "entities[0].key"},
      {"{\"integer\":1}", "{\"integer\":\"1\"}", "entities[0].key"},
      {"{\"integer\":1}", "{\"uuid\":\"x\"}", "entities[0].key"},
      {"{\"integer\":1}", "{\"uuid\":\"5AB7C0DE-1F2E-4D3C-8B4A-5968778695A4\"}", "entities[0].key"},
      {"{\"integer\":1}", "{\"text\":\"5ab7c0de-1f2e-4d3c-8b4a-5968778695a4\"}", "entities[0].key"},
      {"{\"integer\":1}", "{\"composite\":[]}", "entities[0].key"},
      {"{\"integer\":1}", "{\"composite\":[{\"integer\":1}]}", "entities[0].key"},
      {"{\"integer\":1}", "{\"composite\":[{\"integer\":1},7]}", "entities[0].key"},
      {"{\"integer\":1}",
       "{\"composite\":[{\"integer\":1},{\"composite\":[{\"integer\":1},{\"integer\":2}]}]}",
       "entities[0].key"},
      {"\"label\":\"A\"", "\"label\":null", "entities[0].label"},
      {"\"label\":\"A\",", "", "entities[0].label"},
      {"\"status\":\"read\"", "\"status\":\"eaten\"", "entities[0].status"},
      {"\"status\":\"read\"", "\"status\":1", "entities[0].status"},
      {"\"origin\":\"system\"", "\"origin\":\"nobody\"", "entities[0].origin"},
      {"\"turn_created\":1", "\"turn_created\":\"1\"", "entities[0].turn_created"},
      {"\"turn_last_referenced\":1", "\"turn_last\":1", "entities[0].turn_last_referenced"},
      {"\"label\":\"A\"", "\"label\":\"A\",\"colour\":\"red\"", "entities[0]"},
      {"\"alias\":\"gen_book_1\"", "\"alias\":\"book_3\"", "entities[1].alias"},
      {"\"alias\":\"gen_book_1\"", "\"alias\":\"\"", "entities[1].alias"},
      {"\"alias\":\"gen_book_1\"", "\"alias\":\"gen_page_1\"", "entities[1]"},
      {"\"step\":1,", "", "entities[1].place.step"},
      {"{\"step\":1,\"artifact\":0}", "7", "entities[1].place"},
      {"\"artifact\":0", "\"artifact\":0,\"x\":0", "entities[1].place"},
      {"\"turn_promoted\":2", "\"turn_promoted\":null", "entities[1].turn_promoted"},
      {"\"last_referenced_phrase\":\"p\"", "\"last_referenced_phrase\":\"\"",
       "entities[1].last_referenced_phrase"},
      {"\"retention_reason\":\"r\"", "\"retention_reason\":7", "entities[1].retention_reason"},
      {"[\"x\"]", "[7]", "literals[0]"},
      {"[\"x\"]", "[\"x\",\"y\",\"x\"]", "literals[2]"},
      {"[\"x\"]", "null", "literals"},
  };
  for (const Misfit& misfit : misfits)
    expect_refused(with(misfit.from, misfit.to), ErrorCode::schema, misfit.path);
}

TEST(RegistryReader, R3_a_ref_that_is_taken_a_gap_and_a_key_that_is_taken) {
  expect_refused(with("\"ref\":\"book_2\"", "\"ref\":\"book_1\""), ErrorCode::schema,
                 "entities[1]");
  expect_refused(with("\"ref\":\"book_1\"", "\"ref\":\"book_3\""), ErrorCode::schema,
                 "entities[0].ref");
  expect_refused(with("\"alias\":\"gen_book_1\"", "\"alias\":\"gen_book_2\""), ErrorCode::schema,
                 "entities");
  expect_refused(with("{\"text\":\"k\"}", "{\"integer\":1}"), ErrorCode::schema, "entities[1]");
}

// A number far away would ask for as much memory as all the refs below it.
TEST(RegistryReader, R3_a_huge_number_is_refused_at_once) {
  expect_refused(with("\"ref\":\"book_1\"", "\"ref\":\"book_999999999\""), ErrorCode::schema,
                 "entities[0].ref");
  expect_refused(with("\"alias\":\"gen_book_1\"", "\"alias\":\"gen_book_999999999\""),
                 ErrorCode::schema, "entities[1].ref");
}

TEST(RegistryReader, R3_text_past_a_labels_length_is_refused_not_cut) {
  const std::string most(200, 'x');
  const std::string more(201, 'x');
  EXPECT_TRUE(RegistryJson::read(with("\"label\":\"A\"", "\"label\":\"" + most + "\"")));
  expect_refused(with("\"label\":\"A\"", "\"label\":\"" + more + "\""), ErrorCode::schema,
                 "entities[0].label");
  expect_refused(with("phrase\":\"p\"", "phrase\":\"" + more + "\""), ErrorCode::schema,
                 "entities[1].last_referenced_phrase");
}

TEST(RegistryReader, a_deleted_row_may_share_its_key_with_one_that_came_later) {
  const std::string text = with("\"status\":\"read\"", "\"status\":\"deleted\"");
  std::string shared = text;
  shared.replace(shared.find("{\"text\":\"k\"}"), 12, "{\"integer\":1}");
  const Result<RefRegistry> registry = RegistryJson::read(shared);
  ASSERT_TRUE(registry) << registry.error().message;
  EXPECT_EQ(registry->ref(registry->find("book", KeyView::integer(1))).text(), "book_2");
  EXPECT_EQ(RegistryJson::write(*registry), shared);
}

TEST(RegistryReader, what_is_no_json_is_an_error_at_its_byte) {
  expect_refused("", ErrorCode::json, "byte 0");
  expect_refused("{", ErrorCode::json, "byte 1");
  expect_refused(kSound + "x", ErrorCode::json, "byte " + std::to_string(kSound.size()));
  expect_refused("{\"a\":1,\"a\":2}", ErrorCode::json_dupkey, "byte 7");
  expect_refused("{\"format\":\"\xff\"}", ErrorCode::utf8, "byte 11");
  expect_refused("[]", ErrorCode::schema, "");
  expect_refused(std::string(100'000, '['), ErrorCode::limit, "byte 1000");
  for (std::size_t size = 0; size + 2 < kSound.size(); ++size)
    EXPECT_FALSE(RegistryJson::read(kSound.substr(0, size))) << size;
}

}  // namespace
}  // namespace alfred
