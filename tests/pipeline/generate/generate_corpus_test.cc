#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <sstream>

#include "pipeline/generate/generate.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GenerateTest : public testing::Test {
 protected:
  GenerateTest() : folder_(fs::path(testing::TempDir()) / ("generate." + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~GenerateTest() override { fs::remove_all(folder_); }

  static std::string ContentsOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }

  fs::path folder_;
};

TEST_F(GenerateTest, WritesATrecCorpusOfWhatTheGeneratorSays) {
  const fs::path out = folder_ / "new/corpus";
  const auto summary = Generate({.seed = 5, .messages = 1003, .spam_fraction = 0.3, .out = out});
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->ham + summary->spam, 1003U);

  std::ifstream index(out / "full/index");
  MailGenerator generator(5, 0.3);
  std::string judge;
  std::string path;
  uint64_t bytes = 0;
  size_t spam = 0;
  size_t lines = 0;
  for (; index >> judge >> path; ++lines) {
    const SyntheticMessage message = generator.Next();
    ASSERT_EQ(judge, message.spam ? "spam" : "ham");
    ASSERT_EQ(ContentsOf(out / "full" / path), message.bytes);
    bytes += message.bytes.size();
    spam += message.spam ? 1 : 0;
  }
  EXPECT_EQ(lines, 1003U);
  EXPECT_EQ(path, "../data/001/002");
  EXPECT_EQ(summary->bytes, bytes);
  EXPECT_EQ(summary->spam, spam);
  EXPECT_THAT(ContentsOf(out / "README"), HasSubstr("seed 5, 1003 messages, spam fraction 0.3"));
}

TEST_F(GenerateTest, WritesAnEmptyCorpusIfAsked) {
  const auto summary = Generate({.messages = 0, .out = folder_});
  ASSERT_TRUE(summary);
  EXPECT_TRUE(fs::exists(folder_ / "full/index"));
  EXPECT_EQ(fs::file_size(folder_ / "full/index"), 0U);
}

TEST_F(GenerateTest, LeavesAFolderInUseAlone) {
  std::ofstream(folder_ / "precious") << "data";
  const auto summary = Generate({.messages = 3, .out = folder_});
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().exit_code, kCantCreate);
  EXPECT_EQ(summary.error().message, folder_.string() + " is not empty");
  EXPECT_FALSE(fs::exists(folder_ / "data"));
}

TEST_F(GenerateTest, SaysWhichFolderCannotBeMade) {
  std::ofstream(folder_ / "file") << "data";
  const auto summary = Generate({.messages = 3, .out = folder_ / "file/corpus"});
  ASSERT_FALSE(summary);
  EXPECT_THAT(summary.error().message, HasSubstr((folder_ / "file/corpus").string()));
}

// A limit on the size of files simulates a full disk.
TEST_F(GenerateTest, SaysWhichFileCannotBeWrittenAndWritesNoIndex) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {.rlim_cur = 700, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto summary = Generate({.messages = 50, .out = folder_});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().exit_code, kIo);
  EXPECT_THAT(summary.error().message, HasSubstr("cannot write " + (folder_ / "data/000").string()));
  EXPECT_THAT(summary.error().message, HasSubstr("File too large"));
  EXPECT_FALSE(fs::exists(folder_ / "full/index"));
}

TEST_F(GenerateTest, RefusesAFractionThatIsNone) {
  for (const double fraction : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(Generate({.spam_fraction = fraction, .out = folder_}));
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

}  // namespace
}  // namespace thresher::pipeline
