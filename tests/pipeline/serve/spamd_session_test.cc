#include "pipeline/serve/spamd_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "tests/pipeline/serve/toy_service.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SpamdSessionTest : public testing::Test {
 protected:
  std::string Ask(const std::string& request, bool may_teach = true) {
    SpamdSession session(service_, {.may_teach = may_teach, .message_bytes = 1000});
    session.Take(request);
    if (!session.HasRequest()) session.TakeEnd();
    std::string answer = "none";
    session.Respond([&](const Response& response) {
      EXPECT_TRUE(response.closes);
      answer = response.bytes;
    });
    return answer;
  }
  static std::string Request(const std::string& verb, const std::string& message,
                             const std::string& headers = "") {
    return verb + " SPAMC/1.5\r\n" + headers + "Content-length: " + std::to_string(message.size()) +
           "\r\n\r\n" + message;
  }

  static std::string Compressed(const std::string& text) {
    std::string out(compressBound(text.size()), '\0');
    uLongf size = out.size();
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
             text.size());
    out.resize(size);
    return out;
  }

  ToyService service_;
};

TEST_F(SpamdSessionTest, Check) {
  EXPECT_EQ(Ask(Request("CHECK", "spam", "User: alice\r\n")),
            "SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nSpam: True ; 8.4 / 5.0\r\n\r\n");
  EXPECT_EQ(Ask(Request("CHECK", "good")),
            "SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nSpam: False ; -5.4 / 5.0\r\n\r\n");
  EXPECT_THAT(service_.asked(), ElementsAre("classify spam for alice", "classify good for "));
}

TEST_F(SpamdSessionTest, SymbolsAndReports) {
  EXPECT_THAT(Ask(Request("SYMBOLS", "spam")), HasSubstr("Content-length: 13\r\n"));
  EXPECT_THAT(Ask(Request("SYMBOLS", "spam")), HasSubstr("\r\n\r\nTHRESHER_SPAM"));
  EXPECT_THAT(Ask(Request("REPORT", "good")), HasSubstr("Ham, probability 0.001"));
  EXPECT_THAT(Ask(Request("REPORT_IFSPAM", "good")), testing::EndsWith("\r\n\r\n"));
  EXPECT_THAT(Ask(Request("REPORT_IFSPAM", "spam")), HasSubstr("8.4 points, 5.0 required"));
  EXPECT_THAT(Ask(Request("REPORT", "listed spam")),
              HasSubstr("Spam, listed=block:domain, probability 0.999"));
}

TEST_F(SpamdSessionTest, ReportsListTheHeaviestTokens) {
  const std::string report = Ask(Request("REPORT", "spam"));
  EXPECT_THAT(report, HasSubstr("contribution  token\n    +0.50000  subject:pay\\x1b\n"));
  EXPECT_THAT(Ask(Request("REPORT_IFSPAM", "spam")), HasSubstr("subject:pay"));
  EXPECT_THAT(Ask(Request("CHECK", "spam")), testing::Not(HasSubstr("subject:pay")));
}

TEST_F(SpamdSessionTest, ProcessMarksTheMessageAndHeadersItsHead) {
  const std::string mail = "Subject: spam\r\nX-Thresher: Ham\r\n\r\nbody\r\n";
  const std::string whole = Ask(Request("PROCESS", mail));
  EXPECT_THAT(whole, HasSubstr("\r\n\r\nX-Thresher: Spam, probability=0.999"));
  EXPECT_THAT(whole, testing::EndsWith("Subject: spam\r\n\r\nbody\r\n"));
  EXPECT_THAT(Ask(Request("HEADERS", mail)), testing::EndsWith("Subject: spam\r\n\r\n"));
}

// spamc adds its own copy of what is behind the first empty line that ends as the line before it does.
TEST_F(SpamdSessionTest, HeadersLosesNothingThatSpamcDoesNotAdd) {
  const auto ends_with = [&](const std::string& end) { return testing::EndsWith(end); };
  const std::string mixed = "Subject: spam\n\r\nfirst\n\nsecond\n";
  EXPECT_THAT(Ask(Request("HEADERS", mixed)), ends_with("Subject: spam\n\r\nfirst\n\n"));
  EXPECT_THAT(Ask(Request("HEADERS", "\nfirst spam\n\nsecond\n")), ends_with("\nfirst spam\n\n"));
  EXPECT_THAT(Ask(Request("HEADERS", "\r\nfirst spam\r\n\r\nb\n\n")), ends_with("\r\nfirst spam\r\n\r\n"));
  EXPECT_THAT(Ask(Request("HEADERS", "Subject: spam\n")), ends_with("Subject: spam\n"));
}

TEST_F(SpamdSessionTest, PingAndSkip) {
  EXPECT_EQ(Ask("PING SPAMC/1.2\r\n"), "SPAMD/1.5 0 PONG\r\n");
  EXPECT_EQ(Ask("SKIP SPAMC/1.2\r\n"), "");
  EXPECT_TRUE(service_.asked().empty());
}

TEST_F(SpamdSessionTest, TellTeaches) {
  EXPECT_EQ(Ask(Request("TELL", "m", "Message-class: spam\r\nSet: local\r\nUser: bob\r\n")),
            "SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nDidSet: local\r\n\r\n");
  EXPECT_EQ(Ask(Request("TELL", "m", "Message-class: ham\r\nSet: local\r\nRemove: remote\r\n")),
            "SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nDidSet: local\r\n\r\n");
  EXPECT_EQ(Ask(Request("TELL", "m", "Remove: local\r\n")),
            "SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\nDidRemove: local\r\n\r\n");
  EXPECT_THAT(service_.asked(), ElementsAre("learn spam m for bob", "learn ham m for ", "forget m for "));
  service_.taught->result = TeachResult::kKnown;
  EXPECT_EQ(Ask(Request("TELL", "m", "Message-class: spam\r\nSet: local\r\n")),
            "SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\n\r\n");
}

TEST_F(SpamdSessionTest, TellIsRefusedToThoseWhoMayNotTeach) {
  EXPECT_THAT(Ask(Request("TELL", "m", "Message-class: spam\r\nSet: local\r\n"), false),
              StartsWith("SPAMD/1.0 69 EX_UNAVAILABLE TELL over TCP"));
  EXPECT_TRUE(service_.asked().empty());
}

TEST_F(SpamdSessionTest, TooManyChangesAreRefused) {
  int allowed = 1;
  const auto tell = [&] {
    SpamdSession session(service_, {.may_teach = true, .message_bytes = 1000, .may_change_now = [&] {
                                      return allowed-- > 0;
                                    }});
    session.Take(Request("TELL", "m", "Message-class: spam\r\nSet: local\r\n"));
    std::string answer;
    session.Respond([&](const Response& response) { answer = response.bytes; });
    return answer;
  };
  EXPECT_THAT(tell(), HasSubstr("DidSet"));
  EXPECT_THAT(tell(), StartsWith("SPAMD/1.0 75 EX_TEMPFAIL too many changes"));
  EXPECT_EQ(service_.asked().size(), 1U);
}

TEST_F(SpamdSessionTest, DecompressesWithinTheLimit) {
  const std::string header = "Compress: zlib\r\n";
  EXPECT_THAT(Ask(Request("CHECK", Compressed("spam"), header)), HasSubstr("Spam: True"));
  EXPECT_THAT(Ask(Request("CHECK", Compressed(std::string(1001, 'x')), header)),
              StartsWith("SPAMD/1.0 65 EX_DATAERR"));
  EXPECT_THAT(Ask(Request("CHECK", Compressed("spam") + "x", header)), StartsWith("SPAMD/1.0 65 EX_DATAERR"));
  EXPECT_THAT(Ask(Request("CHECK", Compressed("spam").substr(0, 6), header)), StartsWith("SPAMD/1.0 65"));
  EXPECT_THAT(Ask(Request("CHECK", "spam", header)), StartsWith("SPAMD/1.0 65 EX_DATAERR"));
}

TEST_F(SpamdSessionTest, SaysWhyItDoesNotDecompress) {
  const auto ask = [&](const std::string& message) {
    SpamdSession session(service_, {.message_bytes = 1000});
    session.Take(Request("CHECK", message, "Compress: zlib\r\n"));
    Response given;
    session.Respond([&](const Response& response) { given = response; });
    return given;
  };
  const Response large = ask(Compressed(std::string(1001, 'x')));
  EXPECT_EQ(large.refused, refused::kTooLarge);
  EXPECT_THAT(large.bytes, HasSubstr("the message has more than 1000 bytes"));
  const Response damaged = ask(Compressed(std::string(1000, 'x')) + "x");
  EXPECT_EQ(damaged.refused, refused::kMalformed);
  EXPECT_THAT(damaged.bytes, HasSubstr("not compressed by zlib"));
}

// Before it is judged: so its connection can refuse it.
TEST_F(SpamdSessionTest, HoldsWhatTheMessageTakesDecompressed) {
  SpamdSession session(service_, {.message_bytes = 1000});
  const std::string request = Request("PROCESS", Compressed(std::string(1000, 'x')), "Compress: zlib\r\n");
  EXPECT_EQ(session.Take(request), request.size());
  EXPECT_EQ(session.Held(request.size()), 1000U);
  session.Respond([](const Response&) {});
  EXPECT_EQ(session.Held(request.size()), 0U);
}

TEST_F(SpamdSessionTest, ErrorsKeepTheProtocol) {
  EXPECT_EQ(Ask("NONSENSE\r\n"), "SPAMD/1.0 76 EX_PROTOCOL Bad header line: (NONSENSE)\r\n");
  service_.ready = tl::unexpected(Error{kBusy, "no model"});
  EXPECT_EQ(Ask(Request("CHECK", "spam")), "SPAMD/1.0 75 EX_TEMPFAIL no model\r\n");
  service_.taught = tl::unexpected(Error{kIo, "the disk is full"});
  EXPECT_EQ(Ask(Request("TELL", "m", "Message-class: spam\r\nSet: local\r\n")),
            "SPAMD/1.0 70 EX_SOFTWARE the disk is full\r\n");
}

}  // namespace
}  // namespace thresher::pipeline
