// A file has one idea and fits into a reader's head; a header says first what it is for and who may use it at
// once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
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

TEST(FileShape, AHeaderBeginsWithItsPurposeAndSaysWhichThreadsMayUseIt) {
  std::vector<std::string> silent;
  for (const ProjectFile& source : AllSources()) {
    if (source.path.extension() != ".h" || *source.path.begin() == "tests") continue;
    const std::string head = source.text.substr(0, source.text.find("#pragma once"));
    if (!head.starts_with("// ") || head.find("hread-safety") == std::string::npos)
      silent.push_back(source.path.string());
  }
  EXPECT_THAT(silent, IsEmpty());
}

}  // namespace
}  // namespace thresher
