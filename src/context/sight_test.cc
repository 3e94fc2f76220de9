// 003's tables, cell by cell. What the seeds say is written out here once more, so that a change of
// the table in code is a change of this page too.
#include "context/sight.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

using enum EntitySight;

TEST(Sight, Seed003EntitiesWhoConsumesWhat) {
  struct Cells {
    Node node;
    EntitySight active, generated, retained;
  };
  for (const Cells& row : {Cells{Node::understand, full, full, full},
                           Cells{Node::think, refs_and_labels, refs_and_labels, refs},
                           Cells{Node::act, full, full, refs_and_labels},  // D24
                           Cells{Node::act_quick, full, full, refs_and_labels},
                           Cells{Node::reply, labels, labels, nothing}}) {
    EXPECT_EQ(sight_of(row.node).active, row.active) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).generated, row.generated) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).retained, row.retained) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).background, row.node == Node::understand) << name_of(row.node);
  }
}

TEST(Sight, Seed003ConversationWhoConsumesWhat) {
  struct Cells {
    Node node;
    bool recent, summary, engagement, pending;
  };
  for (const Cells& row :
       {Cells{Node::understand, true, true, true, true}, Cells{Node::think, true, true, true, true},
        Cells{Node::act, true, false, false, false}, Cells{Node::reply, true, false, true, true}}) {
    EXPECT_EQ(sight_of(row.node).recent, row.recent) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).summary, row.summary) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).engagement, row.engagement) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).pending, row.pending) << name_of(row.node);
  }
}

// Act and the last turn's steps: D17.
TEST(Sight, Seed003ReasoningWhoConsumesWhat) {
  struct Cells {
    Node node;
    bool last_turn, current, curation, phase;
  };
  for (const Cells& row :
       {Cells{Node::understand, false, false, true, false},
        Cells{Node::think, true, false, true, true}, Cells{Node::act, true, true, false, false},
        Cells{Node::reply, false, true, false, true}}) {
    EXPECT_EQ(sight_of(row.node).last_turn_steps, row.last_turn) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).current_steps, row.current) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).curation, row.curation) << name_of(row.node);
    EXPECT_EQ(sight_of(row.node).phase, row.phase) << name_of(row.node);
  }
}

TEST(Sight, rows_stand_in_the_order_of_the_nodes) {
  for (std::size_t i = 0; i < kSight.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(kSight[i].node), i);
}

}  // namespace
}  // namespace alfred
