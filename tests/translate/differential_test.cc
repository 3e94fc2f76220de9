// Random rows through the translator and through its oracle: the same bytes, the same registry, the
// same errors. ALFRED_TEST_SEED=<number> begins with a session that failed.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "oracle/comparison.h"
#include "translate/row_generator.h"

namespace alfred {
namespace {

// One session: a few reads into one registry, with turns and deletes between them.
void run_session(std::uint64_t seed) {
  RowGenerator generator(seed);
  const EntityTypes types = generator.types();
  oracle::Question question;
  if (generator.once_in(8))
    question.limits.max_entities = static_cast<std::uint32_t>(generator.below(12));
  if (generator.once_in(12)) question.options.max_depth = 1 + generator.below(6);
  if (generator.once_in(12)) question.options.masks_prose = false;
  RefRegistry registry(question.limits);
  for (std::size_t read = 0; read < 4; ++read) {
    const std::string table = generator.table();
    std::string json = generator.rows(types, table);
    if (generator.once_in(3)) json = generator.damaged(json);
    question.table = table;
    question.json = json;
    const std::string differs = oracle::difference(registry, types, question);
    ASSERT_EQ(differs, "") << "ALFRED_TEST_SEED=" << seed << " read " << read << " of " << table
                           << "\n"
                           << json;
    registry.begin();
    registry.begin_turn(static_cast<std::uint32_t>(read + 1));
    if (registry.size() > 0 && generator.once_in(2)) {
      const auto entity = static_cast<EntityNo>(generator.below(registry.size()));
      if (generator.once_in(2))
        registry.mark_deleted(entity);
      else
        registry.mark_updated(entity);
    }
  }
}

TEST(Differential, translator_and_oracle_agree_on_random_sessions) {
  const std::uint64_t first = test_seed();
  const std::size_t sessions = test_size({60, 400, 10'000});
  for (std::size_t i = 0; i < sessions && !testing::Test::HasFatalFailure(); ++i)
    run_session(first + i);
}

TEST(Differential, a_document_cut_at_any_byte_gives_the_oracles_error_and_changes_nothing) {
  const std::size_t documents = test_size({1, 3, 60});
  for (std::uint64_t seed = 1; seed <= documents; ++seed) {
    RowGenerator generator(seed * 7919);
    const EntityTypes types = generator.types();
    const std::string table = generator.table();
    std::string json = generator.rows(types, table);
    while (json.size() < 100 || json.size() > 1'500) json = generator.rows(types, table);
    for (std::size_t size = 0; size <= json.size(); ++size) {
      RefRegistry registry;
      const std::string differs =
          oracle::difference(registry, types, {table, std::string_view(json).substr(0, size)});
      ASSERT_EQ(differs, "") << "seed " << seed << ", cut to " << size << " bytes of\n" << json;
    }
  }
}

}  // namespace
}  // namespace alfred
