// The scripts run with `pipefail`: a command whose reader ends before it fails by SIGPIPE, now and then. So
// no pipeline has a reader that stops early.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace {

using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr std::array kScriptFolders = {".ci",        "scripts",   "tests/mail_systems", "tests/packaging",
                                       "tests/soak", "tests/mpi", "packaging",          "eval/peers"};

struct Script {
  std::string path;  // from the top of the project
  std::string text;
};

std::vector<Script> AllScripts() {
  std::vector<Script> scripts;
  const fs::path root = THRESHER_SOURCE_DIR;
  for (const char* folder : kScriptFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (text.starts_with("#!") || entry.path().extension() == ".sh")
        scripts.push_back({fs::relative(entry.path(), root), text});
    }
  }
  return scripts;
}

TEST(Scripts, NoPipelineHasAReaderThatStopsEarly) {
  const std::vector<Script> scripts = AllScripts();
  ASSERT_GT(scripts.size(), 30u);
  const std::regex stops_early(
      R"(\| *(head\b|grep +(-\w*[qm]|--quiet|--silent|--max-count)|sed[^|\n]*[;0-9]q\b))");
  std::vector<std::string> found;
  for (const Script& script : scripts) {
    std::smatch match;
    if (std::regex_search(script.text, match, stops_early)) found.push_back(script.path + ": " + match.str());
  }
  EXPECT_THAT(found, IsEmpty());
}

}  // namespace
