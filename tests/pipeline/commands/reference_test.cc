// The committed reference pages are what the program prints.
#include <gtest/gtest.h>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

TEST(Reference, PagesAreWhatTheProgramPrints) {
  EXPECT_EQ(RunThresher({"config", "--markdown"}).out, ReadBytes(THRESHER_SOURCE_DIR "/docs/settings.md"))
      << "run scripts/make-reference";
  EXPECT_EQ(RunThresher({"learners", "--markdown"}).out,
            ReadBytes(THRESHER_SOURCE_DIR "/docs/learner-options.md"))
      << "run scripts/make-reference";
}

}  // namespace
}  // namespace thresher::pipeline
