#include "surface/cli/typed_value.h"

#include <gtest/gtest.h>

#include "surface/cli/command.h"

namespace alfred::cli {
namespace {

TEST(TypedValue, R1_an_id_is_forgiven_case_and_look_alikes) {
  EXPECT_EQ(as_meant("SOURCE", "SRC_7K2F9M3QWLBO"), "src_7k2f9m3qw1b0");
  EXPECT_EQ(as_meant("AGENT", " Agt_Copper-Fox "), "agt_copper-fox");
  EXPECT_EQ(as_meant("TEXT", "SRC_7K2F9M3QWLBO"), "SRC_7K2F9M3QWLBO");
}

TEST(TypedValue, R2_what_is_no_id_stays_as_it_was_typed) {
  EXPECT_EQ(as_meant("AGENT", " My Agent "), " My Agent ");
  EXPECT_EQ(as_meant("SESSION", "ses_too-short"), "ses_too-short");
  EXPECT_EQ(as_meant("ENTRY", ""), "");
}

// An id that a command asks for by the name ID is one that it looks at itself, or makes.
TEST(TypedValue, R1_every_parameter_that_shows_an_id_in_its_help_takes_it_as_meant) {
  for (const Command& command : commands())
    for (const Parameter& parameter : command.parameters) {
      const bool shows_one = parameter.help.find("such as ") != std::string_view::npos &&
                             (parameter.help.find("_7k2f9m3qw1bx") != std::string_view::npos ||
                              parameter.help.find("agt_copper-fox") != std::string_view::npos);
      if (shows_one && parameter.value != "ID") {
        EXPECT_TRUE(names_an_id(parameter.value)) << command.name << " " << parameter.name;
      }
    }
}

}  // namespace
}  // namespace alfred::cli
