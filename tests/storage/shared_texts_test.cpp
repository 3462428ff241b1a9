#include "storage/shared_texts.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "iqbo/storage/storage_error.hpp"
#include "places.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using internal::SharedTexts;
using Texts = std::vector<std::pair<std::string, std::string>>;

TEST(SharedTexts, AreSeenByOthersAndTheFirstStays) {
  const std::string url = test::Place("postgresql").fresh();
  SharedTexts one(url);
  EXPECT_EQ(one.all("bench"), Texts());
  one.put("bench", "6-10", "five more");
  one.put("bench", "1-5", "Zürich, 'quoted' \\ $1\nsecond line");
  one.put("other", "1-5", "of another topic");
  SharedTexts two(url);
  two.put("bench", "6-10", "another text");
  EXPECT_EQ(two.all("bench"), (Texts{{"1-5", "Zürich, 'quoted' \\ $1\nsecond line"}, {"6-10", "five more"}}));
  EXPECT_EQ(SharedTexts(test::Place("postgresql").fresh()).all("bench"), Texts()) << "study=NAME keeps campaigns apart";
}

// The table is made by whoever comes first, and all come at once.
TEST(SharedTexts, ManyProcessesBeginAtOnce) {
  const std::string url = test::Place("postgresql").fresh();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back(
          [&, i] { SharedTexts(url).put("bench", test::numbered("", i), test::numbered("text ", i)); });
  }
  EXPECT_EQ(SharedTexts(url).all("bench").size(), 8U);
}

TEST(SharedTexts, SaysWhatIsNoServer) {
  test::expect_refusal([] { SharedTexts("folder"); }, {"shared: folder is not a server", "postgresql://"});
  try {
    SharedTexts("postgresql://me:secret@127.0.0.1:1/nowhere");
    FAIL() << "no server there";
  } catch (const StorageError& error) {
    EXPECT_EQ(error.kind(), StorageError::Kind::kConnection);
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace iqbo
