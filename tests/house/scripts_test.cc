// The scripts run with `pipefail`: a command whose reader ends before it fails by SIGPIPE, now and then. So
// no pipeline has a reader that stops early.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <regex>
#include <string>
#include <vector>

#include "tests/house/project_files.h"
#include "tests/test_directory.h"

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

// Somebody took the picture that it writes for the vocabulary that it draws.
TEST(Scripts, PlotVocabularyOverwritesNothingButPictures) {
  const TestDirectory folder;
  const auto exit_code_with = [](const std::string& out) {
    const std::string line =
        "THRESHER=/nonexistent " THRESHER_SOURCE_DIR "/scripts/plot-vocabulary '" + out + "' 2>&1";
    FILE* const run = popen(line.c_str(), "r");
    while (std::fgetc(run) != EOF) {
    }
    return WEXITSTATUS(pclose(run));
  };
  EXPECT_EQ(exit_code_with(folder.Write("vocabulary", "{\"tokens\": []}\n")), 73);
  EXPECT_EQ(exit_code_with(folder.Write("zeros", std::string(9, '\0'))), 73);
  constexpr int kNoProgram = 66;  // it went on
  EXPECT_EQ(exit_code_with(folder.Write("drawn.svg", "<svg xmlns=\"\">")), kNoProgram);
  EXPECT_EQ(exit_code_with(folder.Write("made.svg", "<?xml version=\"1.0\"?><svg>")), kNoProgram);
  EXPECT_EQ(exit_code_with(folder.Write("empty", "")), kNoProgram);
  EXPECT_EQ(exit_code_with(folder / "new.svg"), kNoProgram);
}

}  // namespace
}  // namespace thresher
