// What a newer client makes of the answers of an older daemon.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pipeline/answers/needed.h"

namespace thresher::pipeline {
namespace {

TEST(OlderDaemon, ThatDoesNotSayWhatIsNeededNeedsNothing) {
  TaughtCounts taught;
  const nlohmann::json counts = {{"needed", NeededJson(taught)}};
  EXPECT_EQ(NeededTextOf(counts), NeededText(taught));
  EXPECT_FALSE(NeededTextOf(counts).empty());
  for (const char* const older : {"{}", R"({"needed": {"ham": 10}})", R"({"needed": 10})", "10"})
    EXPECT_EQ(NeededTextOf(nlohmann::json::parse(older)), "") << older;
}

}  // namespace
}  // namespace thresher::pipeline
