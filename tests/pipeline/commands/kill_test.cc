// Kills the program at random moments: every acknowledged example is kept, none is learned twice, and the
// model equals one that was not interrupted.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <tuple>

#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tests/rounds.h"

namespace thresher::pipeline {
namespace {

// By text: ids differ between models.
using Weights = std::map<std::string, std::tuple<double, uint32_t, uint32_t>>;

struct Found {
  Weights weights;
  uint64_t examples = 0;
  // What each example changes, also one that changes no weight: ham and spam taught, and the calibration.
  std::tuple<uint64_t, uint64_t, double, double> taught;
};

// The contents of the model at `store` after a writer has recovered it.
Found Recovered(const std::string& store) {
  Found found;
  const auto model = OpenModel(std::filesystem::path(store) / "default", Settings(), {});
  EXPECT_TRUE(model.has_value()) << model.error().message;
  if (!model) return found;
  found.examples = (*model)->Inspect().log().last_seq;
  const auto statistics = (*model)->Inspect().Statistics();
  found.taught = {statistics->ham, statistics->spam, statistics->calibration.slope,
                  statistics->calibration.intercept};
  const auto vocabulary = (*model)->Inspect().vocabulary().All();
  for (const VocabularyEntry& entry : *vocabulary) {
    const auto texts = (*model)->Inspect().vocabulary().Texts(std::span(&entry.id, 1));
    EXPECT_TRUE(texts.has_value()) << texts.error().message;
    found.weights[texts->front()] = {entry.weight, entry.counts.ham, entry.counts.spam};
  }
  return found;
}

// Kills the program some time after it has created or opened the model at `store`. Returns false if the
// program had ended before.
bool KillAtWork(const std::string& store, std::chrono::microseconds time,
                const std::vector<std::string>& arguments) {
  RunningThresher running(arguments);
  for (int i = 0; i < 20000 && !std::filesystem::exists(store + "/default/db"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(time);
  running.Kill();
  return running.Finish().exit_code == 128 + 9;
}

class KillTest : public testing::Test {
 protected:
  // `count` messages, every third spam, as an index of a corpus and as two folders.
  void WriteMail(int count) {
    std::string index;
    for (int i = 0; i < count; ++i) {
      const bool is_spam = i % 3 == 0;
      const std::string name = (is_spam ? "spam/" : "ham/") + std::to_string(1000 + i);
      directory_.Write(name, is_spam ? SpamMessage(i) : HamMessage(i));
      index += (is_spam ? "spam ../" : "ham ../") + name + "\n";
    }
    directory_.Write("full/index", index);
  }

  // After the next writer: until then the score image may be one checkpoint old.
  static void ExpectSound(const std::string& store) {
    Recovered(store);
    const Ran check = RunThresher({"check", "--store", store});
    EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  }

  std::chrono::microseconds ATime(int most_ms) {
    return std::chrono::microseconds(random_() % (static_cast<uint64_t>(most_ms) * 1000));
  }

  TestDirectory directory_;
  std::mt19937_64 random_{9};
};

TEST_F(KillTest, ALearnerThatIsKilledGoesOnWhereItWas) {
  constexpr int kMessages = 240;
  WriteMail(kMessages);
  const std::string store = directory_ / "store";
  const std::string twin = directory_ / "twin";
  int kills = 0;
  for (const std::string label : {"spam", "ham"}) {
    const auto learn = [&](const std::string& into) {
      return std::vector<std::string>{
          "learn", "--" + label, "--store", into, "--set", "store.checkpoint_every=7", directory_ / label};
    };
    uint64_t examples = 0;
    for (int round = 0; round < Rounds(8); ++round) {
      kills += KillAtWork(store, ATime(150), learn(store)) ? 1 : 0;
      const Found found = Recovered(store);
      EXPECT_GE(found.examples, examples);
      examples = found.examples;
    }
    for (const std::string& into : {store, twin}) EXPECT_EQ(RunThresher(learn(into)).exit_code, 0);
  }
  EXPECT_GT(kills, 0);
  const Found found = Recovered(store);
  EXPECT_EQ(found.examples, static_cast<uint64_t>(kMessages));
  const Found expected = Recovered(twin);
  EXPECT_EQ(found.weights, expected.weights);
  EXPECT_EQ(found.taught, expected.taught);
}

// Killed in the middle of `forget` or of the numbering anew in `rebuild`, the model is sound, and when both
// are run again it is the one that was never taught what is forgotten.
TEST_F(KillTest, AForgetOrRebuildThatIsKilledCanBeRunAgain) {
  WriteMail(180);
  const std::string ham = directory_ / "ham";
  const std::string taught = directory_ / "taught";
  const std::string twin = directory_ / "twin";
  ASSERT_EQ(RunThresher({"learn", "--spam", directory_ / "spam", "--ham", ham, "--store", taught}).exit_code,
            0);
  const std::string part = directory_ / "part";  // of the ham, which is not forgotten
  for (const auto& file : std::filesystem::directory_iterator(ham)) {
    if (file.path().filename() >= "1100")
      directory_.Write("part/" + file.path().filename().string(), ReadBytes(file));
  }
  ASSERT_EQ(RunThresher({"forget", part, "--store", taught}).exit_code, 0);
  std::filesystem::copy(taught, twin, std::filesystem::copy_options::recursive);
  ASSERT_EQ(RunThresher({"rebuild", "--store", twin}).exit_code, 0);
  const Found expected = Recovered(twin);
  ASSERT_GT(expected.examples, 0U);

  std::filesystem::remove_all(taught);
  ASSERT_EQ(RunThresher({"learn", "--spam", directory_ / "spam", "--ham", ham, "--store", taught}).exit_code,
            0);
  int kills = 0;
  for (int round = 0; round < Rounds(6); ++round) {
    SCOPED_TRACE(round);
    const std::string store = directory_ / ("store" + std::to_string(round));
    std::filesystem::copy(taught, store, std::filesystem::copy_options::recursive);
    kills += KillAtWork(store, ATime(60), {"forget", part, "--store", store}) ? 1 : 0;
    ExpectSound(store);
    const int again = RunThresher({"forget", part, "--store", store}).exit_code;
    EXPECT_TRUE(again == 0 || again == kNoInput) << again;
    kills += KillAtWork(store, ATime(150), {"rebuild", "--store", store}) ? 1 : 0;
    ExpectSound(store);
    EXPECT_EQ(RunThresher({"rebuild", "--store", store}).exit_code, 0);
    const Found found = Recovered(store);
    EXPECT_EQ(found.examples, expected.examples);
    EXPECT_EQ(found.weights, expected.weights);
    EXPECT_EQ(found.taught, expected.taught);
  }
  EXPECT_GT(kills, 0);
}

// The features change with the rows and with what the model says of itself, or nothing does.
TEST_F(KillTest, ARebuildWithOtherFeaturesThatIsKilledChangedAllOrNothing) {
  WriteMail(180);
  const std::string taught = directory_ / "taught";
  const std::string twin = directory_ / "twin";
  ASSERT_EQ(RunThresher({"learn", "--spam", directory_ / "spam", "--ham", directory_ / "ham", "--set",
                         "log.holds=message", "--store", taught})
                .exit_code,
            0);
  const Found before = Recovered(taught);
  const auto rebuild = [](const std::string& store) {
    return std::vector<std::string>{"rebuild", "--preset", "fast", "--store", store};
  };
  std::filesystem::copy(taught, twin, std::filesystem::copy_options::recursive);
  ASSERT_EQ(RunThresher(rebuild(twin)).exit_code, 0);
  const Found after = Recovered(twin);
  ASSERT_NE(after.weights, before.weights);
  int kills = 0;
  for (int round = 0; round < Rounds(8); ++round) {
    SCOPED_TRACE(round);
    const std::string store = directory_ / ("store" + std::to_string(round));
    std::filesystem::copy(taught, store, std::filesystem::copy_options::recursive);
    kills += KillAtWork(store, ATime(100), rebuild(store)) ? 1 : 0;
    ExpectSound(store);
    const Found found = Recovered(store);
    EXPECT_EQ(found.examples, before.examples);
    EXPECT_TRUE(found.weights == before.weights || found.weights == after.weights);
    EXPECT_EQ(RunThresher(rebuild(store)).exit_code, 0);
    EXPECT_EQ(Recovered(store).weights, after.weights);
  }
  EXPECT_GT(kills, 0);
}

TEST_F(KillTest, AReplayThatIsKilledLeavesTheModelOfAnEarlierMoment) {
  WriteMail(900);
  const std::string lines = ReadBytes(directory_ / "full/index");
  int checked = 0;
  int time = 200;
  for (int round = 0; checked < Rounds(4) && round < Rounds(40); ++round) {
    SCOPED_TRACE(round);
    const std::string store = directory_ / ("store" + std::to_string(round));
    KillAtWork(store, ATime(time),
               {"replay", "--store", store, "--set", "store.checkpoint_every=50", directory_ / "full/index"});
    const Found found = Recovered(store);
    if (found.examples == 0) {  // a slow disk may need longer for the first checkpoint
      time += time / 5;
      continue;
    }
    size_t end = 0;
    for (uint64_t line = 0; line < found.examples; ++line) end = lines.find('\n', end) + 1;
    directory_.Write("full/short", lines.substr(0, end));
    const std::string twin = directory_ / ("twin" + std::to_string(round));
    ASSERT_EQ(RunThresher({"replay", "--store", twin, directory_ / "full/short"}).exit_code, 0);
    const Found expected = Recovered(twin);
    EXPECT_EQ(found.weights, expected.weights);
    EXPECT_EQ(found.taught, expected.taught);
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace thresher::pipeline
