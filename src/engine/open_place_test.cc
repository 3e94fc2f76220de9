// What a process opens and loads once, and what its sessions share.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "engine/open_place.h"
#include "engine/session/session.h"

namespace alfred {
namespace {

class OpenPlace : public testing::Test {
 protected:
  OpenPlace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-open-XXXXXX").string();
    options_.data_dir = ::mkdtemp(pattern.data());
  }
  ~OpenPlace() override { std::filesystem::remove_all(options_.data_dir); }

  std::unique_ptr<Session> session(const RecordPlace& place, const std::string& id = "") {
    SessionOptions options;
    options.id = id;
    auto opened = Session::open(place, std::move(options), clock_, random_);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }

  PlaceOptions options_;
  SystemClock clock_;
  OsRandom random_;
};

TEST_F(OpenPlace, R5_sessions_of_a_place_share_store_pack_and_schema) {
  const Result<RecordPlace> place = open_place(options_, clock_, random_);
  ASSERT_TRUE(place) << place.error().message;
  const auto one = session(*place);
  const auto other = session(*place);
  EXPECT_NE(one->id(), other->id());
  EXPECT_EQ(&one->records().pack(), &other->records().pack());
  EXPECT_EQ(&one->records().schema(), &other->records().schema());
  EXPECT_EQ(place->rows.use_count(), 3);
  ASSERT_TRUE(one->start("what is there?"));
  EXPECT_TRUE(one->state().facts.running);
  EXPECT_FALSE(other->state().facts.running);
  EXPECT_TRUE(session(*place, one->id())->state().facts.running);
}

TEST_F(OpenPlace, R6_a_pack_that_was_loaded_is_not_read_again) {
  options_.loaded_pack = std::make_shared<const Pack>(load_embedded_pack("kitchen").value());
  options_.pack = options_.data_dir + "/nothing-there";
  const Result<RecordPlace> place = open_place(options_, clock_, random_);
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_EQ(place->pack, options_.loaded_pack);
}

TEST_F(OpenPlace, R7_rows_that_are_there_are_not_read_from_the_pack_again) {
  ASSERT_TRUE(open_place(options_, clock_, random_));
  Pack broken = load_embedded_pack("kitchen").value();
  ASSERT_FALSE(broken.rows.empty());
  broken.rows.front().text = "this is = no TOML [";
  options_.loaded_pack = std::make_shared<const Pack>(std::move(broken));
  EXPECT_TRUE(open_place(options_, clock_, random_));
  options_.data_dir += "/fresh";
  EXPECT_FALSE(open_place(options_, clock_, random_));
}

}  // namespace
}  // namespace alfred
