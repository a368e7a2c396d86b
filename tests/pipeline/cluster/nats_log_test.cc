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

#include "tests/pipeline/cluster/nats_server.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class NatsLogTest : public NatsServerTest {
 protected:
  const GoesOn kGoesOn = [] { return true; };
  // All records after `after`, as long as that takes.
  static std::vector<std::string> ReadAll(OrderedLog& log, uint64_t after, size_t count) {
    std::vector<std::string> texts;
    while (texts.size() < count) {
      const auto batch = log.Read(after, 3, std::chrono::milliseconds(100));
      if (!batch) continue;
      for (const LogRecord& record : batch->records) {
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
  EXPECT_EQ(rest->first, 1U);
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
  EXPECT_EQ(log->Entries().error().exit_code, kBusy);
  EXPECT_EQ(log->PutEntry("a1", "lost").error().exit_code, kBusy);
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

TEST_F(NatsLogTest, LosesTheRecordsBeforeANumber) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  ASSERT_TRUE(log->Create().has_value());
  for (const char* const name : {"a", "b", "c", "d"}) ASSERT_TRUE(log->Publish(name, name).has_value());
  ASSERT_TRUE(log->DropRecords(0, kGoesOn).has_value());
  EXPECT_EQ(ReadAll(*log, 0, 4).size(), 4U);
  int asked = 0;
  EXPECT_FALSE(log->DropRecords(4, [&] { return ++asked < 2; }).has_value());
  EXPECT_EQ(log->Read(0, 9, std::chrono::seconds(10))->records.front().seq, 2U);
  ASSERT_TRUE(log->DropRecords(3, kGoesOn).has_value());
  EXPECT_EQ(ReadAll(*log, 2, 2), (std::vector<std::string>{"c", "d"}));
  const auto batch = log->Read(0, 9, std::chrono::seconds(10));
  ASSERT_TRUE(batch.has_value() && !batch->records.empty());
  EXPECT_EQ(batch->records.front().seq, 3U);
  // A log without records still goes on from where it was.
  ASSERT_TRUE(log->DropRecords(5, kGoesOn).has_value());
  EXPECT_EQ(log->Read(4, 9, std::chrono::milliseconds(10))->first, 5U);
  EXPECT_EQ(log->Publish("e", "e"), 5U);
}

TEST_F(NatsLogTest, GoesOnAfterTheServerWasKilled) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  ASSERT_TRUE(log->Create().has_value());
  ASSERT_TRUE(log->Publish("a", "1").has_value());
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
  const auto put = (*MakeNatsLog(settings))->PutPiece("two", "piece");
  EXPECT_TRUE(put.has_value()) << put.error().message;
}

TEST_F(NatsLogTest, NamesAreChecked) {
  for (const char* const name : {"", "a.b", "a b", "*", ">", "\xc3\xa4"}) {
    const auto refused = MakeNatsLog(SettingsFor("nats://127.0.0.1:1", name));
    ASSERT_FALSE(refused.has_value()) << name;
    EXPECT_THAT(refused.error().message, HasSubstr("expected up to 64 letters"));
  }
}

}  // namespace
}  // namespace thresher::pipeline
