// What the scripts do before they build: how they refuse, and which files an index names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
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

constexpr const char* kScriptsFolder = THRESHER_SOURCE_DIR "/scripts/";
constexpr int kUsage = 64;
constexpr int kMalformed = 65;
constexpr int kNoInput = 66;

struct ShellAnswer {
  int code;
  std::string out;
};

ShellAnswer AskShell(const std::string& line) {
  FILE* const run = popen(line.c_str(), "r");
  std::string out;
  for (int c = std::fgetc(run); c != EOF; c = std::fgetc(run)) out += static_cast<char>(c);
  return {WEXITSTATUS(pclose(run)), out};
}

// They run with `pipefail`: a command whose reader ends before it fails by SIGPIPE, now and then.
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
    return AskShell(std::string("THRESHER=/nonexistent ") + kScriptsFolder + "plot-vocabulary '" + out +
                    "' 2>&1")
        .code;
  };
  EXPECT_EQ(exit_code_with(folder.Write("vocabulary", "{\"tokens\": []}\n")), 73);
  EXPECT_EQ(exit_code_with(folder.Write("zeros", std::string(9, '\0'))), 73);
  constexpr int kNoProgram = kNoInput;  // it went on
  EXPECT_EQ(exit_code_with(folder.Write("drawn.svg", "<svg xmlns=\"\">")), kNoProgram);
  EXPECT_EQ(exit_code_with(folder.Write("made.svg", "<?xml version=\"1.0\"?><svg>")), kNoProgram);
  EXPECT_EQ(exit_code_with(folder.Write("empty", "")), kNoProgram);
  EXPECT_EQ(exit_code_with(folder / "new.svg"), kNoProgram);
}

TEST(Scripts, RefuseWrongArgumentsBeforeTheyBuild) {
  for (const char* line :
       {"package --nonsense", "draw-architecture --nonsense", "test --nonsense", "bench-models --nonsense",
        "bench-models 0", "bench-models 5 6", "first-days --next x", "reproduce", "reproduce nosuch",
        "size-cluster judge=0", "size-cluster judge=.", "size-cluster judge=e", "size-cluster judge=1-2",
        "size-cluster servers=0e3", "size-cluster taught=-1", "bench-mail /dev/null x",
        "measure-sharing --feedback 0"}) {
    const ShellAnswer ran = AskShell(std::string(kScriptsFolder) + line + " 2>/dev/null");
    EXPECT_EQ(ran.code, kUsage) << line;
    EXPECT_EQ(ran.out, "") << line;
  }
  for (const char* line : {"bench-models 5", "measure-sharing --tastes /nonexistent",
                           "measure-sharing --origins /nonexistent", "reproduce spam-filter"}) {
    const ShellAnswer ran = AskShell(std::string("PROGRAM=/nonexistent THRESHER_CORPORA= ") + kScriptsFolder +
                                     line + " 2>/dev/null");
    EXPECT_EQ(ran.code, kNoInput) << line;
  }
}

TEST(Scripts, SizeClusterTakesNumbers) {
  EXPECT_EQ(
      AskShell(std::string(kScriptsFolder) + "size-cluster judge=1.5e3 net=.5 taught=0 every=20000 2>&1")
          .code,
      0);
}

TEST(Scripts, FindTheFilesThatAnIndexNames) {
  const TestDirectory folder;
  const auto absolute_paths = [&](const std::string& index, const std::string& work) {
    return AskShell("bash -c 'set -euo pipefail; work=" + work + "; . " + kScriptsFolder +
                    "measuring.sh; absolute_paths \"" + index + "\"' 2>/dev/null");
  };
  const std::string lines = "ham  ../data/1 user\r\n\r\n\nSpam /elsewhere/2\r\n";
  const std::string plain = absolute_paths(folder.Write("plain/index", lines), "").out;
  EXPECT_EQ(plain, "ham " + (folder / "plain/../data/1") + " user\nSpam /elsewhere/2\n");

  folder.Write("data/1", "a message");
  const std::string with_blanks = folder.Write("with blanks/index", lines);
  const std::string linked = absolute_paths(with_blanks, folder.path()).out;
  EXPECT_EQ(std::ranges::count(linked, ' '), 3);
  const size_t begin = linked.find('/');
  EXPECT_EQ(AskShell("cat " + linked.substr(begin, linked.find(' ', begin) - begin)).out, "a message");
  EXPECT_EQ(absolute_paths(with_blanks, "").code, kMalformed);
}

TEST(Scripts, MeasureSharingReadsTheOriginOfEachMessage) {
  const TestDirectory folder;
  const std::string message = folder.Write("data/1", "X-Origin: Kaminski-V\n\n");
  const std::string origins = std::string(kScriptsFolder) + "measure-sharing --origins ";
  const ShellAnswer ran =
      AskShell(origins + folder.Write("full/index", "ham " + message + "\nspam ../data/2\n"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "ham " + message + " kaminski-v\nspam " + (folder / "full/../data/2") + " kaminski-v\n");
  const std::string missing = folder.Write("full/missing", "ham ../data/2\n");
  EXPECT_EQ(AskShell(origins + missing + " 2>/dev/null").code, kNoInput);
}

}  // namespace
}  // namespace thresher
