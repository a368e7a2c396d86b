// A file has one idea and fits into a reader's head; a header says first what it is for and who may use it at
// once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr int kMostLines = 350;
constexpr std::array kFolders = {"schema",   "tokenizer",    "learners", "storage", "eval",
                                 "pipeline", "reproduction", "bench",    "fuzz",    "tests"};

struct Source {
  std::string path;  // from the top of the project
  std::string text;
};

std::vector<Source> AllSources() {
  std::vector<Source> sources;
  const fs::path root = THRESHER_SOURCE_DIR;
  for (const char* folder : kFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      sources.push_back({fs::relative(entry.path(), root), {std::istreambuf_iterator<char>(file), {}}});
    }
  }
  return sources;
}

TEST(FileShape, NoFileIsLong) {
  const std::vector<Source> sources = AllSources();
  ASSERT_GT(sources.size(), 500u);
  std::vector<std::string> longer;
  for (const Source& source : sources)
    if (std::ranges::count(source.text, '\n') > kMostLines) longer.push_back(source.path);
  EXPECT_THAT(longer, IsEmpty());
}

TEST(FileShape, AHeaderBeginsWithItsPurposeAndSaysWhichThreadsMayUseIt) {
  std::vector<std::string> silent;
  for (const Source& source : AllSources()) {
    if (!source.path.ends_with(".h") || source.path.starts_with("tests/")) continue;
    const std::string head = source.text.substr(0, source.text.find("#pragma once"));
    if (!head.starts_with("// ") || head.find("hread-safety") == std::string::npos)
      silent.push_back(source.path);
  }
  EXPECT_THAT(silent, IsEmpty());
}

}  // namespace
