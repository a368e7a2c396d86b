// For tests of commands on one store, which is empty at first.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {

class StoreFixture : public testing::Test {
 protected:
  Ran Run(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", store_});
    return RunThresher(arguments, input);
  }
  void Learn(const std::string& label, const std::string& messages, const std::string& user = "") const {
    std::vector<std::string> arguments = {"learn", label};
    if (!user.empty()) arguments.insert(arguments.end(), {"--user", user});
    ASSERT_EQ(Run(arguments, messages).exit_code, 0);
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
};

}  // namespace thresher::pipeline
