// No two files define a type of the same name in the same namespace. The linker would keep one destructor
// (and each other inline function) of the two, and the program would run it on objects of the other type.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Which files define a type, by its qualified name.
using Definitions = std::map<std::string, std::set<std::string>>;

// Reads what clang-format leaves: a namespace opens and closes at the beginning of a line, and so does a type
// that is not within another. Types in a namespace without a name are the file's own.
void AddDefinitions(const std::string& path, std::istream& source, Definitions& definitions) {
  static const std::regex kNamespace("namespace ([A-Za-z0-9_:]*) ?\\{");
  static const std::regex kType(
      "(?:struct|class|union|enum class|enum) ([A-Za-z0-9_]+)(?: final)?(?: : .*)?(?: )?\\{.*");
  std::vector<std::string> open;
  std::smatch match;
  for (std::string line; std::getline(source, line);) {
    if (std::regex_match(line, match, kNamespace)) {
      open.push_back(match[1]);
    } else if (line.starts_with("}  // namespace") && !open.empty()) {
      open.pop_back();
    } else if (std::regex_match(line, match, kType)) {
      std::string name;
      bool is_local = false;
      for (const std::string& space : open) {
        is_local = is_local || space.empty();
        name += space + "::";
      }
      if (!is_local) definitions[name + match[1].str()].insert(path);
    }
  }
}

// "thresher::Type: a.h, b.cc" for each type that more than one file defines.
std::vector<std::string> DefinedTwice(const Definitions& definitions) {
  std::vector<std::string> twice;
  for (const auto& [name, files] : definitions) {
    if (files.size() > 1) twice.push_back(fmt::format("{}: {}", name, fmt::join(files, ", ")));
  }
  return twice;
}

std::vector<std::string> DefinedTwiceIn(const std::map<std::string, std::string>& files) {
  Definitions definitions;
  for (const auto& [path, text] : files) {
    std::istringstream source(text);
    AddDefinitions(path, source, definitions);
  }
  return DefinedTwice(definitions);
}

// Programs of tests and of benchmarks are never one.
class Programs : public testing::TestWithParam<const char*> {};

TEST_P(Programs, DefineEachTypeOnce) {
  const std::filesystem::path root = THRESHER_SOURCE_DIR;
  Definitions definitions;
  for (const char* const folder :
       {"schema", "tokenizer", "learners", "storage", "eval", "pipeline", "reproduction", GetParam()}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
      std::ifstream source(entry.path());
      AddDefinitions(entry.path().lexically_relative(root).string(), source, definitions);
    }
  }
  EXPECT_GT(definitions.size(), 200u);
  EXPECT_THAT(DefinedTwice(definitions), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(OneDefinition, Programs, testing::Values("tests", "bench"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(OneDefinition, TypesOfOneNameAreFound) {
  const std::string type = "namespace a::b {\n\nstruct T {\n  int i;\n};\n\n}  // namespace a::b\n";
  EXPECT_THAT(DefinedTwiceIn({{"x.h", type}, {"y.cc", type}}), ElementsAre("a::b::T: x.h, y.cc"));
  EXPECT_EQ(
      DefinedTwiceIn({{"x.h", type}, {"y.cc", "namespace a::b {\nclass T final : public U {\n"}}).size(), 1u);
  EXPECT_EQ(DefinedTwiceIn(
                {{"x.h", type}, {"y.cc", "namespace a {\nnamespace b {\nenum class T : int { kOne };\n"}})
                .size(),
            1u);
}

TEST(OneDefinition, LocalTypesAndDeclarationsPass) {
  const std::string type = "namespace a {\nstruct T {\n};\n}  // namespace a\n";
  EXPECT_THAT(
      DefinedTwiceIn(
          {{"x.h", type},
           {"y.cc", "namespace a {\nnamespace {\nstruct T {\n};\n}  // namespace\n}  // namespace a\n"},
           {"z.cc", "namespace a {\nstruct T;\n}  // namespace a\n"},
           {"other.cc", "namespace b {\nstruct T {\n};\n}  // namespace b\n"}}),
      IsEmpty());
}

}  // namespace
