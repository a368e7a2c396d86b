// The log on a real server of NATS; shown as skipped where nats-server is not installed.
#include "pipeline/cluster/nats_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// A server in a folder of its own, at a port that was free.
class NatsServer {
 public:
  explicit NatsServer(std::filesystem::path dir, const std::string& more = "") : dir_(std::move(dir)) {
    std::filesystem::create_directories(dir_);
    std::ofstream(dir_ / "conf") << fmt::format(
        "ports_file_dir: \"{0}\"\njetstream {{ store_dir: \"{0}/js\" }}\n{1}\n", dir_.string(), more);
    Start("-1");
  }
  ~NatsServer() { Kill(); }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  static bool IsInstalled() { return std::system("command -v nats-server >/dev/null") == 0; }

  void Kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  // At the same port.
  void Restart() {
    Kill();
    Start(port_);
  }
  std::string Url(const std::string& user = "") const { return "nats://" + user + "127.0.0.1:" + port_; }

 private:
  void Start(const std::string& port) {
    std::filesystem::remove(PortsFile());
    pid_ = ::fork();
    if (pid_ == 0) {
      const std::string conf = dir_ / "conf";
      const std::string log = dir_ / "log";
      ::execlp("nats-server", "nats-server", "-c", conf.c_str(), "-a", "127.0.0.1", "-p", port.c_str(), "-l",
               log.c_str(), nullptr);
      ::_exit(127);
    }
    std::string text;
    while (text.find("nats://") == std::string::npos || text.find('}') == std::string::npos) {
      ASSERT_EQ(::waitpid(pid_, nullptr, WNOHANG), 0) << "the server has ended";
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::ifstream file(PortsFile());
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    const size_t begin = text.rfind(':', text.find('"', text.find("nats://"))) + 1;
    port_ = text.substr(begin, text.find('"', begin) - begin);
  }
  std::filesystem::path PortsFile() const { return dir_ / fmt::format("nats-server_{}.ports", pid_); }

  std::filesystem::path dir_;
  std::string port_;
  pid_t pid_ = -1;
};

class NatsLogTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!NatsServer::IsInstalled()) GTEST_SKIP() << "nats-server is not installed";
  }
  static ClusterSettings SettingsFor(const std::string& url, const std::string& stream = "mail") {
    ClusterSettings settings;
    settings.log = url;
    settings.stream = stream;
    settings.replicas = 1;
    return settings;
  }
  static std::unique_ptr<OrderedLog> LogAt(const std::string& url, const std::string& stream = "mail") {
    auto log = MakeNatsLog(SettingsFor(url, stream));
    EXPECT_TRUE(log.has_value()) << log.error().message;
    return *std::move(log);
  }
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

  TestDirectory directory_;
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
  ASSERT_TRUE(log->DropPieces(0).has_value());
  EXPECT_EQ(pieces("a1").size(), 3U);
  ASSERT_TRUE(log->DropPieces(numbers[2]).has_value());
  EXPECT_EQ(pieces("a1"), (std::vector<std::string>{long_piece, ""}));
  EXPECT_TRUE(pieces("b2").empty());
  EXPECT_EQ(log->Announced().value(), std::nullopt);
  for (const char* const text : {"first", "second"}) ASSERT_TRUE(log->Announce(text).has_value());
  EXPECT_EQ(LogAt(server.Url())->Announced().value(), "second");
}

TEST_F(NatsLogTest, LosesTheRecordsBeforeANumber) {
  NatsServer server(directory_ / "server");
  const auto log = LogAt(server.Url());
  ASSERT_TRUE(log->Create().has_value());
  for (const char* const name : {"a", "b", "c", "d"}) ASSERT_TRUE(log->Publish(name, name).has_value());
  ASSERT_TRUE(log->DropRecords(0).has_value());
  EXPECT_EQ(ReadAll(*log, 0, 4).size(), 4U);
  ASSERT_TRUE(log->DropRecords(3).has_value());
  EXPECT_EQ(ReadAll(*log, 2, 2), (std::vector<std::string>{"c", "d"}));
  const auto batch = log->Read(0, 9, std::chrono::seconds(10));
  ASSERT_TRUE(batch.has_value() && !batch->records.empty());
  EXPECT_EQ(batch->records.front().seq, 3U);
  // A log without records still goes on from where it was.
  ASSERT_TRUE(log->DropRecords(5).has_value());
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

TEST_F(NatsLogTest, SaysWhyItCannotConnect) {
  NatsServer server(directory_ / "server", "authorization { user: alice, password: secret }");
  EXPECT_TRUE(LogAt(server.Url("alice:secret@"))->Create().has_value());
  const auto refused = LogAt(server.Url("alice:wrong@"))->Create();
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("the log 'mail' at " + server.Url() + ": cannot connect: "),
                    HasSubstr("uthori"), Not(HasSubstr("wrong"))));
  const std::string gone = server.Url();
  server.Kill();
  EXPECT_THAT(LogAt(gone)->Create().error().message, HasSubstr("cannot connect: No server available"));
}

TEST_F(NatsLogTest, ServersThatTakeOnlyShortMessagesAreRefused) {
  const NatsServer server(directory_ / "server", "max_payload: 5000");
  const auto refused = LogAt(server.Url())->Create();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, HasSubstr("take messages of 5000 bytes; set their max_payload"));
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
