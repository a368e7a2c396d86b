// A store that tests teach by commands.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {

class TeachTest : public testing::Test {
 protected:
  Ran Thresher(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", directory_ / "store"});
    return RunThresher(arguments, input);
  }
  nlohmann::json Stats() const { return nlohmann::json::parse(Thresher({"stats", "--json"}).out); }
  // Of the log, in order: h for ham, s for spam.
  std::string Labels() const {
    std::string labels;
    std::istringstream lines(Thresher({"export", "--examples", "vw"}).out);
    for (std::string line; std::getline(lines, line);) labels += line.front() == '-' ? 'h' : 's';
    return labels;
  }
  double Margin(const std::string& message) const {
    return nlohmann::json::parse(Thresher({"classify", "--json"}, message).out).at("margin");
  }

  TestDirectory directory_;
};

}  // namespace thresher::pipeline
