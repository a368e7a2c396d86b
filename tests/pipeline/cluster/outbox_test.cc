// What is in the outbox is there after a crash; numbers ascend for ever.
#include "pipeline/cluster/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OutboxTest : public testing::Test {
 protected:
  std::unique_ptr<Outbox> Open(uint64_t most = 1 << 30) {
    auto outbox = Outbox::Open(path_, most);
    EXPECT_TRUE(outbox.has_value()) << outbox.error().message;
    return *std::move(outbox);
  }
  static Result<void> Append(Outbox& outbox, const std::string& features) {
    Operation operation{.circumstances = {}, .keys = {}, .features = features};
    auto done = outbox.Append(&operation);
    return done ? outbox.Sync() : done;
  }
  // Takes all out.
  static std::vector<std::string> Contents(Outbox& outbox) {
    std::vector<std::string> contents;
    while (!outbox.empty()) {
      const auto operation = DecodeOperation(outbox.Front().value());
      EXPECT_EQ(operation->author, outbox.author());
      EXPECT_EQ(operation->number, outbox.FrontNumber());
      contents.push_back(std::to_string(operation->number) + operation->features);
      EXPECT_TRUE(outbox.PopFront().has_value());
    }
    return contents;
  }
  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TestDirectory directory_;
  std::filesystem::path path_ = directory_ / "outbox";
};

TEST_F(OutboxTest, KeepsWhatItWasGiven) {
  uint64_t author = 0;
  {
    const auto outbox = Open();
    author = outbox->author();
    ASSERT_TRUE(Append(*outbox, "a").has_value());
    ASSERT_TRUE(Append(*outbox, "b").has_value());
    ASSERT_TRUE(outbox->PopFront().has_value());
  }
  const std::string bytes = Bytes();
  {
    const auto outbox = Open();
    EXPECT_EQ(outbox->author(), author);
    EXPECT_EQ(Bytes(), bytes);
    EXPECT_THAT(Contents(*outbox), ElementsAre("2b"));
    ASSERT_TRUE(Append(*outbox, "c").has_value());
    EXPECT_THAT(Contents(*outbox), ElementsAre("3c"));
  }
  EXPECT_TRUE(Open()->empty());
  // Without the mark of what was published, all is published again, which changes nothing.
  std::string torn = bytes;
  torn[44] = 'x';
  std::ofstream(path_, std::ios::binary) << torn;
  EXPECT_THAT(Contents(*Open()), ElementsAre("1a", "2b"));
}

TEST_F(OutboxTest, NumbersGoOnInTheNextFile) {
  const std::string large(300'000, 'x');
  {
    const auto outbox = Open();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(Append(*outbox, large).has_value());
    EXPECT_EQ(Contents(*outbox).size(), 5U);
    EXPECT_EQ(outbox->bytes(), 0U);  // the file was made anew
  }
  const auto outbox = Open();
  EXPECT_TRUE(outbox->empty());
  ASSERT_TRUE(Append(*outbox, "a").has_value());
  EXPECT_THAT(Contents(*outbox), ElementsAre("6a"));
}

TEST_F(OutboxTest, ATornEndIsCutOffAnywhere) {
  {
    const auto outbox = Open();
    ASSERT_TRUE(Append(*outbox, "a").has_value());
    ASSERT_TRUE(Append(*outbox, "b").has_value());
  }
  const std::string whole = Bytes();
  size_t first_end = 0;
  {
    const auto outbox = Open();
    first_end = 56 + outbox->bytes() / 2;
  }
  for (size_t end = first_end; end < whole.size(); ++end) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, end);
    const auto outbox = Open();
    EXPECT_EQ(Bytes(), whole.substr(0, first_end)) << end;
    ASSERT_TRUE(Append(*outbox, "c").has_value());
    EXPECT_THAT(Contents(*outbox), ElementsAre("1a", "2c")) << end;
  }
}

TEST_F(OutboxTest, AFullOneTakesNoMore) {
  const auto outbox = Open(1000);
  ASSERT_TRUE(Append(*outbox, std::string(700, 'x')).has_value());
  const auto refused = Append(*outbox, std::string(700, 'x'));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kBusy);
  EXPECT_THAT(refused.error().message, HasSubstr("the outbox is full (1 messages wait)"));
  EXPECT_EQ(outbox->size(), 1U);
}

TEST_F(OutboxTest, AFullOneTakesMoreOnceAllIsPublished) {
  const std::string half(500, 'x');
  {
    const auto outbox = Open(1000);
    ASSERT_TRUE(Append(*outbox, half).has_value());
    EXPECT_EQ(Contents(*outbox).size(), 1U);
    ASSERT_TRUE(Append(*outbox, half).has_value());
    EXPECT_FALSE(Append(*outbox, half).has_value());
    EXPECT_THAT(Contents(*outbox), ElementsAre("2" + half));
  }
  const auto outbox = Open(1000);
  ASSERT_TRUE(Append(*outbox, half).has_value());
  EXPECT_THAT(Contents(*outbox), ElementsAre("3" + half));
}

TEST_F(OutboxTest, AnotherFileIsRefused) {
  directory_.Write("outbox", "hello");
  const auto refused = Outbox::Open(path_, 1000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kData);
  EXPECT_EQ(Bytes(), "hello");
}

}  // namespace
}  // namespace thresher::pipeline
