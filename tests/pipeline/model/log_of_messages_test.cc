// Models whose log holds messages, beside such as hold features.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "storage/database.h"
#include "storage/weight_table.h"
#include "tests/pipeline/model/model_fixture.h"
#include "tests/pipeline/store_fixture.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LogOfMessagesTest : public ModelFixture {
 protected:
  void HoldMessages() { settings_.log_holds = kLogOfMessages; }
  // Teaches in runs, with corrections: what follows an example is read from the log.
  static void Teach(Model& model, int from, int to) {
    for (int i = from; i < to; ++i) {
      LearnAs(model, InRuns(i), i % 11 == 5 ? Label::kSpam : LabelNumber(InRuns(i)));
      if (i % 11 == 9) Learn(model, InRuns(i - 4), Evidence::kCorrection);
    }
  }
};

TEST_P(LogOfMessagesTest, LearnsWhatALogOfFeaturesLearns) {
  const auto features = Open("features");
  HoldMessages();
  const auto messages = Open("messages", 40);
  ASSERT_TRUE(messages->identity().features.keep_message);
  Teach(*features, 0, 150);
  Teach(*messages, 0, 150);
  EXPECT_EQ(WeightsOf(*messages), WeightsOf(*features));

  const auto logged = messages->Messages().FeaturesOf({"message31", ""}).value();
  ASSERT_TRUE(logged.has_value());
  EXPECT_THAT(logged->message, HasSubstr("the minutes of meeting 31 are attached"));
}

// The last examples are read from the log.
TEST_P(LogOfMessagesTest, AnInterruptedModelIsTheUninterruptedOne) {
  HoldMessages();
  const auto whole = Open("whole");
  Teach(*whole, 0, 150);
  for (int from = 0; from < 150; from += 30) {
    const auto model = Open("interrupted", 40);
    Teach(*model, from, from + 30);
  }
  EXPECT_EQ(WeightsOf(*Open("interrupted")), WeightsOf(*whole));
}

TEST_P(LogOfMessagesTest, IsRebuiltWithTheLimitsThatItWasMadeWith) {
  HoldMessages();
  settings_.features.tokens = 30;
  Weights taught;
  {
    const auto model = Open("model");
    Teach(*model, 0, 60);
    taught = WeightsOf(*model);
    ASSERT_TRUE(model->Checkpoint().has_value());
  }
  settings_.features.tokens = 50000;
  const auto model = Open("model");
  EXPECT_EQ(model->identity().features.tokens, 30U);
  auto learner = learners::MakeLearner(GetParam(), {});
  const auto as_before = model->identity().rehearsal;
  ASSERT_TRUE(model->Rebuild(*std::move(learner), as_before, LabelsToLearn::kAsTaught, nullptr).has_value());
  EXPECT_EQ(WeightsOf(*model), taught);
}

INSTANTIATE_TEST_SUITE_P(Learners, LogOfMessagesTest, testing::Values("adaptive-ftrl", "l1-ball"),
                         NameOfCase);

class MessageStoreTest : public StoreFixture {
 protected:
  void TeachSome() const {
    const std::string spam = Mailbox(12, SpamMessage);
    ASSERT_EQ(Run({"learn", "--spam", "--set", "log.holds=message"}, spam).exit_code, 0);
    Learn("--ham", Mailbox(12, HamMessage));
  }
  // As a release with another tokenizer would have left the model, but for the weights, which are gone.
  void RecordTokenizer(const std::string& version) const {
    auto database = storage::Database::OpenOrCreate(store_ + "/default", storage::Meta(),
                                                    storage::Durability::kSync, {}, {});
    ASSERT_TRUE(database.has_value()) << database.error().message;
    const std::string globals = (*database)->ReadGlobals().value();
    const uint64_t applied = (*database)->ReadAppliedSeq().value();
    storage::Meta meta = (*database)->meta();
    meta["tokenizer"] = version;
    storage::WeightTable weights(**database, 8);
    weights.StartOver(8, meta);
    const auto any = [](const std::byte* /*row*/) { return true; };
    ASSERT_TRUE(weights.Checkpoint(std::as_bytes(std::span(globals)), applied, any, any).has_value());
  }
  // Ids, and what follows their number, differ with the seed of a model.
  std::string Weights(const std::string& model) const {
    const std::string vocabulary = Run({"vocab", "--top", "0", "--each", "--model", model}).out;
    return vocabulary.substr(0, vocabulary.find("non-zero"));
  }
  bool Has(std::string_view bytes) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(store_)) {
      if (entry.is_regular_file() && ReadBytes(entry.path()).find(bytes) != std::string::npos) return true;
    }
    return false;
  }
};

TEST_F(MessageStoreTest, AnotherTokenizerNeedsARebuild) {
  TeachSome();
  for (const std::string command : {"stats", "check"})
    EXPECT_THAT(Run({command}).out, HasSubstr("log of messages  ")) << command;
  const std::string before = Run({"vocab", "--json", "--top", "0"}).out;
  RecordTokenizer("thresher-tokens-0");
  const std::vector<Ran> refused = {Run({"learn", "--ham"}, HamMessage(20)),
                                    Run({"classify"}, HamMessage(20)), Run({"check"}), Run({"stats"})};
  for (const Ran& each : refused) {
    EXPECT_NE(each.exit_code, 0);
    EXPECT_THAT(each.err, AllOf(HasSubstr("thresher-tokens-0"), HasSubstr("`thresher rebuild` makes it")));
  }
  // Whatever happens to a message's verdict, the message is passed.
  EXPECT_THAT(Run({"filter"}, HamMessage(20)).out, HasSubstr("See you on Tuesday"));
  const Ran rebuilt = Run({"rebuild"});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_EQ(Run({"vocab", "--json", "--top", "0"}).out, before);
  EXPECT_EQ(Run({"check"}).exit_code, 0) << Run({"check"}).out;
}

TEST_F(MessageStoreTest, IsRebuiltWithTheFeaturesOfAPreset) {
  TeachSome();
  const std::vector<std::string> fast = {"--model", "fast", "--preset", "fast"};
  const auto teach = [&](std::vector<std::string> words, const std::string& messages) {
    words.insert(words.end(), fast.begin(), fast.end());
    EXPECT_EQ(Run(words, messages).exit_code, 0);
  };
  teach({"learn", "--spam", "--set", "log.holds=message"}, Mailbox(12, SpamMessage));
  teach({"learn", "--ham"}, Mailbox(12, HamMessage));
  const std::string before = Weights("default");
  EXPECT_THAT(Run({"learn", "--ham", "--preset", "fast"}, HamMessage(20)).err,
              HasSubstr("`thresher rebuild` with the same flags"));
  const Ran rebuilt = Run({"rebuild", "--preset", "fast"});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_THAT(rebuilt.out, HasSubstr("tokenised again"));
  EXPECT_EQ(Weights("default"), Weights("fast"));
  EXPECT_EQ(Run({"check"}).exit_code, 0) << Run({"check"}).out;
  EXPECT_EQ(Run({"rebuild"}).exit_code, 0);
  EXPECT_EQ(Weights("default"), Weights("fast"));
  EXPECT_THAT(Run({"learn", "--ham", "--preset", "fast"}, HamMessage(1)).out, HasSubstr("1 known already"));
  EXPECT_EQ(Run({"rebuild", "--preset", "default"}).exit_code, 0);
  EXPECT_EQ(Weights("default"), before);
}

TEST_F(MessageStoreTest, IsRebuiltWithoutAFamily) {
  TeachSome();
  ASSERT_THAT(Weights("default"), HasSubstr(" subject:"));
  const Ran rebuilt = Run({"rebuild", "--set", "features.headers=false"});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_THAT(Weights("default"), AllOf(Not(HasSubstr(" subject:")), HasSubstr(" body:")));
  const Ran left_out = Run({"rebuild", "--set", "features.ignore_headers=X-Other"});
  EXPECT_EQ(left_out.exit_code, kConfig);
  EXPECT_THAT(left_out.err, HasSubstr("leave features.ignore_headers to the model"));
}

TEST_F(MessageStoreTest, ALogOfFeaturesKeepsThem) {
  Learn("--spam", SpamMessage(1));
  Learn("--ham", HamMessage(1));
  const std::string before = Weights("default");
  const Ran refused = Run({"rebuild", "--preset", "fast"});
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("features.attachments true, not false (preset=fast)"),
                    HasSubstr("takes --set of learner.* and rehearsal.*"), HasSubstr("log.holds=message")));
  EXPECT_EQ(Weights("default"), before);
}

TEST_F(MessageStoreTest, CommandsSayWhatTheLogHolds) {
  Learn("--spam", SpamMessage(1));
  for (const std::string command : {"stats", "check"})
    EXPECT_THAT(Run({command}).out, HasSubstr("log of features  1")) << command;
}

TEST_F(MessageStoreTest, ALogOfFeaturesKeepsItsTokenizer) {
  Learn("--spam", SpamMessage(1));
  RecordTokenizer("thresher-tokens-0");
  const Ran refused = Run({"rebuild"});
  EXPECT_EQ(refused.exit_code, kConfig);
  EXPECT_THAT(refused.err, HasSubstr("use the program it was made with"));
}

// Nodes of a shared log would make other features of a message; alone, a model goes on.
TEST_F(MessageStoreTest, WithOtherLibrariesNoLogIsFollowed) {
  Settings settings;
  settings.log_holds = kLogOfMessages;
  for (const std::string follows : {"", "a log"}) {
    storage::Meta meta = NewMeta(settings).value();
    ASSERT_TRUE(meta.contains(kTextLibraries));
    meta[std::string(kTextLibraries)] = "ICU 1, GMime 2";
    if (!follows.empty()) meta[std::string(kFollows)] = follows;
    WriteAccess access;
    access.new_meta = meta;
    access.follows = follows;
    const auto model = OpenOrCreateModel(store_ + "/model-of-" + follows, settings, access);
    EXPECT_EQ(model.has_value(), follows.empty());
    if (model) continue;
    EXPECT_THAT(model.error().message, HasSubstr("ICU 1, GMime 2; this program has tokens "));
  }
}

TEST_F(MessageStoreTest, KeepsWhatItHolds) {
  TeachSome();
  const Ran other = Run({"learn", "--ham", "--set", "log.holds=features"}, HamMessage(20));
  EXPECT_EQ(other.exit_code, kConfig);
  EXPECT_THAT(other.err, HasSubstr("made with log.holds message, not features"));
  const Ran limited = Run({"classify", "--set", "limits.tokens=10"}, HamMessage(20));
  EXPECT_EQ(limited.exit_code, 3);  // no verdict
  EXPECT_THAT(limited.err, HasSubstr("made with limits.tokens 50000, not 10"));
  const std::string file = directory_ / "limits.yaml";
  std::ofstream(file) << "limits:\n  tokens: 10\n";
  EXPECT_EQ(Run({"classify", "--config", file}, HamMessage(20)).out, Run({"classify"}, HamMessage(20)).out);
}

TEST_F(MessageStoreTest, AnExportHasTheMessages) {
  TeachSome();
  Run({"classify"}, HamMessage(30));
  EXPECT_THAT(Run({"feedback", "--spam", "--id", "<ham30@example.org>"}).out, HasSubstr("learned as spam"));
  EXPECT_THAT(Run({"feedback", "--ham", "--id", "<ham30@example.org>"}).out, HasSubstr("corrected as ham"));
  const std::string file = directory_ / "export";
  const std::string copy = directory_ / "copy";
  ASSERT_EQ(Run({"export", "--out", file}).exit_code, 0);
  const Ran imported = RunThresher({"import", file, "--store", copy});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  const auto rebuilt_in = [](const std::string& store) {
    EXPECT_EQ(RunThresher({"rebuild", "--store", store}).exit_code, 0);
    return RunThresher({"export", "--store", store}).out;
  };
  EXPECT_EQ(rebuilt_in(copy), rebuilt_in(store_));
}

// An attachment gives no token with its text. Random bytes are not compressed.
TEST_F(MessageStoreTest, WhatIsForgottenLeavesTheDisk) {
  std::mt19937_64 random(1);
  std::string attached;
  while (attached.size() < 4000) attached += static_cast<char>(0x80 + random() % 0x80);
  const std::string message =
      "From: eve@example.org\nMessage-ID: <eve@example.org>\nMIME-Version: 1.0\nContent-Type: "
      "application/octet-stream; name=x.bin\nContent-Transfer-Encoding: 8bit\n\n" +
      attached + "\n";
  const std::string_view piece = std::string_view(attached).substr(2000, 40);
  TeachSome();
  ASSERT_EQ(Run({"learn", "--ham"}, message).exit_code, 0);
  EXPECT_TRUE(Has(piece));
  ASSERT_EQ(Run({"forget"}, message).exit_code, 0);
  EXPECT_FALSE(Has(piece));
}

}  // namespace
}  // namespace thresher::pipeline
