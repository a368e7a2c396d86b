#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "reproduction/sets/readers.h"
#include "reproduction/sets/text_features.h"

namespace thresher::reproduction {
namespace {

using ::testing::ElementsAre;

bool IsA(const std::string& group) { return group == "a"; }

DataSet FromTexts(TextFeatures features, const std::vector<std::string>& texts) {
  Posts posts;
  for (const std::string& text : texts) {
    posts.texts.push_back(text);
    posts.groups.emplace_back(posts.groups.empty() ? "a" : "b");
  }
  return MakeText(posts, features, 1, IsA);
}

TEST(MakeText, CountsWordsOfSubjectAndBodyThatTwoPostsHave) {
  const DataSet data = FromTexts(TextFeatures::kWords, {"From: sender\nSubject: Cheap cats\n\nsold, twice: x",
                                                        "Subject: none\n\nCATS cats sold", "\n\nthird"});
  EXPECT_EQ(data.width, 2u);  // cats, sold
  EXPECT_EQ(data.size(), 3u);
  EXPECT_EQ(data.entries(), 4u);
  EXPECT_EQ(std::ranges::count(data.targets, 1.0F), 1);
}

TEST(MakeText, PairsAreOfNeighbours) {
  const DataSet data = FromTexts(TextFeatures::kPairs, {"\n\none two one two"});
  EXPECT_EQ(data.width, 4u);  // one, two, "one two", "two one"
  EXPECT_THAT(data.values, ElementsAre(1, 1, 1, 1));
}

TEST(Readers, WithoutAFolderSayWhatIsMissing) {
  try {
    ReadArcene("");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("THRESHER_CORPORA"));
  }
}

class RealSets : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const corpora = std::getenv("THRESHER_CORPORA");
    if (corpora == nullptr) GTEST_SKIP() << "THRESHER_CORPORA is not set";
    sets_ = std::string(corpora) + "/sets";
    if (!std::filesystem::exists(sets_)) GTEST_SKIP() << "there is no " << sets_;
  }
  std::string sets_;
};

TEST_F(RealSets, HaveTheirPublishedSizes) {
  const DataSet arcene = ReadArcene(sets_);
  EXPECT_EQ(arcene.size(), 100u);
  EXPECT_EQ(arcene.width, 10'000u);
  EXPECT_NEAR(static_cast<double>(arcene.entries()), 5.4e5, 0.05e5);
  const DataSet a9a = ReadLibsvm(sets_, "a9a.xz");
  EXPECT_EQ(a9a.size(), 32'561u);
  EXPECT_EQ(a9a.width, 123u);
  const Digits digits = ReadDigits(sets_);
  EXPECT_EQ(digits.labels.size(), 10'000u);
  EXPECT_LE(*std::ranges::max_element(digits.labels), 9);
}

TEST_F(RealSets, MagicHasTheNoiseOfThePaper) {
  const DataSet sparse = ReadMagic(sets_, MagicNoise::kSparse);
  EXPECT_EQ(sparse.size(), 19'020u);
  EXPECT_EQ(sparse.width, 1010u);
  EXPECT_EQ(std::ranges::count(sparse.targets, 1.0F), 12'332);
  // The paper counts 5.81 % of the entries.
  EXPECT_NEAR(static_cast<double>(sparse.entries()) / (19'020.0 * 1010), 0.0581, 0.002);
  EXPECT_LE(std::abs(*std::ranges::max_element(sparse.values)), 1);
}

TEST_F(RealSets, NewsgroupsAreAllThere) {
  const Posts posts = ReadNewsgroups(sets_);
  EXPECT_EQ(posts.texts.size(), 18'846u);
  EXPECT_EQ(std::set<std::string>(posts.groups.begin(), posts.groups.end()).size(), 20u);
}

}  // namespace
}  // namespace thresher::reproduction
