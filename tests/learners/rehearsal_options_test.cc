#include "learners/steps/rehearsal_options.h"

#include <gtest/gtest.h>

#include <limits>

namespace thresher::learners {
namespace {

TEST(RehearsalOptions, AreReadAsTheyWereWritten) {
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{128} << 20, uint64_t{1000000000000000}}) {
    const RehearsalOptions options = {.draws = 5, .memory = 30, .bytes = bytes, .mistrust = 0.25};
    EXPECT_EQ(ReadRehearsal(RehearsalText(options)), options);
  }
  EXPECT_EQ(RehearsalText({}), "draws=3 memory=1000 mistrust=0 bytes=134217728");
}

// So that their models go on as before, and as nodes of one log.
TEST(RehearsalOptions, OfProgramsThatDidNotLimitBytesHaveNoLimit) {
  for (const std::string text : {"", "draws=3 memory=1000 mistrust=0"}) {
    const auto read = ReadRehearsal(text);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, RehearsalOptions{.bytes = 0});
    EXPECT_EQ(read->PerClass().bytes, std::numeric_limits<uint64_t>::max());
    EXPECT_EQ(RehearsalText(*read), "draws=3 memory=1000 mistrust=0");
  }
}

TEST(RehearsalOptions, EachClassHasHalf) {
  const RehearsalLimits most = RehearsalOptions{.memory = 31, .bytes = 1001}.PerClass();
  EXPECT_EQ(most.examples, 15U);
  EXPECT_EQ(most.bytes, 500U);
}

TEST(RehearsalOptions, BytesAreAWholeNumberInTheirRange) {
  for (const std::string bytes : {"-1", "1.5", "2e15", "many", ""})
    EXPECT_EQ(ReadRehearsal("draws=3 bytes=" + bytes), std::nullopt) << bytes;
  EXPECT_EQ(ReadRehearsal("bytes=1e15")->bytes, 1000000000000000U);
}

}  // namespace
}  // namespace thresher::learners
