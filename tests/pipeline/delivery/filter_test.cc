// `thresher filter`: mail always comes out, byte-identical except for our header, whatever goes wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

// `filtered` without our header line; fails the test unless there is exactly one.
std::string WithoutOurHeader(const std::string& filtered) {
  const size_t begin = filtered.find("X-Thresher: ");
  EXPECT_NE(begin, std::string::npos) << filtered.substr(0, 200);
  if (begin == std::string::npos) return filtered;
  std::string rest = filtered;
  rest.erase(begin, filtered.find('\n', begin) + 1 - begin);
  EXPECT_EQ(rest.find("X-Thresher: "), std::string::npos);
  return rest;
}

class FilterTest : public testing::Test {
 protected:
  // A store with some examples of both classes.
  void Teach() {
    for (int i = 0; i < 8; ++i) {
      directory_.Write("spam/" + std::to_string(i), SpamMessage(i));
      directory_.Write("ham/" + std::to_string(i), HamMessage(i));
    }
    for (int round = 0; round < 1; ++round) {
      ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_, directory_ / "spam"}).exit_code, 0);
      ASSERT_EQ(RunThresher({"learn", "--ham", "--store", store_, directory_ / "ham"}).exit_code, 0);
    }
  }
  Ran Filter(const std::string& message, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"filter", "--store", store_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunThresher(arguments, message);
  }
  // The message is complete and marked Error, and the exit code is 0.
  void ExpectErrorHeader(const std::string& message, const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("X-Thresher: Error, "));
    EXPECT_EQ(WithoutOurHeader(ran.out), message);
    EXPECT_THAT(ran.err, StartsWith("thresher: "));
  }

  TestDirectory directory_;
  std::string store_ = directory_ / "store";
};

TEST_F(FilterTest, WithoutAStoreIsUnsureAndMakesNone) {
  const Ran ran = Filter(SpamMessage(1));
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, StartsWith("X-Thresher: Unsure, there is no model at " + store_));
  EXPECT_THAT(ran.out, HasSubstr(", probability=0.500000, margin=0, needs-ham=10, needs-spam=10, version="));
  EXPECT_EQ(WithoutOurHeader(ran.out), SpamMessage(1));
  EXPECT_FALSE(fs::exists(store_));
}

TEST_F(FilterTest, AModelThatLostItsDatabaseIsAnError) {
  Teach();
  fs::remove_all(store_ + "/default/db");
  const Ran ran = Filter(SpamMessage(1));
  ExpectErrorHeader(SpamMessage(1), ran);
  EXPECT_THAT(ran.err, HasSubstr("/default/db is missing: restore a backup"));
}

TEST_F(FilterTest, TellsSpamFromHamByMargin) {
  Teach();
  EXPECT_THAT(Filter(SpamMessage(100)).out, testing::ContainsRegex("margin=[0-9]"));
  EXPECT_THAT(Filter(HamMessage(100)).out, HasSubstr("margin=-"));
}

TEST_F(FilterTest, HostileMessagesComeOutAsTheyWent) {
  Teach();
  std::string deep_mime;
  for (int i = 0; i < 1000; ++i) {
    deep_mime += fmt::format("Content-Type: multipart/mixed; boundary=b{0}\n\n--b{0}\n", i);
  }
  std::string deep_html = "Content-Type: text/html\n\n";
  for (int i = 0; i < 100000; ++i) deep_html += "<div>";
  std::string headers_only = "Subject: only headers";
  const std::string messages[] = {
      "",
      "\n",
      "no headers at all, only text\nand a second line\n",
      headers_only,
      "From someone@example.org Mon Jan  2 15:04:05 2006\nSubject: mbox line\n\nbody\n",
      "Subject: crlf\r\nTo: x\r\n\r\nbody\r\n",
      std::string("Subject: n\0ul\n\nbo\0dy\n", 21),
      "Content-Type: text/plain; charset=no-such-charset\n\n\xff\xfe\xfd\n",
      "Content-Type: text/plain; charset=utf-8\n\n\xc3\x28\xa0\xa1\n",
      "Content-Transfer-Encoding: base64\n\nQ2hlYXAgcGlsbHM",
      deep_mime,
      deep_html,
  };
  for (const std::string& message : messages) {
    const Ran ran = Filter(message);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(WithoutOurHeader(ran.out), message) << message.substr(0, 80);
    EXPECT_THAT(ran.out, testing::Not(HasSubstr("X-Thresher: Error")));
  }
}

TEST_F(FilterTest, RandomBytesComeOutAsTheyWent) {
  Teach();
  std::mt19937_64 random(7);
  for (int i = 0; i < 30; ++i) {
    std::string message(random() % 3000, '\0');
    for (char& c : message) c = static_cast<char>(random() % (i % 2 == 0 ? 256 : 64));
    const Ran ran = Filter(message);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(WithoutOurHeader(ran.out), message);
  }
}

// The process that parses is the child. As if a library had called abort() there.
TEST_F(FilterTest, AParserThatAbortsCostsTheVerdictAndNotTheMail) {
  Teach();
  std::string message = "Subject: large\nContent-Type: text/html\n\n";
  while (message.size() < 30U << 20)
    message += "<p>all work and <b>no play</b> makes a <i>large</i> message\n";
  const auto filter_and_abort = [&] {
    RunningThresher filter({"filter", "--store", store_});
    const std::filesystem::path children = fmt::format("/proc/{0}/task/{0}/children", filter.pid());
    std::future<Ran> ran = std::async(std::launch::async, [&] { return filter.Finish(message); });
    pid_t child = 0;
    while (ran.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) {
      if (std::ifstream(children) >> child && child > 0) break;
    }
    if (child > 0) ::kill(child, SIGABRT);
    return ran.get();
  };
  // This process may see it too late.
  Ran filtered;
  for (int i = 0; i < 100 && filtered.out.find("died of") > 100; ++i) filtered = filter_and_abort();
  EXPECT_EQ(filtered.exit_code, 0);
  EXPECT_THAT(filtered.out.substr(0, 100), HasSubstr("X-Thresher: Error, the classifier died of signal 6"));
  EXPECT_TRUE(WithoutOurHeader(filtered.out) == message);
}

TEST_F(FilterTest, FiftyMegabytesComeOut) {
  Teach();
  std::string message = "Subject: large\n\n";
  while (message.size() < 50u << 20) message += "all work and no play makes a large message\n";
  const Ran ran = Filter(message);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_TRUE(WithoutOurHeader(ran.out) == message);
  EXPECT_THAT(ran.out.substr(0, 100), testing::Not(HasSubstr("Error")));
}

// What is in the head beyond what filter holds is not looked at, so nobody may take it for a verdict.
TEST_F(FilterTest, AHeadLongerThanWhatIsHeldGivesAnErrorHeader) {
  Teach();
  std::string message = "Subject: long\nX-Thresher: Spam, forged\n";
  while (message.size() <= 64u << 20) message += "X-Filler: " + std::string(1 << 20, 'x') + "\n";
  message += "X-Thresher: Ham, forged\n\nbody\n";
  const Ran ran = Filter(message);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, StartsWith("X-Thresher: Error, the head of the message has more than 64 MiB"));
  EXPECT_EQ(Filter(message, {"--on-error", "tempfail"}).exit_code, 75);
  EXPECT_TRUE(ran.out.substr(ran.out.find('\n') + 1) == message.erase(14, 25));
}

TEST_F(FilterTest, IncomingCopiesOfOurHeaderAreRemoved) {
  const Ran ran = Filter(
      "From x@example.org Mon Jan  2 15:04:05 2006\nX-Thresher: Ham, forged\n and folded\nSubject: s\n\nb\n");
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("forged")));
  EXPECT_EQ(WithoutOurHeader(ran.out), "From x@example.org Mon Jan  2 15:04:05 2006\nSubject: s\n\nb\n");
  EXPECT_THAT(ran.out, StartsWith("From x@example.org Mon Jan  2 15:04:05 2006\nX-Thresher: Unsure"));
}

TEST_F(FilterTest, HeaderHasTheMessagesLineEnds) {
  EXPECT_THAT(Filter("Subject: s\r\n\r\nb\r\n").out, testing::ContainsRegex("version=[0-9.]+\r\nSubject"));
}

TEST_F(FilterTest, CorruptStoreGivesAnErrorHeader) {
  Teach();
  for (const auto& file : fs::recursive_directory_iterator(store_)) {
    if (file.is_regular_file()) fs::resize_file(file, file.file_size() / 2);
  }
  ExpectErrorHeader(SpamMessage(1), Filter(SpamMessage(1)));
}

TEST_F(FilterTest, ConfigurationWithATypoGivesAnErrorHeader) {
  const std::string config = directory_.Write("config.yaml", "thresholds:\n  spamm: 0.9\n");
  const Ran ran = Filter(SpamMessage(1), {"--config", config});
  ExpectErrorHeader(SpamMessage(1), ran);
  EXPECT_THAT(ran.err, HasSubstr("config.yaml:2"));
}

TEST_F(FilterTest, TempfailKeepsTheMessageWithTheMailSystem) {
  directory_.Write("store/default/db/CURRENT", "garbage");
  const Ran ran = Filter(SpamMessage(1), {"--on-error", "tempfail"});
  EXPECT_EQ(ran.exit_code, 75);
  EXPECT_EQ(ran.out, "");
}

TEST_F(FilterTest, ReadOnlyStoreStillGivesVerdicts) {
  Teach();
  constexpr fs::perms kRead = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  constexpr fs::perms kEnter = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
    fs::permissions(entry, entry.is_directory() ? kRead | kEnter : kRead);
  }
  fs::permissions(directory_.path(), kEnter | fs::perms::owner_all);
  const Ran ran = RunThresher({"filter", "--store", store_}, SpamMessage(100), As::kNobody);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, Filter(SpamMessage(100)).out);
  EXPECT_THAT(ran.out, testing::ContainsRegex("margin=[1-9]"));
}

// What the settings name is written, and removed where a sender wrote it.
TEST_F(FilterTest, WritesTheMarksThatTheSettingsName) {
  Teach();
  const std::string config =
      directory_.Write("config.yaml",
                       "mark: {header: X-Verdict, subject_tag: \"[SPAM]\", spam_headers: true}\n"
                       "thresholds: {spam: 0.5, ham: 0.1}\n");
  const std::string forged = "X-Verdict: Ham\nX-Verdict-Other: kept\nx-spam-status: No\nX-Thresher: Ham\n";
  const auto filter = [&](const std::string& message) { return Filter(message, {"--config", config}).out; };
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_, directory_.Write("m", SpamMessage(10 + i))})
                  .exit_code,
              0);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(RunThresher({"learn", "--ham", "--store", store_, directory_.Write("m", HamMessage(10 + i))})
                  .exit_code,
              0);
  const std::string spam = filter(forged + SpamMessage(100));
  EXPECT_THAT(spam,
              testing::MatchesRegex("X-Spam-Flag: YES\nX-Spam-Status: Yes, score=[0-9.]* required=5.0\n"
                                    "X-Verdict: Spam, probability=[^\n]*\nX-Verdict-Other: kept\n(.|\n)*"
                                    "\nSubject: \\[SPAM\\] [^[](.|\n)*"));
  EXPECT_EQ(filter(spam), spam);
  const std::string ham = filter(forged + HamMessage(100));
  EXPECT_THAT(
      ham, testing::MatchesRegex("X-Spam-Status: No, score=-?[0-9.]* required=5.0\nX-Verdict: (Ham|Unsure), "
                                 "[^\n]*\nX-Verdict-Other: kept\n(.|\n)*"));
  EXPECT_THAT(ham, testing::Not(HasSubstr("[SPAM]")));
  // What was delivered is the message that came.
  const std::string as_it_came = directory_.Write("m", SpamMessage(100));
  ASSERT_EQ(RunThresher({"learn", "--spam", "--store", store_, as_it_came}).exit_code, 0);
  const std::string delivered = directory_.Write("delivered", filter(SpamMessage(100)));
  EXPECT_THAT(RunThresher({"learn", "--spam", "--store", store_, "--config", config, delivered}).out,
              StartsWith("spam: 0 learned, 0 corrected, 1 known already\n"));
}

TEST_F(FilterTest, AStoreThatCannotBeReachedIsAnError) {
  const std::string message = SpamMessage(1);
  directory_.Write("store", "a file");
  ExpectErrorHeader(message, Filter(message));
  EXPECT_EQ(Filter(message, {"--on-error", "tempfail"}).exit_code, 75);
}

TEST_F(FilterTest, AConfigurationIsNeverAPipeNorTheMail) {
  const std::string message = SpamMessage(1);
  const std::string fifo = directory_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  ExpectErrorHeader(message, Filter(message, {"--config", fifo}));
  ExpectErrorHeader(message, Filter(message, {"--config", "/dev/stdin"}));
  ExpectErrorHeader(message, Filter(message, {"--config", "-"}));
}

// A mail reader that skips a malformed first line must not take a later header for ours.
TEST_F(FilterTest, ForgedHeadersGoWhateverStandsBeforeThem) {
  const tokenizer::KeyMaker keys(std::string(tokenizer::KeyMaker::kSecretBytes, 's'), {});
  for (const std::string first :
       {" cont\n", "no header\n", "   \n", "A: b\n\r\n", "A: b\rX-Thresher: Ham, forged\n"}) {
    const std::string message =
        first + "From: a\nX-Thresher: Ham, forged\nTo: b\n\nX-Thresher: in the body\n";
    const Ran ran = Filter(message);
    EXPECT_THAT(ran.out, testing::Not(HasSubstr("forged")));
    EXPECT_THAT(ran.out, HasSubstr("\nTo: b\n\nX-Thresher: in the body\n"));
    EXPECT_EQ(keys.KeysOf(ran.out).own, keys.KeysOf(message).own);
  }
}

#ifndef THRESHER_SANITIZED  // sanitizers need more memory than such a limit
TEST_F(FilterTest, ShortOfMemoryTheMailComesOut) {
  const std::string message = SpamMessage(1) + std::string(30 << 20, 'x') + "\n";
  directory_.Write("message", message);
  for (const int kib : {100000, 130000, 160000}) {
    const std::string run = "ulimit -v " + std::to_string(kib) + "; " + THRESHER_PROGRAM +
                            " filter --store " + store_ + " <" + (directory_ / "message") + " >" +
                            (directory_ / "out") + " 2>/dev/null";
    ASSERT_EQ(::system(run.c_str()), 0) << kib;
    EXPECT_TRUE(WithoutOurHeader(ReadBytes(directory_ / "out")) == message) << kib;
  }
}

// A head of many small lines took 33 times its size, and a forged header stayed where memory was short.
TEST_F(FilterTest, ALargeHeadNeedsLittleMemory) {
  std::string head;
  while (head.size() < 25u << 20) head += "a:\n";
  directory_.Write("message", head + "X-Thresher: Ham, forged\n\nbody\n");
  const std::string run = std::string("ulimit -v 200000; ") + THRESHER_PROGRAM + " filter --store " + store_ +
                          " <" + (directory_ / "message") + " >" + (directory_ / "out") + " 2>/dev/null";
  ASSERT_EQ(::system(run.c_str()), 0);
  const std::string out = ReadBytes(directory_ / "out");
  EXPECT_THAT(out.substr(0, 100), StartsWith("X-Thresher: Unsure"));
  EXPECT_TRUE(WithoutOurHeader(out) == head + "\nbody\n");
}
#endif

TEST_F(FilterTest, ACommandLineItDoesNotUnderstandLosesNoMail) {
  const std::string message = SpamMessage(1);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--bogus"}, {"extra"}, {"--on-error", "maybe"}, {"--store"}, {"--set", "spool.enabled=maybe"}}) {
    ExpectErrorHeader(message, Filter(message, wrong));
  }
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--bogus", "--on-error", "tempfail"}, {"--on-error=tempfail", "--bogus"}}) {
    const Ran kept = Filter(message, wrong);
    EXPECT_EQ(kept.exit_code, 75);
    EXPECT_EQ(kept.out, "");
  }
}

}  // namespace
}  // namespace thresher::pipeline
