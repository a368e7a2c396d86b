// The position of a closed model is known as long as nobody opens it.
#include "pipeline/cluster/closed_position.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "storage/log_note.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

class ClosedPositionTest : public testing::Test {
 protected:
  ClosedPositionTest() {
    std::filesystem::create_directories(dir() / "db");
    std::ofstream(dir() / "db/CURRENT") << "MANIFEST-000001\n";
    storage::WriteLogNote(dir(), true);
  }
  std::filesystem::path dir() const { return directory_.path(); }

  TestDirectory directory_;
};

TEST_F(ClosedPositionTest, IsThatOfTheModelAsItWasClosed) {
  EXPECT_EQ(ReadClosedPosition(dir()), std::nullopt);
  WriteClosedPosition(dir(), 1234567890123);
  EXPECT_EQ(ReadClosedPosition(dir()), 1234567890123);
  storage::TakeLogNote(dir());
  EXPECT_EQ(ReadClosedPosition(dir()), std::nullopt);
  storage::WriteLogNote(dir(), true);
  EXPECT_EQ(ReadClosedPosition(dir()), std::nullopt);
  WriteClosedPosition(dir(), 0);
  EXPECT_EQ(ReadClosedPosition(dir()), 0);
}

TEST_F(ClosedPositionTest, AnUnfinishedOrForeignFileSaysNothing) {
  WriteClosedPosition(dir(), 17);
  const std::filesystem::path file = dir() / "followed";
  const uint64_t size = std::filesystem::file_size(file);
  for (uint64_t left = 0; left < size; ++left) {
    WriteClosedPosition(dir(), 17);
    std::filesystem::resize_file(file, left);
    EXPECT_EQ(ReadClosedPosition(dir()), std::nullopt) << left;
  }
  WriteClosedPosition(dir(), 17);
  std::ofstream(file, std::ios::in) << "x7";
  EXPECT_EQ(ReadClosedPosition(dir()), std::nullopt);
}

TEST_F(ClosedPositionTest, AModelThatIsOpenHasNone) {
  WriteClosedPosition(dir(), 17);
  storage::TakeLogNote(dir());
  WriteClosedPosition(dir(), 18);
  EXPECT_FALSE(std::filesystem::exists(dir() / "followed"));
}

}  // namespace
}  // namespace thresher::pipeline
