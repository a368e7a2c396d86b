// What could not be written is reported, with its reason.
#include "pipeline/terminal/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

// More than any buffer holds, so that Write is what fails.
const std::string kMuch(1 << 20, 'x');

TEST(OutputFileTest, SaysWhyAWriteFailed) {
  auto file = OutputFile::Open("/dev/full");
  ASSERT_TRUE(file.has_value());
  file->Write(kMuch);
  errno = 0;  // what is done between the two has errors of its own, or none
  const auto closed = file->Close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().exit_code, kIo);
  EXPECT_EQ(closed.error().message, "/dev/full: No space left on device");
}

TEST(OutputFileTest, SaysWhyTheLastBytesFailed) {
  auto file = OutputFile::Open("/dev/full");
  ASSERT_TRUE(file.has_value());
  file->Write("x");
  EXPECT_EQ(file->Close().error().message, "/dev/full: No space left on device");
}

TEST(OutputFileTest, EmptiesAFileWhenItWrites) {
  const TestDirectory directory;
  const std::string path = directory.Write("file", "before");
  auto file = OutputFile::Open(path);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(std::filesystem::file_size(path), 6U);
  file->Write(kMuch);
  ASSERT_TRUE(file->Close().has_value());
  EXPECT_EQ(std::filesystem::file_size(path), kMuch.size());
}

}  // namespace
}  // namespace thresher::pipeline
