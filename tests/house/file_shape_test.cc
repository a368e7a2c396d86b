// A file has one idea and fits into a reader's head; a header says first what it is for and who may use it at
// once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/house/project_files.h"

namespace thresher {
namespace {

using ::testing::IsEmpty;

constexpr int kMostLines = 350;
constexpr std::array kFolders = {"schema",   "tokenizer",    "learners", "storage", "eval",
                                 "pipeline", "reproduction", "bench",    "fuzz",    "tests"};

std::vector<ProjectFile> AllSources() {
  std::vector<ProjectFile> sources = FilesBelow(kFolders);
  std::erase_if(sources, [](const ProjectFile& file) {
    return file.path.extension() != ".cc" && file.path.extension() != ".h";
  });
  return sources;
}

TEST(FileShape, NoFileIsLong) {
  std::vector<ProjectFile> sources = AllSources();
  ASSERT_GT(sources.size(), 500u);
  constexpr std::array kScripts = {"scripts", ".ci"};
  std::ranges::move(FilesBelow(kScripts), std::back_inserter(sources));
  std::vector<std::string> longer;
  for (const ProjectFile& source : sources)
    if (std::ranges::count(source.text, '\n') > kMostLines) longer.push_back(source.path.string());
  EXPECT_THAT(longer, IsEmpty());
}

// The comment that a header begins with, as one line.
std::string HeadOf(const ProjectFile& header) {
  std::string head = header.text.substr(0, header.text.find("#pragma once"));
  for (size_t at = head.find("\n//"); at != std::string::npos; at = head.find("\n//", at))
    head.erase(at, 3);  // leaves the space after it
  return head;
}

// Whether a head says who uses what it declares: "Called by replay and jig", "Used where a model is opened".
bool NamesCallers(const std::string& head) {
  static const std::regex kCallers(
      "\\b([Cc]alled|[Ff]illed|[Ii]mplemented|[Mm]ade|[Oo]pened|[Rr]ead|[Rr]eturned|[Ss]hared|[Tt]aken|"
      "[Uu]sed|[Ww]ritten)( \\w+)? by\\b|\\b([Cc]alled|[Uu]sed) (for|here|in|inside|once per|where)");
  return std::regex_search(head, kCallers);
}

TEST(FileShape, AHeaderBeginsWithItsPurposeAndSaysWhoCallsItAndWhichThreadsMayUseIt) {
  std::vector<std::string> silent;
  for (const ProjectFile& source : AllSources()) {
    if (source.path.extension() != ".h" || *source.path.begin() == "tests") continue;
    const std::string head = HeadOf(source);
    if (!head.starts_with("// ") || !NamesCallers(head) || head.find("hread-safety") == std::string::npos)
      silent.push_back(source.path.string());
  }
  EXPECT_THAT(silent, IsEmpty());
}

TEST(FileShape, CallersAreFoundInAHead) {
  const auto head = [](const char* text) { return HeadOf({"a.h", std::string(text) + "#pragma once\n"}); };
  EXPECT_TRUE(NamesCallers(head("// Purpose.\n//\n// Called by replay.\n")));
  EXPECT_TRUE(NamesCallers(head("// Purpose. Called\n// by replay.\n")));
  EXPECT_TRUE(NamesCallers(head("// Purpose. Used where a model is opened.\n")));
  EXPECT_FALSE(NamesCallers(head("// What `thresher fit` prints.\n//\n// Thread-safety: one thread.\n")));
}

}  // namespace
}  // namespace thresher
