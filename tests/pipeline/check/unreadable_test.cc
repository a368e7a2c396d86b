// A model of which a part cannot be read may be whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class UnreadableTest : public StoreFixture {};

// Nobody is told to remove it.
TEST_F(UnreadableTest, IsNotCalledDamaged) {
  Learn("--spam", SpamMessage(1));
  constexpr fs::perms kAll = fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all;
  constexpr fs::perms kOthers = fs::perms::group_write | fs::perms::others_write;
  fs::path marks;
  for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
    if (entry.path().filename() == "SYNCED") marks = entry.path();
    fs::permissions(entry.path(), kAll & ~kOthers);
  }
  fs::permissions(directory_.path(), kAll & ~kOthers);
  ASSERT_FALSE(marks.empty());
  const auto check = [&] { return RunThresher({"check", "--store", store_}, "", As::kNobody); };
  EXPECT_EQ(check().exit_code, 0) << check().err;
  fs::permissions(marks, fs::perms::none);
  const Ran ran = check();
  EXPECT_EQ(ran.exit_code, kIo);
  EXPECT_THAT(ran.err, HasSubstr("SYNCED"));
  EXPECT_THAT(ran.err, Not(HasSubstr("damaged")));
}

}  // namespace
}  // namespace thresher::pipeline
