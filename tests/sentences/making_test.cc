// What the built-in rules make, held against the constraint checker that binds every model
// (state/constraint_check.h), for random sets of constraints on the kitchen pack.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "engine/open_place.h"
#include "interpreter/rules/making/make.h"
#include "state/constraint_check.h"

namespace alfred {
namespace {

namespace fs = std::filesystem;

class Making : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string name = (fs::temp_directory_path() / "alfred-making-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    pack_ = std::make_shared<const Pack>(load_pack(ALFRED_SOURCE_DIR "/packs/kitchen").value());
    PlaceOptions options;
    options.loaded_pack = pack_;
    options.pack = "given";
    options.user = "ann";
    options.data_dir = folder_;
    ManualClock clock(0);
    SeededRandom random(7);
    schema_ = open_place(options, clock, random).value().schema;
    rules::Lexicon lexicon(*pack_, *schema_);
    rules::Intents intents = rules::Intents::make(lexicon).value();
    book_ = std::make_unique<rules::Book>(rules::Book{std::move(lexicon), std::move(intents)});
  }
  static void TearDownTestSuite() {
    book_.reset();
    schema_.reset();
    pack_.reset();
    fs::remove_all(folder_);
  }

  static rules::Made make(std::vector<Constraint> constraints, int count) {
    return rules::make_things(
        *book_, {.type = "recipe", .count = count, .constraints = std::move(constraints)});
  }
  static std::string texts(const std::vector<Constraint>& constraints) {
    std::string out;
    for (const Constraint& one : constraints)
      out += one.type + "." + one.field + "=" + write_json(one.value) + " ";
    return out;
  }
  static void expect_kept(const rules::Made& made, const std::vector<Constraint>& constraints,
                          int count) {
    ASSERT_EQ(made.artifacts.size(), static_cast<std::size_t>(count));
    SessionConstraints kept;
    kept.active_goal = ActiveGoal{.constraints = constraints};
    std::set<std::string> names;
    std::set<std::string> contents;
    for (const Artifact& one : made.artifacts) {
      const Result<void> checked = check_constraints(kept, *pack_, one.content, "artifact");
      EXPECT_TRUE(checked) << checked.error().message << "\n" << write_json(one.content);
      names.insert(one.label);
      JsonObject rest = one.content.as_object();
      rest.erase("name");
      contents.insert(write_json(rest));
      EXPECT_GE(one.content.at("ingredients").as_array().size(), 4u) << one.label;
      EXPECT_GE(one.content.at("instructions").as_array().size(), 3u) << one.label;
    }
    EXPECT_EQ(names.size(), made.artifacts.size());
    EXPECT_EQ(contents.size(), made.artifacts.size());
  }

  static std::string folder_;
  static std::shared_ptr<const Pack> pack_;
  static std::shared_ptr<const Schema> schema_;
  static std::unique_ptr<rules::Book> book_;
};
std::string Making::folder_;
std::shared_ptr<const Pack> Making::pack_;
std::shared_ptr<const Schema> Making::schema_;
std::unique_ptr<rules::Book> Making::book_;

// Draws sets of what people may ask for together.
class Wishes {
 public:
  Wishes(const Pack& pack, std::uint64_t seed) : random_(seed) {
    for (const Category& category : pack.categories.all())
      for (const std::string& one : category.members) things_.push_back(one);
  }
  int below(std::size_t bound) { return static_cast<int>(random_.next_u64() % bound); }
  const std::string& one_of(const std::vector<std::string>& of) {
    return of[static_cast<std::size_t>(below(of.size()))];
  }

  std::vector<Constraint> draw() {
    std::vector<Constraint> out;
    const auto maybe = [&](int of_ten) { return below(10) < of_ten; };
    const auto text = [&](const char* type, const char* field, const std::string& value) {
      out.push_back({type, field, Json(value), 1.0});
    };
    if (maybe(6)) text("ingredient_required", "protein", one_of(kMains));
    if (maybe(3)) text("ingredient_required", "other", one_of(things_));
    for (int i = below(4); i > 0; --i) text("ingredient_excluded", "", one_of(things_));
    if (maybe(2)) text("ingredient_excluded", "", one_of(kKinds));
    if (maybe(2)) text("diet", "", one_of(kDiets));
    if (maybe(3)) text("equipment", "", one_of(kEquipment));
    if (maybe(2)) text("cuisine", "", one_of(kCuisines));
    if (maybe(3)) text("flavor", "heat", one_of(kHeats));
    if (maybe(2)) text("difficulty", "", one_of(kDifficulties));
    if (maybe(3)) out.push_back({"time_limit", "", Json(std::int64_t{20 + 5 * below(12)}), 1.0});
    if (maybe(4)) out.push_back({"servings", "", Json(std::int64_t{1 + below(12)}), 1.0});
    return out;
  }

 private:
  using Words = std::vector<std::string>;
  const Words kMains{"cod", "fish", "chicken", "tofu", "beef", "salmon", "lentil", "pork", "meat"};
  const Words kKinds{"dairy", "shellfish", "nuts", "gluten", "alliums", "fish", "meat", "mushroom"};
  const Words kDiets{"vegetarian", "vegan", "gluten-free", "dairy-free", "pescatarian", "halal"};
  const Words kEquipment{"air-fryer", "oven", "stovetop", "grill", "slow-cooker", "instant-pot"};
  const Words kCuisines{"italian", "thai", "mexican", "indian", "japanese", "greek", "french"};
  const Words kHeats{"spicy", "mild", "not_spicy"};
  const Words kDifficulties{"easy", "medium"};
  SeededRandom random_;
  std::vector<std::string> things_;
};

TEST_F(Making, R2_R3_random_wishes_are_kept_or_refused_with_the_reason) {
  const std::uint64_t seed = test_seed();
  Wishes wishes(*pack_, seed);
  const std::size_t rounds = test_size({.quick = 3, .modest = 10, .all = 400});
  std::size_t made_some = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<Constraint> constraints = wishes.draw();
    const int count = 1 + wishes.below(10);
    SCOPED_TRACE("ALFRED_TEST_SEED=" + std::to_string(seed) + " " + texts(constraints));
    const rules::Made made = make(constraints, count);
    if (made.refusal.empty()) {
      ++made_some;
      expect_kept(made, constraints, count);
      continue;
    }
    EXPECT_TRUE(made.artifacts.empty());
    for (const Constraint& one : constraints)
      EXPECT_NE(made.refusal.find(rules::wish_text(*book_, one)), std::string::npos)
          << made.refusal;
  }
  EXPECT_GT(made_some * 5, rounds) << "seed " << seed << ": too many were refused";
}

TEST_F(Making, R1_ten_are_ten_different_ones) {
  for (const char* main : {"cod", "tofu"})
    for (const int count : {1, 2, 3, 10}) {
      const std::vector<Constraint> constraints{
          {"ingredient_required", "protein", Json(main), 1.0}};
      SCOPED_TRACE(texts(constraints) + std::to_string(count));
      expect_kept(make(constraints, count), constraints, count);
    }
}

TEST_F(Making, R1_the_same_request_gives_the_same) {
  const std::vector<Constraint> constraints{{"cuisine", "", Json("thai"), 1.0}};
  const rules::Made first = make(constraints, 5);
  const rules::Made again = make(constraints, 5);
  ASSERT_EQ(first.artifacts.size(), 5u);
  for (std::size_t i = 0; i < first.artifacts.size(); ++i)
    EXPECT_EQ(first.artifacts[i].content, again.artifacts[i].content);
}

TEST_F(Making, R4_shapes_with_a_slot_for_all_that_is_required_come_first) {
  const rules::Made made = make({{"ingredient_required", "protein", Json("shrimp"), 1.0},
                                 {"style", "", Json("risotto"), 1.0}},
                                1);
  ASSERT_EQ(made.artifacts.size(), 1u) << made.refusal;
  EXPECT_NE(made.artifacts[0].label.find("Risotto"), std::string::npos) << made.artifacts[0].label;
  const rules::Made pasta = make({{"ingredient_required", "other", Json("spaghetti"), 1.0}}, 1);
  ASSERT_EQ(pasta.artifacts.size(), 1u) << pasta.refusal;
  EXPECT_NE(pasta.artifacts[0].label.find("Spaghetti"), std::string::npos)
      << pasta.artifacts[0].label;
}

TEST_F(Making, R6_of_what_is_there_alone_where_that_can_be) {
  const rules::Stock stock{.near = {"cod", "broccoli", "lemon", "romaine lettuce", "garlic"},
                           .elsewhere = {"jasmine rice", "salt"}};
  rules::MakeRequest request{.type = "recipe", .count = 1, .stock = stock};
  const rules::Made near = rules::make_things(*book_, request);
  ASSERT_EQ(near.artifacts.size(), 1u) << near.refusal;
  EXPECT_EQ(near.artifacts[0].label, "Romaine Lettuce Salad with Cod Fillet and Lemon");
  EXPECT_NE(near.note.find("You have everything for it."), std::string::npos) << near.note;
  EXPECT_EQ(near.note.find("elsewhere"), std::string::npos) << near.note;
  request.constraints = {{"style", "", Json("roast"), 1.0}};
  const rules::Made roast = rules::make_things(*book_, request);
  ASSERT_EQ(roast.artifacts.size(), 1u) << roast.refusal;
  EXPECT_NE(roast.note.find("From elsewhere: jasmine rice."), std::string::npos) << roast.note;
  request.constraints = {{"style", "", Json("pasta"), 1.0}};
  const rules::Made pasta = rules::make_things(*book_, request);
  ASSERT_EQ(pasta.artifacts.size(), 1u) << pasta.refusal;
  EXPECT_NE(pasta.note.find("You have all but: spaghetti."), std::string::npos) << pasta.note;
}

TEST_F(Making, R6_too_little_is_there) {
  const rules::Made made = rules::make_things(
      *book_, {.type = "recipe", .count = 1, .stock = rules::Stock{.near = {"honey"}}});
  EXPECT_TRUE(made.artifacts.empty());
  EXPECT_NE(made.refusal.find("parts are missing"), std::string::npos) << made.refusal;
}

TEST_F(Making, what_is_only_made_for_who_asks) {
  for (const Artifact& one : make({}, 10).artifacts)
    EXPECT_EQ(one.label.find("Crumble"), std::string::npos) << one.label;
  const rules::Made made = make({{"style", "", Json("dessert"), 1.0}}, 10);
  ASSERT_EQ(made.artifacts.size(), 10u) << made.refusal;
  for (const char* diet : {"vegan", "gluten-free", "dairy-free", "nut-free"})
    for (const char* shape : {"dessert", "breakfast"}) {
      const std::vector<Constraint> constraints{{"style", "", Json(shape), 1.0},
                                                {"diet", "", Json(diet), 1.0}};
      SCOPED_TRACE(texts(constraints));
      expect_kept(make(constraints, 3), constraints, 3);
    }
}

TEST_F(Making, R3_what_cannot_be_is_refused_and_says_what_is_in_the_way) {
  const rules::Made made = make({{"ingredient_required", "protein", Json("cod"), 1.0},
                                 {"diet", "", Json("vegan"), 1.0},
                                 {"servings", "", Json(std::int64_t{4}), 1.0}},
                                1);
  EXPECT_TRUE(made.artifacts.empty());
  EXPECT_NE(made.refusal.find("cod"), std::string::npos) << made.refusal;
  EXPECT_NE(made.refusal.find("vegan"), std::string::npos) << made.refusal;
  EXPECT_NE(made.refusal.find("Without “cod” or “vegan” I could."), std::string::npos)
      << made.refusal;
  EXPECT_FALSE(make({{"time_limit", "", Json(std::int64_t{1}), 1.0}}, 1).refusal.empty());
}

}  // namespace
}  // namespace alfred
