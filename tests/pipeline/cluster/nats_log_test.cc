// The log on a real server of NATS; shown as skipped where nats-server is not installed.
#include "pipeline/cluster/nats_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/cluster/nats_stream.h"
#include "pipeline/cluster/snapshot.h"
#include "tests/pipeline/cluster/nats_server.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class NatsLogTest : public NatsServerTest {
 protected:
  const GoesOn kGoesOn = [] { return true; };
  // Some records after `after`, as long as that takes.
  static std::vector<LogRecord> ReadSome(OrderedLog& log, uint64_t after, size_t most = 9) {
    while (true) {
      auto batch = log.Read(after, most, std::chrono::milliseconds(100));
      if (batch && !batch->records.empty()) return std::move(batch->records);
    }
  }
  // All of them.
  static std::vector<std::string> ReadAll(OrderedLog& log, uint64_t after, size_t count) {
    std::vector<std::string> texts;
    while (texts.size() < count) {
      for (const LogRecord& record : ReadSome(log, after, 3)) {
        EXPECT_EQ(record.seq, ++after);
        EXPECT_GT(record.time_us, 1'600'000'000'000'000);
        texts.push_back(record.bytes);
      }
    }
    return texts;
  }
};

TEST_F(NatsLogTest, KeepsRecordsInOrderAndNamesOnce) {
  NatsServer server(directory_ / "server");
  const auto one = LogAt(server.Url());
  const auto two = LogAt(server.Url());
  EXPECT_EQ(one->Agreed().value(), std::nullopt);
  ASSERT_TRUE(one->Create().has_value());
  ASSERT_TRUE(two->Create().has_value());
  EXPECT_EQ(one->Agree("first"), "first");
  EXPECT_EQ(two->Agree("second"), "first");
  EXPECT_EQ(two->Agreed().value(), "first");
  std::vector<std::string> published;
  for (int i = 0; i < 10; ++i) {
    published.push_back(std::string("record\0", 7) + std::to_string(i));
    EXPECT_EQ(one->Publish("n" + std::to_string(i), published.back()), static_cast<uint64_t>(i) + 1);
  }
  EXPECT_TRUE(one->Publish("n9", published.back()).has_value());  // an answer that was lost
  EXPECT_EQ(ReadAll(*two, 0, 10), published);
  const auto rest = two->Read(10, 9, std::chrono::milliseconds(1));
  ASSERT_TRUE(rest.has_value());
  EXPECT_TRUE(rest->records.empty());
  EXPECT_EQ(rest->first, 10U);
  EXPECT_EQ(rest->last, 10U);
  EXPECT_EQ(ReadAll(*two, 7, 3), std::vector(published.begin() + 7, published.end()));
}

TEST_F(NatsLogTest, KeepsTheLastEntryOfEachNode) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  EXPECT_TRUE(log->Entries()->empty());
  ASSERT_TRUE(log->Agree("identity").has_value());
  EXPECT_TRUE(log->Entries()->empty());
  for (const char* const node : {"a1", "b2", "a1"})
    ASSERT_TRUE(log->PutEntry(node, std::string(node) + " again").has_value());
  ASSERT_TRUE(log->PutEntry("a1", "last").has_value());
  std::vector<std::string> texts;
  const auto entries = LogAt(server.Url())->Entries();
  ASSERT_TRUE(entries.has_value()) << entries.error().message;
  for (const OrderedLog::Entry& each : *entries) {
    texts.push_back(each.text);
    EXPECT_GT(each.time_us, 1'600'000'000'000'000);
  }
  EXPECT_THAT(texts, UnorderedElementsAre("b2 again", "last"));
  server.Kill();
  const auto cut_off = LogAt(server.Url());
  EXPECT_EQ(cut_off->Entries().error().exit_code, kBusy);
  EXPECT_EQ(cut_off->PutEntry("a1", "lost").error().exit_code, kBusy);
}

TEST_F(NatsLogTest, KeepsPiecesOfSnapshots) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  ASSERT_TRUE(log->Create().has_value());
  ASSERT_TRUE(log->Agree("identity").has_value());
  const std::string long_piece(900'000, '\0');
  std::vector<uint64_t> numbers;
  for (const auto& [snapshot, bytes] :
       {std::pair("a1", std::string("1")), {"b2", "2"}, {"a1", long_piece}, {"a1", ""}})
    numbers.push_back(log->PutPiece(snapshot, bytes).value());
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  const auto pieces = [&](const std::string& snapshot) {
    std::vector<std::string> found;
    EXPECT_TRUE(log->GetPieces(snapshot,
                               [&](std::string_view bytes) {
                                 found.emplace_back(bytes);
                                 return Result<void>();
                               })
                    .has_value());
    return found;
  };
  EXPECT_EQ(pieces("a1"), (std::vector<std::string>{"1", long_piece, ""}));
  EXPECT_EQ(pieces("b2"), std::vector<std::string>{"2"});
  EXPECT_TRUE(pieces("c3").empty());
  const auto stop = [](std::string_view) { return tl::unexpected(Error{kData, "stopped"}); };
  EXPECT_EQ(log->GetPieces("a1", stop).error().message, "stopped");
  ASSERT_TRUE(log->DropPieces(0, kGoesOn).has_value());
  EXPECT_EQ(pieces("a1").size(), 3U);
  ASSERT_TRUE(log->DropPieces(numbers[2], kGoesOn).has_value());
  EXPECT_EQ(pieces("a1"), (std::vector<std::string>{long_piece, ""}));
  EXPECT_TRUE(pieces("b2").empty());
  ASSERT_TRUE(log->PutPiece("d4", "3").has_value());
  ASSERT_TRUE(log->DropPiecesOf("a1").has_value());
  EXPECT_TRUE(pieces("a1").empty());
  EXPECT_EQ(pieces("d4"), std::vector<std::string>{"3"});
  EXPECT_EQ(log->Announced().value(), std::nullopt);
  for (const char* const text : {"first", "second"}) ASSERT_TRUE(log->Announce(text).has_value());
  EXPECT_EQ(LogAt(server.Url())->Announced().value(), "second");
}

TEST_F(NatsLogTest, SaysWhatItHasAfterANumber) {
  NatsServer server(directory_ / "server");
  const Logs logs = MakeNatsLogs(SettingsFor(server.Url())).value();
  auto log = logs("one.example");
  const auto other = logs("two.example");
  ASSERT_TRUE(log->Create().has_value());
  EXPECT_EQ(log->After(0)->records, 0U);
  EXPECT_EQ(log->After(0)->first, 0U);
  for (int i = 1; i <= 10; ++i)
    ASSERT_TRUE((i % 2 == 0 ? other : log)->Publish(std::to_string(i), std::string(1000, 'x')).has_value());
  const auto rest = log->After(3);  // 5, 7 and 9
  ASSERT_TRUE(rest.has_value()) << rest.error().message;
  EXPECT_EQ(rest->first, 5U);
  EXPECT_EQ(rest->records, 3U);
  EXPECT_GT(rest->bytes, 3000U);
  EXPECT_LT(rest->bytes, 4000U);
  EXPECT_EQ(rest->oldest_us, ReadSome(*log, 3).front().time_us);
  EXPECT_EQ(log->After(9)->records, 0U);
  log.reset();  // it would wait for the server to take its reader away
  server.Kill();
  EXPECT_EQ(LogAt(server.Url())->After(0).error().exit_code, kBusy);
}

TEST_F(NatsLogTest, LosesTheRecordsBeforeANumber) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  ASSERT_TRUE(log->Create().has_value());
  for (const char* const name : {"a", "b", "c", "d"}) ASSERT_TRUE(log->Publish(name, name).has_value());
  ASSERT_TRUE(log->DropRecords(0, kGoesOn).has_value());
  EXPECT_EQ(ReadAll(*log, 0, 4).size(), 4U);
  int asked = 0;
  EXPECT_FALSE(log->DropRecords(4, [&] { return ++asked < 2; }).has_value());
  EXPECT_EQ(ReadSome(*log, 0).front().seq, 2U);
  ASSERT_TRUE(log->DropRecords(3, kGoesOn).has_value());
  EXPECT_EQ(ReadAll(*log, 2, 2), (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(ReadSome(*log, 0).front().seq, 3U);
  // A log without records still goes on from where it was.
  ASSERT_TRUE(log->DropRecords(5, kGoesOn).has_value());
  EXPECT_EQ(log->Read(4, 9, std::chrono::milliseconds(10))->first, 5U);
  EXPECT_EQ(log->Publish("e", "e"), 5U);
}

// They have the numbers of their records in common, and nothing else.
TEST_F(NatsLogTest, EachModelHasItsOwn) {
  NatsServer server(directory_ / "server");
  const Logs logs = MakeNatsLogs(SettingsFor(server.Url())).value();
  const auto main = logs("");
  const auto one = logs("one.org");
  const auto two = logs("*.org");
  for (OrderedLog* const log : {main.get(), one.get(), two.get()}) ASSERT_TRUE(log->Create().has_value());
  EXPECT_EQ(one->Agree("first"), "first");
  EXPECT_EQ(two->Agree("second"), "second");
  EXPECT_EQ(main->Agreed().value(), std::nullopt);
  ASSERT_TRUE(main->Agree("main").has_value());
  EXPECT_EQ(logs("one.org")->Agreed().value(), "first");
  const std::vector<OrderedLog*> turns = {one.get(), two.get(), one.get(), main.get(), one.get(), two.get()};
  for (size_t i = 0; i < turns.size(); ++i)
    EXPECT_EQ(turns[i]->Publish("n" + std::to_string(i), std::to_string(i + 1)), i + 1);
  // Numbers, each with the one before, of the records after `after`.
  const auto read = [](OrderedLog& log, uint64_t after, size_t count) {
    std::vector<std::pair<uint64_t, uint64_t>> numbers;
    while (numbers.size() < count) {
      for (const LogRecord& record : ReadSome(log, after)) {
        EXPECT_EQ(record.bytes, std::to_string(record.seq));
        numbers.emplace_back(record.previous, record.seq);
        after = record.seq;
      }
    }
    return numbers;
  };
  EXPECT_THAT(read(*main, 0, 1), ElementsAre(Pair(0, 4)));
  EXPECT_THAT(read(*one, 0, 3), ElementsAre(Pair(0, 1), Pair(1, 3), Pair(3, 5)));
  EXPECT_THAT(read(*two, 2, 1), ElementsAre(Pair(2, 6)));
  EXPECT_EQ(two->Read(6, 9, std::chrono::milliseconds(1))->last, 6U);
  ASSERT_TRUE(one->DropRecords(5, kGoesOn).has_value());
  EXPECT_THAT(read(*two, 0, 2), ElementsAre(Pair(0, 2), Pair(2, 6)));
  EXPECT_THAT(read(*one, 1, 1), ElementsAre(Pair(4, 5)));  // a gap: 3 is missing
  EXPECT_EQ(one->Read(5, 9, std::chrono::milliseconds(1))->last, 5U);
  ASSERT_TRUE(one->Announce(TextOf(SnapshotNote{.name = "a", .record = 5})).has_value());
  EXPECT_THAT(read(*one, 0, 1), ElementsAre(Pair(4, 5)));
  EXPECT_EQ(two->Announced().value(), std::nullopt);
}

TEST_F(NatsLogTest, EachModelHasItsOwnNodesAndSnapshots) {
  NatsServer server(directory_ / "server");
  const Logs logs = MakeNatsLogs(SettingsFor(server.Url())).value();
  const auto main = logs("");
  const auto one = logs("one.org");
  const auto two = logs("two.org");
  for (OrderedLog* const log : {main.get(), one.get(), two.get()}) {
    ASSERT_TRUE(log->PutEntry("a1", "entry").has_value());
    EXPECT_THAT(*log->Entries(), SizeIs(1));
    for (const char* const snapshot : {"s1", "s2"}) ASSERT_TRUE(log->PutPiece(snapshot, "piece").has_value());
  }
  const auto pieces = [](OrderedLog& log, const std::string& snapshot) {
    int count = 0;
    const auto take = [&](std::string_view) -> Result<void> { return ++count, Result<void>(); };
    EXPECT_TRUE(log.GetPieces(snapshot, take).has_value());
    return count;
  };
  ASSERT_TRUE(one->DropPieces(100, kGoesOn).has_value());
  ASSERT_TRUE(main->DropPiecesOf("s1").has_value());
  EXPECT_EQ(pieces(*one, "s1") + pieces(*one, "s2"), 0);
  EXPECT_EQ(pieces(*two, "s1") + pieces(*two, "s2"), 2);
  EXPECT_EQ(pieces(*main, "s1"), 0);
  EXPECT_EQ(pieces(*main, "s2"), 1);
}

TEST_F(NatsLogTest, GoesOnAfterTheServerWasKilled) {
  NatsServer server(directory_ / "server");
  ClusterSettings settings = SettingsFor(server.Url());
  settings.answer = std::chrono::seconds(1);  // what was asked last is waited for, and never answered
  const auto log = LogOf(settings);
  while (!log->Create()) continue;
  while (!log->Publish("a", "1")) continue;
  EXPECT_EQ(ReadAll(*log, 0, 1).size(), 1U);
  server.Kill();
  const auto refused = log->Publish("b", "2");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kBusy);
  EXPECT_FALSE(log->Read(1, 9, std::chrono::milliseconds(10)).has_value());
  server.Restart();
  while (!log->Publish("b", "2")) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ReadAll(*log, 1, 1), std::vector<std::string>{"2"});
}

// As a version made it that knew one model only.
TEST_F(NatsLogTest, AStreamGetsTheSubjectsThatItLacks) {
  NatsServer server(directory_ / "server");
  const ClusterSettings settings = SettingsFor(server.Url());
  const NatsLibrary& nats = **NatsLibrary::Get();
  const auto link = NatsLink::Connect(nats, settings);
  ASSERT_TRUE(link.has_value());
  ASSERT_TRUE(NatsStream(nats, settings, "mail").Make(**link, "older", {"thresher.mail"}).has_value());
  const Logs logs = MakeNatsLogs(settings).value();
  EXPECT_EQ(logs("")->Publish("a", "1"), 1U);
  EXPECT_FALSE(logs("one.org")->Publish("b", "2").has_value());
  ASSERT_TRUE(logs("one.org")->Create().has_value());
  EXPECT_EQ(logs("one.org")->Publish("b", "2"), 2U);
  EXPECT_EQ(ReadAll(*logs(""), 0, 1), std::vector<std::string>{"1"});
}

TEST_F(NatsLogTest, WhoReadsIsWokenAtTheEnd) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  ASSERT_TRUE(log->Create().has_value());
  std::thread reader([&] { EXPECT_FALSE(log->Read(0, 9, std::chrono::hours(1)).has_value()); });
  log->EndReading();
  reader.join();
  EXPECT_FALSE(log->Read(0, 9, std::chrono::hours(1)).has_value());
}

TEST_F(NatsLogTest, AnotherProgramsStreamIsRefused) {
  NatsServer server(directory_ / "server");
  // A bucket's stream is none of ours.
  ASSERT_TRUE(LogAt(server.Url())->Agree("x").has_value());
  const auto refused = LogAt(server.Url(), "KV_thresher-mail")->Create();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, HasSubstr("'KV_thresher-mail' is another program's"));
}

TEST_F(NatsLogTest, AnotherProgramsStreamForSnapshotsIsRefused) {
  NatsServer server(directory_ / "server");
  ASSERT_TRUE(LogAt(server.Url(), "thresher_snapshots-mail")->Create().has_value());
  const auto refused = LogAt(server.Url())->PutPiece("one", "piece");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, HasSubstr("'thresher_snapshots-mail' is another program's"));
}

TEST_F(NatsLogTest, SnapshotsGoIntoAStreamThatWasMadeWithOtherReplicas) {
  NatsServer server(directory_ / "server");
  ASSERT_TRUE(LogAt(server.Url())->PutPiece("one", "piece").has_value());
  ClusterSettings settings = SettingsFor(server.Url());
  settings.replicas = 3;
  const auto put = LogOf(settings)->PutPiece("two", "piece");
  EXPECT_TRUE(put.has_value()) << put.error().message;
}

TEST_F(NatsLogTest, NamesAreChecked) {
  for (const char* const name : {"", "a.b", "a b", "*", ">", "\xc3\xa4"}) {
    const auto refused = MakeNatsLogs(SettingsFor("nats://127.0.0.1:1", name));
    ASSERT_FALSE(refused.has_value()) << name;
    EXPECT_THAT(refused.error().message, HasSubstr("expected up to 64 letters"));
  }
}

}  // namespace
}  // namespace thresher::pipeline
