// What a model that exists takes of the configuration, and how commands say so.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ExistingModelTest : public StoreFixture {
 protected:
  std::string File(const std::string& text) const { return directory_.Write("config.yaml", text); }
};

TEST_F(ExistingModelTest, RebuildSaysThatThePresetOfAFileIsForNewModels) {
  Learn("--spam", SpamMessage(1));
  Learn("--ham", HamMessage(1));
  const std::string file = File("preset: sparse\n");
  const Ran kept = Run({"rebuild", "--config", file});
  EXPECT_EQ(kept.exit_code, 0);
  EXPECT_THAT(kept.out, HasSubstr("\nis  adaptive-ftrl ("));
  EXPECT_THAT(kept.err, AllOf(HasSubstr(file + ":1: preset sparse is for new models"),
                              HasSubstr("--preset sparse would")));
  const Ran changed = Run({"rebuild", "--config", file, "--preset", "sparse"});
  EXPECT_THAT(changed.out, HasSubstr("\nis  ftrl ("));
  EXPECT_THAT(changed.err, Not(HasSubstr("new models")));
  EXPECT_THAT(Run({"rebuild", "--config", file}).err, Not(HasSubstr("new models"))) << "it is of that preset";
  EXPECT_THAT(Run({"rebuild", "--config", File("thresholds:\n  spam: 0.9\n")}).err,
              Not(HasSubstr("new models")));
}

}  // namespace
}  // namespace thresher::pipeline
