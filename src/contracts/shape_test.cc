#include "contracts/shape.h"

#include <gtest/gtest.h>

#include "contracts/node.h"
#include "contracts/shape_text.h"

namespace alfred {
namespace {

enum class Colour : std::uint8_t { red, green };

struct Leg {
  std::uint32_t length = 0;
  bool operator==(const Leg&) const = default;
};
struct Chair {
  std::string name;
  Colour colour = Colour::red;
  std::vector<Leg> legs;
  std::optional<double> price;
  std::vector<std::string> tags;
  Json more;
  std::int64_t number = 0;
  bool is_old = false;
  bool operator==(const Chair&) const = default;
};

}  // namespace

template <>
struct Named<Colour> {
  static constexpr std::string_view name = "Colour";
  static constexpr std::array<std::string_view, 2> names{"red", "green"};
};
template <>
struct Described<Leg> {
  static Shape make() {
    return object("Leg", {field<&Leg::length>("length", "In centimetres.").between(1, 200)});
  }
};
template <>
struct Described<Chair> {
  static Shape make() {
    return object("Chair", {field<&Chair::name>("name", "Its name.").cut_to(5),
                            field<&Chair::colour>("colour", "Its colour."),
                            field<&Chair::legs>("legs", "Its legs.").most(4),
                            field<&Chair::price>("price", "What it costs.").between(0, 1000),
                            field<&Chair::tags>("tags", "Words.").longest(3),
                            field<&Chair::more>("more", "Anything."),
                            field<&Chair::number>("number", "Of the shop."),
                            field<&Chair::is_old>("is_old", "Whether it is.")});
  }
};

namespace {

constexpr std::string_view kWhole =
    R"({"name":"Stool","colour":"green","legs":[{"length":40},{"length":41}],"price":9.5,)"
    R"("tags":["a","b"],"more":{"x":[1,null]},"number":9007199254740993,"is_old":true})";

Json json(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }

Error refused(std::string_view text) {
  DecodeNotes notes;
  const Result<Chair> read = from_json<Chair>(json(text), notes);
  EXPECT_FALSE(read) << text;
  return read ? Error{} : read.error();
}

std::string with(std::string_view member, std::string_view value) {
  JsonObject chair = json(kWhole).as_object();
  if (value.empty())
    chair.erase(member);
  else
    chair[member] = json(value);
  return write_json(chair);
}

TEST(Shape, R4_what_is_read_is_written_again_in_the_order_of_its_declaration) {
  DecodeNotes notes;
  const Chair chair = from_json<Chair>(json(kWhole), notes).value();
  EXPECT_EQ(chair.legs.size(), 2U);
  EXPECT_EQ(chair.colour, Colour::green);
  EXPECT_EQ(chair.number, 9007199254740993);
  EXPECT_EQ(write_json(to_json(chair)), kWhole);
  EXPECT_TRUE(notes.unknown_fields.empty());
}

TEST(Shape, R4_as_text_it_has_the_bytes_of_its_json) {
  DecodeNotes notes;
  const Chair whole = from_json<Chair>(json(kWhole), notes).value();
  EXPECT_EQ(json_text_of(whole), kWhole);
  const Chair empty{.name = "a \"{", .more = JsonObject{{"b{", "{"}}};
  EXPECT_EQ(json_text_of(empty), write_json(to_json(empty)));
  std::string text = "[{";
  append_json_of(text, Leg{7});
  append_json_of(text, Colour::green);
  EXPECT_EQ(text, R"([{{"length":7}"green")");
}

TEST(Shape, R3_lists_and_optionals_may_be_absent_or_null_and_nothing_else) {
  DecodeNotes notes;
  for (const char* member : {"legs", "price", "tags"}) {
    EXPECT_TRUE(from_json<Chair>(json(with(member, "")), notes)) << member;
    EXPECT_TRUE(from_json<Chair>(json(with(member, "null")), notes)) << member;
  }
  for (const char* member : {"name", "colour", "more", "number", "is_old"}) {
    const Error error = refused(with(member, ""));
    EXPECT_EQ(error.code, ErrorCode::schema);
    EXPECT_EQ(error.path, member);
  }
}

TEST(Shape, A14_a_value_of_another_type_is_an_error_at_its_path) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {with("name", "7"), "name"},
      {with("colour", "1"), "colour"},
      {with("colour", "\"blue\""), "colour"},
      {with("legs", R"([{"length":40},{"length":"41"}])"), "legs[1].length"},
      {with("legs", R"([{"length":0}])"), "legs[0].length"},
      {with("legs", R"([{"length":-1}])"), "legs[0].length"},
      {with("legs", "{\"a\":1}"), "legs"},
      {with("legs", "[null]"), "legs[0]"},
      {with("price", "\"9\""), "price"},
      {with("price", "-0.5"), "price"},
      {with("tags", "[\"abcd\"]"), "tags[0]"},
      {with("number", "2.0"), "number"},
      {with("number", "9223372036854775808"), "number"},
      {with("is_old", "\"true\""), "is_old"},
      {with("legs", R"([{"length":1},{"length":1},{"length":1},{"length":1},{"length":1}])"),
       "legs"}};
  for (const auto& [text, path] : cases) EXPECT_EQ(refused(text).path, path) << text;
  EXPECT_EQ(refused(with("colour", "\"blue\"")).allowed,
            (std::vector<std::string>{"red", "green"}));
}

TEST(Shape, A14_an_empty_object_for_an_empty_list_is_taken_and_noted) {
  DecodeNotes notes;
  EXPECT_TRUE(from_json<Chair>(json(with("legs", "{}")), notes));
  EXPECT_EQ(notes.repaired, std::vector<std::string>{"legs"});
}

TEST(Shape, A15_null_is_no_object) {
  EXPECT_EQ(refused("null").code, ErrorCode::schema);
  EXPECT_EQ(refused("[]").code, ErrorCode::schema);
}

TEST(Shape, A13_a_field_that_nobody_knows_is_noted_with_its_path) {
  DecodeNotes notes;
  EXPECT_TRUE(from_json<Chair>(json(with("legs", R"([{"length":1,"knee":2}])")), notes));
  EXPECT_EQ(notes.unknown_fields, std::vector<std::string>{"legs[0].knee"});
}

TEST(Shape, A28_a_text_that_is_too_long_is_cut_between_characters_and_noted) {
  DecodeNotes notes;
  const Chair chair = from_json<Chair>(json(with("name", "\"déjà vues\"")), notes).value();
  EXPECT_EQ(chair.name, "déjà ");
  EXPECT_EQ(notes.cut_fields, std::vector<std::string>{"name"});
}

}  // namespace
}  // namespace alfred
