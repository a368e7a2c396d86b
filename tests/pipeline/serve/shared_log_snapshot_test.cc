// Services of one log make snapshots for each other, and take them where the log does not help any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/snapshot.h"
#include "tests/pipeline/serve/shared_log_fixture.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

class SharedLogSnapshotTest : public SharedLogTest {
 protected:
  void Teach(const Served& served, int count) {
    for (int i = 0; i < count; ++i, ++taught_)
      ASSERT_EQ(Learn(*served.service, MessageNumber(taught_), LabelOfNumber(taught_)), TeachResult::kNew);
  }
  // A node that has a model from now on, but is not there: it may not be its turn to make snapshots.
  void BeginAndGoAway(const std::string& store) {
    AwaitRecords(Serve(store, 4), 0);
    stream_->PassMinutes();
  }
  void AwaitSnapshot(uint64_t record) {
    Await([&] {
      const auto text = stream_->Announced();
      const auto note = text ? ReadSnapshotNote(*text) : tl::unexpected(Error{});
      return note && note->record >= record;
    });
  }
  static bool Says(const Served& served, const char* what) {
    return served.service->Log()->trouble.find(what) != std::string::npos;
  }
  int taught_ = 0;
};

TEST_F(SharedLogSnapshotTest, TheLogLosesOnlyWhatASnapshotHas) {
  const Served one = Serve("one", 4);
  const Served two = Serve("two", 4);
  Teach(one, 4);
  AwaitSnapshot(4);
  EXPECT_EQ(stream_->Read(0, 1, {}).first, 1U);
  Teach(two, 8);
  AwaitSnapshot(8);
  Await([&] { return stream_->Read(0, 1, {}).first > 1; });
  EXPECT_LE(stream_->Read(0, 1, {}).first, ReadSnapshotNote(*stream_->Announced())->record + 1);
  const Served three = Serve("three", 4);
  AwaitRecords(three, 12);
  EXPECT_LT(three.service->Log()->applied, 12U);
  Teach(three, 1);
  for (const Served* const each : {&one, &two}) {
    AwaitRecords(*each, 13);
    EXPECT_EQ(Describe(*each).digest, Describe(three).digest);
  }
  // Another one may be being made.
  Await([&] { return !std::filesystem::exists(directory_ / "one/.default.snapshot"); });
}

TEST_F(SharedLogSnapshotTest, WhoWasAwayTooLongTakesOneByItself) {
  const Served one = Serve("one", 4);
  BeginAndGoAway("two");
  Teach(one, 6);
  AwaitSnapshot(4);
  Teach(one, 6);
  AwaitSnapshot(8);
  Await([&] { return stream_->Read(0, 1, {}).first > 1; });
  const Served two = Serve("two", 4);
  AwaitRecords(two, 12);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "two/.default.incoming"));
  Teach(two, 1);  // its outbox is the same
  AwaitRecords(one, 13);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
}

TEST_F(SharedLogSnapshotTest, OthersBeginWithASnapshotOfAModelThatWasTaughtBefore) {
  const Settings settings = SettingsOf("one");
  {
    const auto model = OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings));
    ASSERT_TRUE(model.has_value());
    tokenizer::Features features;
    (*model)->identity().MakeTokenizer().Tokenize(SpamMessage(500), tokenizer::Kind::kMail, &features);
    ASSERT_TRUE((*model)->Learn(features, {"m", "k"}, {Label::kSpam, Evidence::kStream}).has_value());
    ASSERT_TRUE((*model)->Checkpoint().has_value());
  }
  const Served one = Serve("one", 1000);
  const Served two = Serve("two", 1000);
  Teach(two, 1);
  AwaitRecords(one, 1);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
  EXPECT_THAT(Describe(two).digest, HasSubstr("2 examples, "));
}

TEST_F(SharedLogSnapshotTest, WhoDiffersMakesItselfAgainOnce) {
  const Served one = Serve("one", 1000);
  const Served three = Serve("three", 1000);
  Damage("two");
  std::optional<Served> two = Serve("two", 1000);
  Teach(one, 4);
  AwaitSnapshot(4);  // nobody needs one but the node that differs
  Await([&] { return two->service->Log()->trouble.empty() && two->service->Log()->differs.empty(); });
  Teach(*two, 1);
  AwaitRecords(one, 5);
  EXPECT_EQ(Describe(*two).digest, Describe(one).digest);
  // Again.
  two.reset();
  Damage("two");
  two = Serve("two", 1000);
  Teach(one, 4);
  Await([&] { return Says(*two, "again, though it was made from the snapshot after record 4"); });
  AwaitRecords(three, 9);
  EXPECT_GE(two->service->Log()->position, 8U);
  EXPECT_TRUE(two->service->Classify(SpamMessage(1000), {}).has_value());
}

TEST_F(SharedLogSnapshotTest, ADamagedSnapshotIsRefusedAndAnotherOneIsMade) {
  const Served one = Serve("one", 4);
  BeginAndGoAway("two");
  Teach(one, 4);
  AwaitSnapshot(4);
  SnapshotNote note = ReadSnapshotNote(*stream_->Announced()).value();
  note.digest[0] = note.digest[0] == '0' ? '1' : '0';
  stream_->Announce(TextOf(note));
  stream_->DropRecords(4);
  const Served two = Serve("two", 4);
  Await([&] { return Says(two, "the snapshot after record 4 is refused: its bytes have another digest"); });
  EXPECT_EQ(two.service->Log()->position, 0U);
  Teach(one, 1);  // the next one is made after a record that the refused one does not have
  AwaitRecords(two, 5);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
}

// It was never there before, so that it has no outbox and no entry.
TEST_F(SharedLogSnapshotTest, ANoteThatCannotBeReadIsAsNone) {
  stream_->Announce("no note");
  const Served one = Serve("one", 4);
  Teach(one, 3);
  AwaitRecords(one, 3);
  const Served two = Serve("two", 4);
  AwaitRecords(two, 3);
  Teach(two, 5);
  AwaitSnapshot(4);
  AwaitRecords(one, 8);
}

TEST_F(SharedLogSnapshotTest, ANewNodeThatCannotBeginAsksForAnotherOne) {
  const Served one = Serve("one", 4);
  Teach(one, 4);
  AwaitSnapshot(4);
  stream_->DropPiecesOf(ReadSnapshotNote(*stream_->Announced())->name);
  stream_->DropRecords(5);
  Teach(one, 1);  // not yet so many that one is due
  const Served two = Serve("two", 4);
  AwaitRecords(two, 5);
  EXPECT_EQ(ReadSnapshotNote(*stream_->Announced())->record, 5U);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
  // The entry with which it asked is its own.
  Await([&] { return Describe(two).seen.nodes.size() >= 2; });
  EXPECT_EQ(Describe(two).seen.nodes.size(), 2U);
}

// The log has taken messages of that number, and would take the new ones for these.
TEST_F(SharedLogSnapshotTest, ANewNodeDoesNotTakeTheNumberOfAnOutboxThatIsGone) {
  const Served one = Serve("one", 4);
  {
    const Served two = Serve("two", 4);
    Teach(two, 3);
    AwaitRecords(two, 3);
  }
  stream_->PassMinutes();
  std::filesystem::remove_all(directory_ / "two/default");
  Teach(one, 3);
  AwaitSnapshot(4);
  stream_->DropPiecesOf(ReadSnapshotNote(*stream_->Announced())->name);
  stream_->DropRecords(7);
  Teach(one, 1);
  const Served two = Serve("two", 4, [&](MemoryLog& log) {
    log.before_put = [this] { std::filesystem::remove(directory_ / "two/default.outbox"); };
  });
  Teach(two, 2);
  AwaitRecords(one, 9);
  EXPECT_EQ(Describe(two).digest, Describe(one).digest);
}

// The servers keep the log, too: what fills their disks stops it.
TEST_F(SharedLogSnapshotTest, AnAttemptInVainLeavesNothingOnTheServers) {
  const Served one = Serve("one", 4);
  one.log->loses_pieces = true;
  Teach(one, 4);
  Await([&] { return !one.service->Log()->snapshot_trouble.empty(); });
  EXPECT_EQ(stream_->CountPieces(), 0U);
  EXPECT_EQ(stream_->Announced(), std::nullopt);
}

TEST_F(SharedLogSnapshotTest, AnAttemptInVainIsForgottenWhenAnotherNodeMadeOne) {
  const Served one = Serve("one", 4);
  one.log->loses_pieces = true;
  Teach(one, 4);
  Await([&] { return !one.service->Log()->snapshot_trouble.empty(); });
  // As another node announces it.
  SnapshotNote note{.name = "x", .identity = 1, .maker = 1, .record = 3, .model = "m", .digest = "d"};
  stream_->Announce(TextOf(note));
  Await([&] { return one.service->Log()->snapshot == 3; });
  EXPECT_NE(one.service->Log()->snapshot_trouble, "");  // it was made before
  note.record = 5;
  stream_->Announce(TextOf(note));
  Await([&] { return one.service->Log()->snapshot_trouble.empty(); });
}

TEST_F(SharedLogSnapshotTest, OneThatCannotBeTakenIsNotFetchedAllTheTime) {
  snapshot_again_ = std::chrono::hours(1);
  const Served one = Serve("one", 4);
  BeginAndGoAway("two");
  Teach(one, 4);
  AwaitSnapshot(4);
  stream_->DropRecords(5);
  Served two = Serve("two", 4, [](MemoryLog& log) { log.loses_pieces = true; });
  Await([&] { return Says(two, "a piece was lost"); });
  const int read = two.log->read;
  Await([&] { return two.log->read >= read + 3; });
  EXPECT_EQ(two.log->fetched, 1);
}

TEST_F(SharedLogSnapshotTest, WhoDiffersStaysAsItIsIfTheOthersCannotBeTold) {
  const Served one = Serve("one", 1000);
  const Served three = Serve("three", 1000);
  Damage("two");
  const Served two = Serve("two", 1000, [](MemoryLog& log) { log.loses_renewals = true; });
  Teach(one, 4);
  AwaitSnapshot(4);
  Await([&] { return two.log->fetched > 0 && Says(two, "an entry was lost"); });
  const int put = two.log->put;
  Await([&] { return two.log->put > put; });
  EXPECT_FALSE(two.service->Log()->differs.empty());
  EXPECT_FALSE(Says(two, "again, though"));
}

TEST_F(SharedLogSnapshotTest, WhoNeedsNoneAnyMoreMakesThemForOthers) {
  {
    const Served one = Serve("one");
    Teach(one, 4);
  }
  stream_->DropRecords(3);
  stream_->PassMinutes();  // nobody else is there
  const Served two = Serve("two", 4);
  Await([&] { return Says(two, "there is no snapshot for it yet"); });
  stream_->RestoreRecords();
  AwaitRecords(two, 4);
  AwaitSnapshot(4);
  EXPECT_EQ(two.service->Log()->applied, 4U);
}

TEST_F(SharedLogSnapshotTest, WhatAKilledProcessLeftIsRemoved) {
  for (const char* const name : {"one/.default.incoming", "one/.default.snapshot"})
    std::filesystem::create_directories(directory_.path() / name / "db");
  const std::vector<std::string> models = {"one/default.incoming", "one/default.snapshot"};
  for (const std::string& name : models) std::filesystem::create_directories(directory_.path() / name / "db");
  const Served one = Serve("one", 1000);
  AwaitRecords(one, 0);
  for (const std::string& name : models) EXPECT_TRUE(std::filesystem::exists(directory_ / name)) << name;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "one/.default.incoming"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "one/.default.snapshot"));
}

}  // namespace
}  // namespace thresher::pipeline
