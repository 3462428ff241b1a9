#include "storage/held_name.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "places.hpp"
#include "server_statement.hpp"
#include "support/errors.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kPatience = 30;  // of a test on a machine with other things to do

class HeldNameIn : public testing::TestWithParam<const char*> {
 protected:
  std::string fresh() const {
    std::string location = place_.fresh();
    Storage::create(location, test::small_bundle());
    return location;
  }
  test::Place place_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, HeldNameIn, testing::Values("memory", "sqlite", "postgresql"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(HeldNameIn, IsHeldByOne) {
  const std::string location = fresh();
  auto first = HeldName::hold(location, "host-1");
  EXPECT_TRUE(first);
  EXPECT_FALSE(HeldName::hold(location, "host-1"));
  EXPECT_TRUE(HeldName::hold(location, "host-2"));
  EXPECT_TRUE(HeldName::hold(fresh(), "host-1")) << "another study";
  first.reset();
  EXPECT_TRUE(HeldName::hold(location, "host-1", kPatience));
}

// A server forgets the lock with the connection, and whoever holds the name can find that out.
TEST_P(HeldNameIn, IsLostWithItsConnection) {
  std::string location = fresh();
  if (place_.kind() == "postgresql") location += "&application_name=iqbo_held";
  const auto held = HeldName::hold(location, "host-1");
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->held());
  if (place_.kind() != "postgresql") return;
  test::server_statement("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'iqbo_held'");
  EXPECT_FALSE(held->held());
  EXPECT_TRUE(HeldName::hold(location, "host-1", kPatience));
}

// Two processes with different environments; the one that is killed lets go.
TEST_P(HeldNameIn, IsFreeWhenItsProcessDies) {
  if (place_.kind() == "memory") return;
  const std::string location = fresh();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
    setenv("TMPDIR", "/nowhere", 1);
    const auto held = HeldName::hold(location, "host-1");
    const char said = held ? 'y' : 'n';
    if (write(ready[1], &said, 1) == 1) pause();
    _exit(1);
  }
  char said = 'n';
  ASSERT_EQ(read(ready[0], &said, 1), 1);
  EXPECT_EQ(said, 'y');
  EXPECT_FALSE(HeldName::hold(location, "host-1"));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(HeldName::hold(location, "host-1", kPatience));
  close(ready[0]);
  close(ready[1]);
}

TEST(HeldName, LocksBesideTheFileThatIsMeant) {
  const test::Place place("sqlite");
  const std::string location = place.fresh();
  test::expect_error<StorageError>([&] { HeldName::hold(location, "host-1"); }, {"no such file"});
  EXPECT_FALSE(std::filesystem::exists(location + "-workers")) << "nothing is left behind";
  Storage::create(location, test::small_bundle());
  chmod(location.c_str(), 0660);
  const std::string link = place.fresh();
  std::filesystem::create_symlink(location, link);
  const auto held = HeldName::hold(link, "host-1");
  EXPECT_TRUE(held);
  EXPECT_FALSE(HeldName::hold(location, "host-1"));
  EXPECT_EQ(std::filesystem::status(location + "-workers").permissions(), std::filesystem::perms(0660));
}

TEST(HeldName, KeepsTheSecret) {
  test::expect_error<StorageError>([] { HeldName::hold("postgresql://bob:pw4@127.0.0.1:1/db", "host-1"); },
                                   {"no connection", "bob:***@"});
}

}  // namespace
}  // namespace iqbo
