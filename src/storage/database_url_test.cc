// R1 and R3 of open_store.h, and pg_identity.h.
#include <stdlib.h>

#include <gtest/gtest.h>

#include "storage/open_store.h"

namespace alfred {
namespace {

std::string identity(const std::string& url) { return parse_database_url(url).value().identity; }

TEST(DatabaseUrl, R1_of_identity_two_servers_are_two_databases) {
  EXPECT_NE(identity("postgres://ann@/shop?host=/run/a"),
            identity("postgres://ann@/shop?host=/run/b"));
  EXPECT_NE(identity("postgres://ann@h/shop"), identity("postgres://ann@h:5433/shop"));
  EXPECT_NE(identity("postgres://ann@h/shop"), identity("postgres://ann@h/shop?port=5433"));
  EXPECT_NE(identity("postgres://ann@h/shop"), identity("postgres://ann@h/shops"));
  EXPECT_NE(identity("postgres://ann@h/shop"), identity("postgres://ann@h/?dbname=other"));
}

TEST(DatabaseUrl, R1_of_identity_one_database_is_one_however_it_is_written) {
  const std::string plain = identity("postgres://ann@h:5432/shop");
  EXPECT_EQ(plain, "postgres://h:5432/shop as ann");
  EXPECT_EQ(identity("postgresql://ann@h:5432/shop"), plain);
  EXPECT_EQ(identity("postgres:///shop?host=h&port=5432&user=ann"), plain);
  EXPECT_EQ(identity("postgres://ann@h:5432/shop?sslmode=disable&connect_timeout=3"), plain);
}

TEST(DatabaseUrl, R1_of_identity_what_the_url_leaves_out_comes_from_the_environment) {
  ::setenv("PGHOST", "/run/here", 1);
  ::setenv("PGPORT", "6543", 1);
  EXPECT_EQ(identity("postgres://ann@/shop"), "postgres:///run/here:6543/shop as ann");
  ::unsetenv("PGHOST");
  ::unsetenv("PGPORT");
}

TEST(DatabaseUrl, R2_of_identity_the_login_decides_which_tables_a_name_means) {
  EXPECT_NE(identity("postgres://ann@h/shop"), identity("postgres://bob@h/shop"));
  EXPECT_NE(identity("postgres://ann@h/shop"),
            identity("postgres://ann@h/shop?options=-csearch_path%3Dold"));
}

TEST(DatabaseUrl, R3_no_password_is_in_an_identity) {
  for (const char* url : {"postgres://ann:hunter2@h/shop", "postgres://h/shop?password=hunter2",
                          "postgres://ann:hunt%zzer2@h/shop"})
    EXPECT_EQ(identity(url).find("hunt"), std::string::npos) << url;
  EXPECT_EQ(identity("postgres://ann:hunter2@h/shop"), identity("postgres://ann:other@h/shop"));
}

}  // namespace
}  // namespace alfred
