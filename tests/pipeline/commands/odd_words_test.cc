// Paths and other values that look like something else on the command line.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

const Words kOddNames = {"[Gmail]", "[]",     "[a,b]",   "[",    "++",   "{a}", "{}",
                         "%%",      "=",      "==x",     "a b",  " ",    "a,b", "it's",
                         "\"a\"",   "`a`",    "a\\b",    "\\n",  "$a",   "a=b", "classify",
                         "learn",   "forget", "explain", "help", "true", "---", "-5"};
const Words kNamesWithDashes = {"-x", "--", "--json", "--spam", "--store=x", "-h", "-"};

// In a folder of its own, since a name in brackets does not begin with one in an absolute path.
class OddWords : public StoreFixture {
 protected:
  OddWords() { fs::current_path(directory_.path()); }
  ~OddWords() override { fs::current_path(before_); }

  // Runs `thresher WORDS --store … -- NAMES`.
  Ran RunWith(Words words, const Words& names) const {
    words.insert(words.end(), {"--store", store_, "--"});
    words.insert(words.end(), names.begin(), names.end());
    return RunThresher(words);
  }

  fs::path before_ = fs::current_path();
};

TEST_F(OddWords, AFolderInBracketsIsNotTheOneWithoutThem) {
  for (int i = 0; i < 3; ++i) directory_.Write("[Gmail]/" + std::to_string(i), HamMessage(i));
  for (int i = 0; i < 5; ++i) directory_.Write("Gmail/" + std::to_string(i), SpamMessage(i));
  EXPECT_THAT(Run({"learn", "--ham", "[Gmail]"}).out, StartsWith("ham: 3 learned"));
  EXPECT_THAT(Run({"learn", "--ham=[Gmail]"}).out, StartsWith("ham: 0 learned, 0 corrected, 3 known"));
  EXPECT_THAT(Run({"learn", "--ham", "[Gmail]", "--spam", "Gmail"}).out,
              StartsWith("ham: 0 learned, 0 corrected, 3 known already\nspam: 5 learned"));
  EXPECT_THAT(Run({"forget", "[Gmail]"}).out, StartsWith("3 messages forgotten"));
}

TEST_F(OddWords, NoPathIsStandardInputButADash) {
  const std::string message = HamMessage(1);
  EXPECT_THAT(Run({"learn", "--ham", "[]"}, message).err, HasSubstr("[]: No such file or directory"));
  EXPECT_EQ(Run({"learn", "--ham", "-"}, message).exit_code, 0);
  for (const char* const name : {"[]", "{}", "++", "%%", ""}) {
    const Ran ran = Run({"classify", name}, message);
    EXPECT_THAT(ran.err, HasSubstr("No such file or directory")) << name;
    EXPECT_EQ(ran.out, "") << name;
  }
  EXPECT_EQ(Run({"classify", "-"}, message).err, "");
}

TEST_F(OddWords, PathsAreTakenAsTheyAre) {
  int number = 0;
  for (const std::string& name : kOddNames) directory_.Write(name, HamMessage(number++));
  for (const char* const other : {"a", "b", "Gmail", "x", "n"})
    directory_.Write(other, SpamMessage(number++));
  Words learn = {"learn", "--ham"};
  learn.insert(learn.end(), kOddNames.begin(), kOddNames.end());
  EXPECT_THAT(Run(learn).out, StartsWith("ham: " + std::to_string(kOddNames.size()) + " learned"));
  for (const std::string& name : kOddNames) {
    const Ran judged = Run({"classify", name, "--verbose"});
    EXPECT_EQ(judged.err, "") << name;
    EXPECT_EQ(Run({"explain", name}).exit_code, 0) << name;
    EXPECT_THAT(Run({"learn", "--ham", name}).out, HasSubstr("0 learned, 0 corrected, 1 known")) << name;
    EXPECT_THAT(Run({"learn", "--ham=" + name}).out, HasSubstr("0 learned, 0 corrected, 1 known")) << name;
    EXPECT_THAT(Run({"forget", name}).out, StartsWith("1 message forgotten")) << name;
  }
}

TEST_F(OddWords, AfterTwoDashesAllAreArguments) {
  int number = 0;
  for (const std::string& name : kNamesWithDashes) {
    if (name != "-") directory_.Write(name, HamMessage(number++));
  }
  const Words names(kNamesWithDashes.begin(), kNamesWithDashes.end() - 1);
  const std::string count = std::to_string(names.size());
  EXPECT_THAT(RunWith({"learn", "--ham"}, names).out, StartsWith("ham: " + count + " learned"));
  Words after_label = {"learn", "--store", store_, "--ham", "--"};
  after_label.insert(after_label.end(), names.begin(), names.end());
  EXPECT_THAT(RunThresher(after_label).out,
              StartsWith("ham: 0 learned, 0 corrected, " + count + " known already"));
  EXPECT_EQ(RunWith({"classify"}, names).err, "");
  EXPECT_EQ(RunWith({"explain"}, {"--json"}).exit_code, 0);
  EXPECT_THAT(RunWith({"forget"}, names).out, StartsWith(count + " messages forgotten"));
  EXPECT_EQ(RunWith({"backup"}, {"-copy"}).exit_code, 0);
  EXPECT_TRUE(fs::exists("-copy"));
  const Ran wrong = RunWith({"stats"}, {"-mail"});
  EXPECT_EQ(wrong.exit_code, kUsage);
  EXPECT_THAT(wrong.err, HasSubstr("not expected: -mail"));
}

TEST_F(OddWords, EachCommandSeesThePathThatWasGiven) {
  for (const char* const name : {"[a,b]", "[]", "++"}) {
    for (const Words& words : std::vector<Words>{{"learn", "--spam"},
                                                 {"replay"},
                                                 {"regret"},
                                                 {"grid", "--vary", "learner.name=ftrl"},
                                                 {"eval"},
                                                 {"eval", "--header", "X-Thresher", "--spam"},
                                                 {"fuse", name}}) {
      Words all = words;
      all.emplace_back(name);
      const Ran ran = RunThresher(all);
      EXPECT_EQ(ran.exit_code, kNoInput) << words[0] << ran.err;
      EXPECT_THAT(ran.err, HasSubstr(std::string(name) + ": No such file or directory")) << words[0];
    }
  }
}

// Which a variable of a shell gives that is not set.
TEST_F(OddWords, AnEmptyValueIsNeitherTheNextWordNorStandardInput) {
  for (const Words& words : std::vector<Words>{{"stats", "--store="}, {"classify", "--store=", "x"}}) {
    const Ran ran = RunThresher(words);
    EXPECT_EQ(ran.exit_code, kUsage);
    EXPECT_THAT(ran.err, HasSubstr("--store: expected a value, not ''"));
  }
  for (const Words& words : std::vector<Words>{{"learn", "--ham="}, {"learn", "--ham", ""}}) {
    const Ran ran = Run(words, HamMessage(1));
    EXPECT_EQ(ran.exit_code, kUsage);
    EXPECT_THAT(ran.err, HasSubstr("--ham: expected a value, not ''"));
  }
  EXPECT_THAT(RunThresher({"stats", "--store==x"}).err, HasSubstr("=x"));
}

}  // namespace
}  // namespace thresher::pipeline
