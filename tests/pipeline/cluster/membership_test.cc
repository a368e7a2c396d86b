// Which models may follow a log.
#include "pipeline/cluster/membership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/pipeline/cluster/node.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MembershipTest : public testing::Test {
 protected:
  // A model that was taught before, without a log.
  Settings TaughtModel(const std::string& name) {
    Settings settings;
    settings.store_path = directory_ / name;
    auto model = OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings));
    EXPECT_TRUE(model.has_value());
    tokenizer::Features features;
    (*model)->identity().MakeTokenizer().Tokenize(SpamMessage(1), tokenizer::Kind::kMail, &features);
    EXPECT_TRUE((*model)->Learn(features, {"m", "k"}, {Label::kSpam, Evidence::kStream}).has_value());
    EXPECT_TRUE((*model)->Checkpoint().has_value());
    return settings;
  }
  Result<Member> Open(const Settings& settings, const std::string& stream = "mail") {
    return OpenMember(ModelDirectory(settings), settings, stream, log_, snapshots_);
  }

  TestDirectory directory_;
  std::shared_ptr<MemoryStream> stream_ = std::make_shared<MemoryStream>();
  MemoryLog log_{stream_};
  SnapshotTaker snapshots_{[] { return true; }};
};

TEST_F(MembershipTest, ATaughtModelCanBeginALog) {
  const Settings settings = TaughtModel("first");
  const auto member = Open(settings);
  ASSERT_TRUE(member.has_value()) << member.error().message;
  EXPECT_THAT(member->identity.base, HasSubstr("1 examples, "));
  EXPECT_EQ(member->identity.Text(), *stream_->Agreed());
  // Others begin from a backup of it.
  Settings empty;
  empty.store_path = directory_ / "empty";
  const auto refused = Open(empty);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("began with a model that had been taught before"));
  EXPECT_FALSE(std::filesystem::exists(ModelDirectory(empty)));
}

// Its nodes could not open their models again.
TEST_F(MembershipTest, AModelThatOtherLibrariesMadeBeginsNoLog) {
  Settings settings;
  settings.store_path = directory_ / "first";
  settings.log_holds = kLogOfMessages;
  WriteAccess access = TeachingAccess(settings);
  access.new_meta = NewMeta(settings).value();
  access.new_meta->at(std::string(kTextLibraries)) = "ICU 1, GMime 2";
  ASSERT_TRUE(OpenOrCreateModel(ModelDirectory(settings), settings, access).has_value());
  const auto refused = Open(settings);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("ICU 1, GMime 2"), HasSubstr("`thresher rebuild`")));
  EXPECT_FALSE(stream_->Agreed().has_value());
}

TEST_F(MembershipTest, AnotherModelIsRefusedAndBothAreNamed) {
  const Node first(directory_.path() / "first", stream_);
  const auto refused = Open(TaughtModel("other"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("is that of model " + first.identity.Name()), HasSubstr("seed"),
                    Not(HasSubstr(first.identity.meta.at("key-secret")))));
  const SharedIdentity same = first.identity;
  EXPECT_TRUE(CheckLog(same, {}, log_).has_value());
  SharedIdentity another = same;
  another.keep.days = 3;
  EXPECT_THAT(CheckLog(another, {}, log_).error().message, HasSubstr("log.keep_days: 0, not 3"));
  stream_->agreed.reset();
  EXPECT_THAT(CheckLog(same, {.record = 5}, log_).error().message, HasSubstr("says nothing of a model"));
}

// Its records would be foreign to what a new node agreed upon.
TEST_F(MembershipTest, ANewNodeAgreesUponNothingForALogThatHasRecords) {
  Node first(directory_.path() / "first", stream_);
  first.Teach(SpamMessage(1), Label::kSpam);
  first.PublishOne();
  first.Apply(9);
  stream_->LoseAgreement();
  Settings empty;
  empty.store_path = directory_ / "empty";
  for (const Settings& settings : {empty, TaughtModel("other")}) {
    const auto refused = Open(settings);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().exit_code, kBusy);
    EXPECT_THAT(refused.error().message, HasSubstr("has records, but what was agreed upon is gone"));
    EXPECT_EQ(stream_->Agreed(), std::nullopt);
  }
  // Who has another record there does not know what it was.
  AppliedRecord other = first.follower->at();
  ++other.time_us;
  EXPECT_THAT(CheckLog(first.identity, other, log_).error().message, HasSubstr("says nothing of a model"));
  EXPECT_EQ(stream_->Agreed(), std::nullopt);
  ASSERT_TRUE(CheckLog(first.identity, first.follower->at(), log_).has_value());
  EXPECT_EQ(stream_->Agreed(), first.identity.Text());
  EXPECT_EQ(stream_->Announced(), std::nullopt);
  EXPECT_TRUE(Open(empty).has_value());
}

TEST_F(MembershipTest, WhatWasAgreedUponIsPutBackAlsoWhereNothingWasTaught) {
  const Node first(directory_.path() / "first", stream_);
  stream_->LoseAgreement();
  EXPECT_TRUE(CheckLog(first.identity, {}, log_).has_value());
  EXPECT_EQ(stream_->Agreed(), first.identity.Text());
}

// A new node must not take what is there for the whole log.
TEST_F(MembershipTest, ThatThereWasASnapshotIsPutBack) {
  Node first(directory_.path() / "first", stream_);
  for (int i = 0; i < 3; ++i) {
    first.Teach(SpamMessage(i), Label::kSpam);
    first.PublishOne();
  }
  first.Apply(9);
  stream_->DropRecords(3);
  stream_->LoseAgreement();
  ASSERT_TRUE(CheckLog(first.identity, first.follower->at(), log_).has_value());
  ASSERT_TRUE(stream_->Announced().has_value());
  EXPECT_FALSE(ReadSnapshotNote(*stream_->Announced()).has_value());
  // One that is there stays.
  stream_->LoseAgreement();
  stream_->Announce("note");
  ASSERT_TRUE(CheckLog(first.identity, first.follower->at(), log_).has_value());
  EXPECT_EQ(stream_->Announced(), "note");
}

TEST_F(MembershipTest, OpensWithoutTheLogOnceItFollows) {
  Settings settings;
  settings.store_path = directory_ / "store";
  ASSERT_TRUE(Open(settings).has_value());
  log_.is_cut_off = true;
  EXPECT_TRUE(Open(settings).has_value());
  EXPECT_THAT(Open(settings, "other").error().message, HasSubstr("follows the log 'mail', not 'other'"));
  settings.store_path = directory_ / "new";
  EXPECT_EQ(Open(settings).error().exit_code, kBusy);
}

TEST_F(MembershipTest, OnlyTheLogChangesIt) {
  Settings settings;
  settings.store_path = directory_ / "store";
  ASSERT_TRUE(Open(settings).has_value());
  const auto refused = OpenModel(ModelDirectory(settings), settings, TeachingAccess(settings));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, HasSubstr("is changed through that only (cluster.log"));
  EXPECT_TRUE(OpenScorer(ModelDirectory(settings), settings).has_value());
}

// Settings of a new node do not matter.
TEST_F(MembershipTest, ANewNodeIsAsTheFirstOne) {
  Settings first;
  first.store_path = directory_ / "first";
  first.learner = "ftrl";
  first.log_keep_days = 7;
  ASSERT_TRUE(Open(first).has_value());
  Settings second;
  second.store_path = directory_ / "second";
  const auto member = Open(second);
  ASSERT_TRUE(member.has_value()) << member.error().message;
  EXPECT_EQ(member->model->identity().learner->Name(), "ftrl");
  EXPECT_EQ(member->model->keep().days, 7);
}

TEST_F(MembershipTest, AnotherKeepOnTheCommandLineIsRefused) {
  Settings first;
  first.store_path = directory_ / "first";
  ASSERT_TRUE(Open(first).has_value());
  Settings second;
  second.store_path = directory_ / "second";
  ASSERT_TRUE(Open(second).has_value());
  for (const char* const store : {"second", "third"}) {
    for (const char* const named : {"log.keep_days=5", "log.keep_bytes=1000000"}) {
      Settings settings;
      settings.store_path = directory_ / store;
      ASSERT_TRUE(settings.Assign(named).has_value());
      const auto refused = Open(settings);
      ASSERT_FALSE(refused.has_value()) << named;
      EXPECT_EQ(refused.error().exit_code, kConfig);
      EXPECT_THAT(refused.error().message,
                  AllOf(HasSubstr("the nodes of the log 'mail' agreed upon log.keep_"), HasSubstr(named)));
    }
  }
  ASSERT_TRUE(second.Assign("log.keep_days=90").has_value());
  EXPECT_TRUE(Open(second).has_value());
}

// As for lack of rights or because of a failing disk: the log must not begin with another model.
TEST_F(MembershipTest, AModelThatCannotBeReadIsNotMadeAnew) {
  Settings settings;
  settings.store_path = directory_ / "store";
  const std::filesystem::path dir = ModelDirectory(settings);
  std::filesystem::create_directories(dir);
  std::filesystem::create_symlink("db", dir / "db");
  const auto refused = Open(settings);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kIo);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot read " + dir.string()));
  EXPECT_FALSE(stream_->Agreed().has_value());
}

TEST_F(MembershipTest, WhatIsNoIdentityIsRefused) {
  for (const char* const text : {"", "x", "[]", "{}", R"({"form":"thresher-log","version":2})",
                                 R"({"form":"thresher-log","version":1,"stream":"a"})",
                                 R"({"form":"thresher-log","version":1,"stream":"a","meta":{"a":1},
                                     "keep_days":0,"keep_bytes":0,"base":""})"}) {
    EXPECT_FALSE(ReadSharedIdentity(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace thresher::pipeline
