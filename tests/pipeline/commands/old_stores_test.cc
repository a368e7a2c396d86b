// Stores of older releases work with the present program. Each archive in tests/pipeline/releases (made by
// scripts/make-old-store) holds stores, messages, and the verdicts of that release on them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<fs::path> Archives() {
  std::vector<fs::path> archives;
  for (const auto& entry : fs::directory_iterator(THRESHER_SOURCE_DIR "/tests/pipeline/releases"))
    archives.push_back(entry.path());
  return archives;
}

class OldStore : public ::testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    const std::string unpack =
        "tar xzf '" + GetParam().string() + "' -C '" + directory_.path().string() + "'";
    ASSERT_EQ(std::system(unpack.c_str()), 0);
    // The directory of a release in the archive.
    root_ = fs::directory_iterator(directory_.path())->path();
  }

  // Runs thresher ARGUMENTS… on `model` of the unpacked store.
  Ran Run(std::vector<std::string> arguments, const std::string& model, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", (root_ / "store").string(), "--model", model});
    return RunThresher(arguments, input);
  }

  std::string Message(const std::string& name) const { return (root_ / "messages" / name).string(); }

  // With <>.
  std::string MessageIdOf(const std::string& name) const {
    std::istringstream message(ReadBytes(Message(name)));
    for (std::string line; std::getline(message, line);) {
      if (line.starts_with("Message-ID:") || line.starts_with("Message-Id:")) {
        const std::string id = line.substr(line.find('<'));
        return id.substr(0, id.find('>') + 1);
      }
    }
    return "";
  }

  TestDirectory directory_;
  fs::path root_;
};

std::string Bare(std::string text, const std::string& prefix) {
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

// Sums of all weights, to 12 digits: the last ones depend on the order in which rows lie in memory.
void RoundSums(nlohmann::ordered_json& json) {
  for (auto& [name, value] : json.items()) {
    if (value.is_structured()) RoundSums(value);
    if (name == "l1_norm" || name == "share") value = fmt::format("{:.12g}", value.get<double>());
  }
}

nlohmann::ordered_json Vocabulary(const std::string& text) {
  auto vocabulary = nlohmann::ordered_json::parse(text);
  vocabulary.erase("matching");  // v0.1.0 did not say it
  RoundSums(vocabulary);
  return vocabulary;
}

TEST_P(OldStore, GivesEveryMessageTheSameVerdict) {
  for (const std::string model : {"default", "lazy-fobos"}) {
    const Ran ran = Run({"classify", "--set", "spool.enabled=false", (root_ / "messages").string()}, model);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(Bare(ran.out, root_.string() + "/"), ReadBytes(root_ / (model + ".verdicts"))) << model;
    EXPECT_EQ(Vocabulary(Run({"vocab", "--json", "--top", "100"}, model).out),
              Vocabulary(ReadBytes(root_ / (model + ".vocabulary.json"))));
  }
}

TEST_P(OldStore, IsWhole) {
  for (const char* const model : {"default", "lazy-fobos"}) {
    const Ran ran = Run({"check"}, model);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  }
}

TEST_P(OldStore, LearnsOn) {
  const Ran known = Run({"learn", "--spam", Message("002-spam")}, "default");
  EXPECT_THAT(known.out + known.err, HasSubstr("1 known"));
  const Ran corrected = Run({"learn", "--ham", Message("002-spam")}, "default");
  EXPECT_EQ(corrected.exit_code, 0) << corrected.err;
  EXPECT_THAT(corrected.out + corrected.err, HasSubstr("1 corrected"));
  EXPECT_EQ(Run({"check"}, "default").exit_code, 0);
}

// `feedback` uses the spool that `filter` of the old release wrote.
TEST_P(OldStore, TakesFeedbackForWhatTheOldReleaseClassified) {
  const Ran ran = Run({"feedback", "--spam", "--id", MessageIdOf("022-spam")}, "default");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

// Old keys stay readable; the store gets a secret from the first command that writes to it, and keys by it.
TEST_P(OldStore, ItsKeysStayReadable) {
  const auto key_now = [&](const std::string& message) {
    const std::string out =
        Run({"classify", "--json", "--set", "spool.enabled=false", message}, "default").out;
    return nlohmann::json::parse(out).at("key").get<std::string>();
  };
  std::vector<std::string> spooled;  // by the old release
  for (const auto& file : fs::directory_iterator(root_ / "store" / "default" / "spool"))
    spooled.push_back(file.path().filename().string());
  const std::string older = key_now(Message("022-spam"));
  EXPECT_EQ(older.size(), 16U);
  EXPECT_THAT(spooled, ::testing::Contains(::testing::EndsWith("-" + older)));
  EXPECT_THAT(Run({"learn", "--spam", Message("002-spam")}, "default").out, HasSubstr("1 known"));
  EXPECT_EQ(key_now(Message("022-spam")).size(), 32U);
  EXPECT_EQ(Run({"check"}, "default").exit_code, 0);

  // The key in a header that the old release wrote.
  const std::string id = MessageIdOf("022-spam");
  const Ran ran = Run({"feedback", "--spam", "--id", id, "--key", older}, "default");
  EXPECT_THAT(ran.out, HasSubstr("learned as spam")) << ran.err;
  EXPECT_THAT(Run({"learn", "--spam", Message("022-spam")}, "default").out, HasSubstr("1 known"));
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "store" / "default" / "spool"), {}),
            static_cast<std::ptrdiff_t>(spooled.size()) - 1);
}

// Its messages are named after their labels. The rules by which a model learns may have changed since, so the
// margins are others.
TEST_P(OldStore, IsRebuiltFromItsLog) {
  EXPECT_EQ(Run({"rebuild"}, "default").exit_code, 0);
  const Ran ran = Run({"classify", "--set", "spool.enabled=false", (root_ / "messages").string()}, "default");
  std::istringstream lines(ran.out);
  std::string verdict;
  double probability = 0;
  double margin = 0;
  std::string path;
  int messages = 0;
  for (; lines >> verdict >> probability >> margin >> path; ++messages)
    EXPECT_EQ(margin > 0, path.ends_with("-spam")) << path << ' ' << margin;
  EXPECT_EQ(messages, 26);
}

// The version tells the two apart in headers, packages and the list of nodes.
TEST_P(OldStore, IsOfAReleaseWithAnotherVersion) {
  EXPECT_NE("thresher " + root_.filename().string().substr(1) + "\n", RunThresher({"--version"}).out);
  EXPECT_TRUE(GetParam().filename().string().starts_with("v")) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Releases, OldStore, ::testing::ValuesIn(Archives()), [](const auto& instance) {
  std::string name = instance.param.filename().string();
  name = name.substr(0, name.find(".tar"));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace thresher::pipeline
