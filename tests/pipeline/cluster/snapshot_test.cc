// A node begins with a snapshot of another one, or with a backup, and goes on as all; what is no whole
// snapshot is refused.
#include "pipeline/cluster/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "pipeline/cluster/snapshot_taker.h"
#include "storage/backup.h"
#include "tests/pipeline/cluster/node.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SnapshotTest : public testing::Test {
 protected:
  SnapshotTest() : one_(directory_.path() / "one", stream_) { Teach(20); }

  void Teach(int count) {
    for (int i = 0; i < count; ++i, ++taught_) {
      one_.Teach(MessageNumber(taught_), taught_ % 3 == 0 ? Label::kSpam : Label::kHam);
      one_.PublishOne();
    }
    one_.Apply(1000);
  }
  // Of the first node, as a daemon makes it.
  SnapshotNote Send() {
    EXPECT_TRUE(one_.model->Acknowledge().has_value());
    const auto backup = directory_ / "backup";
    std::filesystem::remove_all(backup);
    EXPECT_TRUE(storage::BackUp(one_.directory(), backup).has_value());
    SnapshotNote note{.name = "s" + std::to_string(taught_),
                      .identity = one_.identity.Digest(),
                      .maker = one_.outbox->author(),
                      .record = one_.follower->position(),
                      .model = one_.Digest()};
    EXPECT_TRUE(SendSnapshot(backup, one_.log, kGoesOn, &note).has_value());
    EXPECT_TRUE(one_.log.Announce(TextOf(note)).has_value());
    return note;
  }
  Result<void> Fetch(const SnapshotNote& note) {
    SnapshotTaker taker(kGoesOn);
    return Fetch(note, taker);
  }
  Result<void> Fetch(const SnapshotNote& note, SnapshotTaker& taker) {
    return taker.Take(note, one_.identity, one_.settings, one_.log, directory_ / "taken");
  }
  // Why it is refused; nothing of it is left then.
  std::string Refused(const SnapshotNote& note) {
    const auto taken = Fetch(note);
    EXPECT_FALSE(std::filesystem::exists(directory_ / "taken"));
    if (taken) return "it is not";
    EXPECT_EQ(taken.error().exit_code, kData);
    return taken.error().message;
  }

  const GoesOn kGoesOn = [] { return true; };
  static constexpr std::chrono::milliseconds kAtOnce{0};
  TestDirectory directory_;
  std::shared_ptr<MemoryStream> stream_ = std::make_shared<MemoryStream>();
  int taught_ = 0;
  Node one_;
};

TEST_F(SnapshotTest, ANewNodeBeginsWithItAndGoesOnAsAll) {
  const SnapshotNote note = Send();
  EXPECT_EQ(note.record, 20U);
  stream_->DropRecords(15);
  Node two(directory_ / "two", stream_);
  EXPECT_EQ(two.follower->position(), 20U);
  EXPECT_EQ(two.Digest(), one_.Digest());
  Teach(20);
  two.Apply(1000);
  EXPECT_EQ(two.follower->position(), 40U);
  EXPECT_EQ(two.Digest(), one_.Digest());
  two.Restart();
  EXPECT_EQ(two.Digest(), one_.Digest());
  EXPECT_FALSE(std::filesystem::exists(IncomingPath(two.directory())));
}

TEST_F(SnapshotTest, ANewNodeBeginsWithTheFirstRecordIfItIsOfNoUse) {
  const SnapshotNote note = Send();
  stream_->DropPiecesOf(note.name);
  Node two(directory_ / "two", stream_);
  EXPECT_EQ(two.log.fetched, 1);
  EXPECT_EQ(two.follower->position(), 0U);
  two.Apply(1000);
  EXPECT_EQ(two.follower->position(), 20U);
  EXPECT_EQ(two.Digest(), one_.Digest());
}

TEST_F(SnapshotTest, ANewNodeThatCannotDoWithoutItSaysWhatItNeeds) {
  const SnapshotNote note = Send();
  stream_->DropPiecesOf(note.name);
  stream_->DropRecords(2);
  MemoryLog log(stream_);
  SnapshotTaker taker(kGoesOn);
  const auto dir = directory_ / "two";
  for (int i = 0; i < 2; ++i) {
    const auto refused = OpenMember(dir, one_.settings, "mail", log, taker);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().exit_code, kBusy);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("have no piece 0 of the "),
                                               HasSubstr("a node of the log 'mail' makes another")));
    EXPECT_EQ(taker.wanted(), 21U);
  }
  EXPECT_EQ(log.fetched, 1);
  EXPECT_FALSE(std::filesystem::exists(dir));
  Teach(1);
  Send();
  EXPECT_TRUE(OpenMember(dir, one_.settings, "mail", log, taker).has_value());
  EXPECT_EQ(taker.wanted(), 0U);
}

TEST_F(SnapshotTest, ASoundOneIsNotBlamedForWhatTheCommandLineContradicts) {
  Send();
  MemoryLog log(stream_);
  SnapshotTaker taker(kGoesOn);
  for (const char* const named : {"learner.name=ftrl", "rehearsal.bytes=1000", "features.urls=false"}) {
    Settings settings;
    ASSERT_TRUE(settings.Assign(named).has_value());
    const auto refused = OpenMember(directory_ / "two", settings, "mail", log, taker);
    ASSERT_FALSE(refused.has_value()) << named;
    EXPECT_EQ(refused.error().exit_code, kConfig);
    EXPECT_THAT(refused.error().message,
                AllOf(StartsWith("this model was made with "),
                      HasSubstr("the nodes of its log agreed upon that"), Not(HasSubstr("rebuild"))));
  }
  EXPECT_EQ(log.fetched, 0);
  EXPECT_TRUE(OpenMember(directory_ / "two", Settings(), "mail", log, taker).has_value());
}

TEST_F(SnapshotTest, ABackupIsANode) {
  ASSERT_TRUE(one_.model->Acknowledge().has_value());
  std::filesystem::create_directories(directory_ / "two");
  ASSERT_TRUE(storage::BackUp(one_.directory(), directory_.path() / "two" / "default").has_value());
  Teach(10);
  stream_->DropRecords(15);
  Node two(directory_ / "two", stream_);
  EXPECT_EQ(two.follower->position(), 20U);
  two.Apply(1000);
  EXPECT_EQ(two.follower->position(), 30U);
  EXPECT_EQ(two.Digest(), one_.Digest());
  EXPECT_NE(two.outbox->author(), one_.outbox->author());
}

TEST_F(SnapshotTest, WhatIsNotAsTheNoteSaysIsRefused) {
  const SnapshotNote note = Send();
  ASSERT_GE(note.pieces, 1U);
  EXPECT_TRUE(Fetch(note).has_value());
  std::filesystem::remove_all(directory_ / "taken");
  SnapshotNote other = note;
  other.model[0] ^= 1;
  EXPECT_THAT(Refused(other),
              AllOf(HasSubstr("after record 20 is refused: its model is"), HasSubstr(note.model)));
  other = note;
  ++other.record;
  EXPECT_THAT(Refused(other), HasSubstr("its model has the records up to 20"));
  other = note;
  ++other.identity;
  EXPECT_THAT(Refused(other), HasSubstr("is that of another log"));
  other = note;
  ++other.bytes;
  EXPECT_THAT(Refused(other), HasSubstr(" bytes, and should have "));
  other = note;
  --other.bytes;
  EXPECT_THAT(Refused(other), HasSubstr("there are too many"));
  other = note;
  other.digest[5] ^= 1;
  EXPECT_THAT(Refused(other), HasSubstr("its bytes have another digest"));
}

TEST_F(SnapshotTest, IsNotFetchedWhereThereIsNoRoomForIt) {
  SnapshotNote note = Send();
  note.bytes = uint64_t{1} << 62;
  const auto taken = Fetch(note);
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().exit_code, kIo);  // there may be room later
  EXPECT_THAT(taken.error().message, HasSubstr("there is room for "));
  EXPECT_EQ(one_.log.fetched, 0);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "taken"));
}

// A server that comes back after the others may be asked before it has all of them.
TEST_F(SnapshotTest, OneWithoutAllPiecesIsFetchedAgain) {
  const SnapshotNote note = Send();
  const auto whole = stream_->pieces;
  SnapshotTaker taker(kGoesOn, kAtOnce);
  const auto refused = [&] {
    const auto taken = Fetch(note, taker);
    EXPECT_FALSE(std::filesystem::exists(directory_ / "taken"));
    EXPECT_EQ(taken.error().exit_code, kNoInput);
    return taken.error().message;
  };
  stream_->pieces.clear();
  EXPECT_THAT(refused(), HasSubstr("the servers have no piece 0 of the "));
  stream_->pieces = whole;
  stream_->pieces[note.first_piece].second[0] = 1;
  EXPECT_THAT(refused(), HasSubstr("the servers have no piece 0 of the "));
  stream_->pieces = whole;
  EXPECT_TRUE(Fetch(note, taker).has_value());
}

TEST_F(SnapshotTest, WhatCouldNotBeTakenOrUsedIsLeftAloneForAWhile) {
  const SnapshotNote note = Send();
  SnapshotTaker taker(kGoesOn);
  one_.log.loses_pieces = true;
  EXPECT_THAT(Fetch(note, taker).error().message, HasSubstr("a piece was lost"));
  one_.log.loses_pieces = false;
  EXPECT_THAT(Fetch(note, taker).error().message, HasSubstr("a piece was lost"));
  EXPECT_EQ(one_.log.fetched, 1);
  EXPECT_EQ(taker.wanted(), 0U);
  // Another one is none of that.
  Teach(1);
  const SnapshotNote next = Send();
  EXPECT_TRUE(Fetch(next, taker).has_value());
  taker.CouldNotUse(next, {kData, "it did not fit"});
  const auto again = Fetch(next, taker);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().exit_code, kIo);
  EXPECT_EQ(again.error().message, "it did not fit");
  EXPECT_EQ(one_.log.fetched, 2);
}

// As there are too many open files, or no room at the moment.
TEST_F(SnapshotTest, OneThatCannotBeOpenedNowIsFetchedAgain) {
  const SnapshotNote note = Send();
  SnapshotTaker taker(kGoesOn, kAtOnce);
  // Asked for before, since UBSan opens a pipe to look at an object of a type that it sees first.
  const std::string too_many = std::generic_category().message(EMFILE);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  // Enough to fetch it: one file at a time, and the folders to remove it again.
  const rlimit few{static_cast<rlim_t>(next) + 4, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto taken = Fetch(note, taker);
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().exit_code, kIo);
  EXPECT_THAT(taken.error().message, HasSubstr(too_many));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "taken"));
  EXPECT_TRUE(Fetch(note, taker).has_value());
  EXPECT_EQ(one_.log.fetched, 2);
}

TEST_F(SnapshotTest, DamagedPiecesAreRefusedAndRepeatedOnesAreNot) {
  const SnapshotNote note = Send();
  const auto whole = stream_->pieces;
  const uint64_t first = note.first_piece;
  stream_->pieces[first].second.back() ^= 1;
  EXPECT_THAT(Refused(note), HasSubstr("its bytes have another digest"));
  stream_->pieces = whole;
  stream_->pieces[first].second.pop_back();
  EXPECT_THAT(Refused(note), HasSubstr(" bytes, and should have "));
  stream_->pieces[first].second = "short";
  EXPECT_THAT(Refused(note), HasSubstr("a piece is none"));
  stream_->pieces = whole;
  const uint64_t last = stream_->pieces.rbegin()->first;
  stream_->pieces[last + 1] = stream_->pieces[last];
  EXPECT_TRUE(Fetch(note).has_value());
}

TEST_F(SnapshotTest, ARefusedOneIsNotFetchedAgain) {
  SnapshotNote note = Send();
  note.model = "another";
  SnapshotTaker taker(kGoesOn, kAtOnce);
  const auto take = [&] {
    return taker.Take(note, one_.identity, one_.settings, one_.log, directory_ / "taken");
  };
  const auto refused = take();
  ASSERT_FALSE(refused.has_value());
  stream_->pieces.clear();
  EXPECT_EQ(take().error().message, refused.error().message);
  note.name = "next";
  EXPECT_NE(take().error().message, refused.error().message);
  // What fails for another reason is tried again.
  Teach(1);
  note = Send();
  one_.log.is_cut_off = true;
  EXPECT_EQ(take().error().exit_code, kBusy);
  one_.log.is_cut_off = false;
  EXPECT_TRUE(take().has_value());
}

TEST_F(SnapshotTest, EndsWhenItIsTold) {
  SnapshotNote note = Send();
  const GoesOn stop = [] { return false; };
  EXPECT_EQ(FetchSnapshot(note, one_.log, stop, directory_ / "taken").error().exit_code, kBusy);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "taken"));
  EXPECT_EQ(SendSnapshot(directory_ / "backup", one_.log, stop, &note).error().exit_code, kBusy);
}

TEST_F(SnapshotTest, OneWhoseNoteCannotBeWrittenLeavesTheServers) {
  const SnapshotNote newest = Send();
  SnapshotNote next = newest;
  next.name = "next";
  next.pieces = next.bytes = 0;
  const auto give = [&] { return GiveSnapshot(directory_ / "backup", one_.log, kGoesOn, next, newest); };
  one_.log.refuses_notes = true;
  EXPECT_EQ(give().error().message, "the note was refused");
  EXPECT_TRUE(stream_->PiecesOf("next").empty());
  EXPECT_EQ(ReadSnapshotNote(one_.log).value(), newest);
  // The servers have the note, and did not say so.
  one_.log.refuses_notes = false;
  one_.log.loses_answers = one_.log.keeps_records = true;
  EXPECT_EQ(give().error().message,
            "it was made, but what it replaces could not be removed: a record cannot be removed");
  EXPECT_FALSE(stream_->PiecesOf("next").empty());
  EXPECT_EQ(ReadSnapshotNote(one_.log).value()->name, "next");
}

TEST_F(SnapshotTest, NotesAreReadAsTheyWereWritten) {
  const SnapshotNote note = Send();
  EXPECT_EQ(ReadSnapshotNote(TextOf(note)), note);
  EXPECT_EQ(ReadSnapshotNote(one_.log).value(), note);
  for (const char* const text : {"", "x", "[]", "{}", R"({"form":"thresher-snapshot","format":2})"})
    EXPECT_FALSE(ReadSnapshotNote(std::string_view(text)).has_value()) << text;
  SnapshotNote other = note;
  other.name = "a.>";
  EXPECT_FALSE(ReadSnapshotNote(TextOf(other)).has_value());
}

}  // namespace
}  // namespace thresher::pipeline
