// The file that `export` writes.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

class ExportFileTest : public StoreFixture {
 protected:
  std::string file_ = directory_ / "export";
};

TEST_F(ExportFileTest, AnExportThatFailsLeavesTheOneBefore) {
  Learn("--spam", SpamMessage(1));
  ASSERT_EQ(Run({"export", "--out", file_}).exit_code, 0);
  const std::string before = ReadBytes(file_);
  EXPECT_EQ(before, Run({"export"}).out);
  Learn("--ham", HamMessage(1));
  for (const std::string& words :
       {"export --out " + file_, "export --examples vw --out /dev/null --ids " + file_}) {
    const std::string limited = "ulimit -f 1; " + std::string(THRESHER_PROGRAM) + ' ' + words + " --store " +
                                store_ + " 2>" + (directory_ / "complaints");
    const int status = std::system(limited.c_str());
    EXPECT_EQ(WEXITSTATUS(status), kIo) << words;
    EXPECT_THAT(ReadBytes(directory_ / "complaints"), testing::HasSubstr(file_));
    EXPECT_EQ(ReadBytes(file_), before) << words;
    EXPECT_FALSE(std::filesystem::exists(file_ + ".new"));
  }
  ASSERT_EQ(Run({"export", "--out", file_}).exit_code, 0);
  EXPECT_EQ(ReadBytes(file_), Run({"export"}).out);
}

}  // namespace
}  // namespace thresher::pipeline
