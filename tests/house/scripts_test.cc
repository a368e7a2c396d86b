// The scripts run with `pipefail`: a command whose reader ends before it fails by SIGPIPE, now and then. So
// no pipeline has a reader that stops early.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <string>
#include <vector>

#include "tests/house/project_files.h"

namespace thresher {
namespace {

using ::testing::IsEmpty;

constexpr std::array kScriptFolders = {".ci",        "scripts",   "tests/mail_systems", "tests/packaging",
                                       "tests/soak", "tests/mpi", "packaging",          "eval/peers"};

std::vector<ProjectFile> AllScripts() {
  std::vector<ProjectFile> scripts = FilesBelow(kScriptFolders);
  std::erase_if(scripts, [](const ProjectFile& file) {
    return !file.text.starts_with("#!") && file.path.extension() != ".sh";
  });
  return scripts;
}

TEST(Scripts, NoPipelineHasAReaderThatStopsEarly) {
  const std::vector<ProjectFile> scripts = AllScripts();
  ASSERT_GT(scripts.size(), 30u);
  const std::regex stops_early(
      R"(\| *(head\b|grep +(-\w*[qm]|--quiet|--silent|--max-count)|sed[^|\n]*[;0-9]q\b))");
  std::vector<std::string> found;
  for (const ProjectFile& script : scripts) {
    std::smatch match;
    if (std::regex_search(script.text, match, stops_early))
      found.push_back(script.path.string() + ": " + match.str());
  }
  EXPECT_THAT(found, IsEmpty());
}

}  // namespace
}  // namespace thresher
