// The tests and fuzzers that the pages name are there: a promise whose test was renamed or removed is held by
// nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "Suite" and "Suite.Test" of each test below `folder`, and the names of the fuzzers.
std::set<std::string> AllTests(const fs::path& root) {
  static const std::regex kTest(R"(\bTEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
  std::set<std::string> tests;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    if (entry.path().extension() != ".cc") continue;
    const std::string text = TextOf(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), kTest), end; match != end; ++match) {
      tests.insert((*match)[1]);
      tests.insert((*match)[1].str() + "." + (*match)[2].str());
    }
  }
  for (const auto& entry : fs::directory_iterator(root / "fuzz")) tests.insert(entry.path().stem());
  return tests;
}

// What a page calls a test or a fuzzer.
std::vector<std::string> NamedIn(const std::string& page) {
  static const std::regex kName(R"(`([A-Z]\w*Test|[A-Z]\w*\.[A-Z]\w*|[a-z_]+_fuzz)`)");
  std::vector<std::string> names;
  for (std::sregex_iterator match(page.begin(), page.end(), kName), end; match != end; ++match)
    names.push_back((*match)[1]);
  return names;
}

// The lines of the table of promises in durability.md.
std::vector<std::string> Promises(const std::string& page) {
  std::vector<std::string> promises;
  std::istringstream lines(page.substr(page.find("| promise | test |")));
  std::string line;
  for (int i = 0; std::getline(lines, line) && line.starts_with('|'); ++i) {
    if (i >= 2) promises.push_back(line);
  }
  return promises;
}

TEST(NamedTests, AreThere) {
  const fs::path root = THRESHER_SOURCE_DIR;
  const std::set<std::string> tests = AllTests(root);
  ASSERT_GT(tests.size(), 1000U);
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::vector<std::string> missing;
  size_t named = 0;
  for (const fs::path& page : pages) {
    for (const std::string& name : NamedIn(TextOf(page))) {
      ++named;
      if (!tests.contains(name)) missing.push_back(page.filename().string() + ": " + name);
    }
  }
  EXPECT_GT(named, 30U);
  EXPECT_THAT(missing, IsEmpty());
}

TEST(NamedTests, EachPromiseHasOne) {
  const std::vector<std::string> promises =
      Promises(TextOf(fs::path(THRESHER_SOURCE_DIR) / "docs/durability.md"));
  EXPECT_GE(promises.size(), 20U);
  const std::set<std::string> tests = AllTests(THRESHER_SOURCE_DIR);
  static const std::regex kQuoted("`([^`]+)`");
  for (const std::string& promise : promises) {
    const std::string held_by = promise.substr(promise.find(" | ") + 3);
    size_t found = 0;
    for (std::sregex_iterator match(held_by.begin(), held_by.end(), kQuoted), end; match != end; ++match) {
      const std::string name = (*match)[1];
      const bool is_script = name == "scripts/soak";
      EXPECT_TRUE(is_script || tests.contains(name)) << name << " in: " << promise;
      found += is_script ? 0 : 1;
    }
    EXPECT_GT(found, 0U) << promise;
  }
}

TEST(NamedTests, AreFoundInAPage) {
  EXPECT_THAT(NamedIn("`ATest`, `B.C`; `x_fuzz`: `scripts/soak`, `Learn`, `settings.h`, D.E"),
              ElementsAre("ATest", "B.C", "x_fuzz"));
  EXPECT_THAT(Promises("text\n| promise | test |\n|---|---|\n| one | `ATest` |\n\n| no | more |\n"),
              ElementsAre("| one | `ATest` |"));
}

}  // namespace
