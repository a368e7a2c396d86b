#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "pipeline/serve/http_session.h"
#include "pipeline/wall_clock.h"
#include "tests/pipeline/program.h"
#include "tests/pipeline/serve/toy_service.h"

namespace thresher::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Got {
  int status = 0;
  std::string header;
  std::string body;
  std::string_view refused = {};
  nlohmann::json Json() const { return nlohmann::json::parse(body); }
};

class HttpApiTest : public testing::Test {
 protected:
  Got Ask(const std::string& method, const std::string& target, const std::string& body = "",
          const std::string& headers = "", Peer peer = {}) {
    HttpSession session(api_, peer, size_t{8} << 20);
    session.Take(method + " " + target + " HTTP/1.1\r\n" + headers +
                 "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    EXPECT_TRUE(session.HasRequest());
    std::string bytes;
    std::string_view refused;
    session.Respond([&](const Response& response) {
      EXPECT_FALSE(response.closes);
      bytes = response.bytes;
      refused = response.refused;
    });
    const size_t end = bytes.find("\r\n\r\n");
    Got got{.header = bytes.substr(0, end), .body = bytes.substr(end + 4), .refused = refused};
    got.status = std::stoi(bytes.substr(9, 3));
    return got;
  }
  int StatusOverTcp(const std::string& method, const std::string& target, const std::string& headers = "") {
    return Ask(method, target, "{}", "Host: 127.0.0.1:11334\r\n" + headers, {.over_tcp = true}).status;
  }

  ToyService service_;
  RecentVerdicts recent_{10, 2500000};
  History history_{0};
  TestDirectory directory_;
  // Takes as long as there is a file "busy".
  DoubtRun doubt_{
      {"/bin/sh", "-c", "while [ -e " + (directory_ / "busy") + " ]; do sleep 0.01; done; echo '{}'"}};
  ChangeRate changes_{10};  // 100 at once
  ChangeRate guesses_{10};
  int reloads_ = 0;
  HttpApi api_{service_,
               {.figures = [] { return DaemonFigures{.is_ready = true, .protocols = {}}; },
                .reload = [this]() -> Result<void> {
                  ++reloads_;
                  return {};
                },
                .recent = &recent_,
                .history = &history_,
                .doubt = &doubt_,
                .changes = &changes_,
                .guesses = &guesses_}};
};

TEST_F(HttpApiTest, Classifies) {
  const nlohmann::json got = Ask("POST", "/classify?user=alice", "spam").Json();
  EXPECT_EQ(got.at("verdict"), "Spam");
  EXPECT_EQ(got.at("probability"), 0.999);
  EXPECT_EQ(got.at("key"), "0123456789abcdef");
  EXPECT_EQ(got.at("needed").at("ham"), 10);
  EXPECT_EQ(got.at("needed").at("text"),
            "every verdict is Unsure until 10 more ham and 10 more spam messages are taught");
  EXPECT_THAT(service_.asked(), ElementsAre("classify spam for alice"));
}

TEST_F(HttpApiTest, AQueryNamesTheModel) {
  Ask("POST", "/classify?user=alice&model=a.org", "m");
  Ask("POST", "/feedback?model=a.org", R"({"label":"ham","id":"<a@b>","user":"eve"})");
  EXPECT_THAT(service_.asked(),
              ElementsAre("classify m for alice in a.org", "feedback ham a@b  for eve in a.org"));
}

TEST_F(HttpApiTest, Teaches) {
  EXPECT_EQ(Ask("POST", "/learn?label=spam&user=bob", "m").Json().at("result"), "new");
  EXPECT_EQ(Ask("POST", "/forget", "m").Json().at("result"), "forgotten");
  EXPECT_EQ(Ask("POST", "/feedback", R"({"label":"ham","id":"<a@b>","key":"k","user":"eve"})").status, 200);
  EXPECT_THAT(service_.asked(),
              ElementsAre("learn spam m for bob", "forget m for ", "feedback ham a@b k for eve"));
}

TEST_F(HttpApiTest, SaysWhatTeachingWouldMeet) {
  EXPECT_EQ(Ask("POST", "/foresee?label=ham&user=bob", "m").Json().at("known"), false);
  EXPECT_EQ(Ask("POST", "/foresee", "m").status, 400);
  EXPECT_EQ(Ask("GET", "/stats?recent=many").status, 400);
  EXPECT_THAT(service_.asked(), ElementsAre("foresee ham m for bob"));
}

TEST_F(HttpApiTest, ForgetsWhatWasTaught) {
  EXPECT_EQ(Ask("POST", "/taught?kind=document&user=bob", "m").Json().at("key"), "k");
  EXPECT_EQ(Ask("GET", "/taught?id=%3Ca%40b%3E&key=k").status, 400);
  const auto forgotten =
      Ask("POST", "/forget-taught?user=bob", R"({"messages":[{"id":"a@b","key":"k"},{"id":"","key":"l"}]})")
          .Json();
  EXPECT_EQ(forgotten.at("messages"), 2);
  EXPECT_EQ(forgotten.at("examples"), 7);
  EXPECT_EQ(Ask("POST", "/forget-taught?user=eve", R"({"all":true})").Json().at("spooled"), 2);
  EXPECT_THAT(service_.asked(), ElementsAre("find document m for bob", "find key a@b k for ",
                                            "forget these a@b k for bob", "forget all  for eve"));
  for (const char* body : {"", "{}", R"({"all":1})", R"({"messages":[{"id":"a@b"}]})", R"({"messages":[3]})"})
    EXPECT_EQ(Ask("POST", "/forget-taught", body).status, 400) << body;
}

TEST_F(HttpApiTest, TellsRefusalsFromWhatTheServiceSays) {
  const Peer stranger{.over_tcp = true, .name = "192.0.2.7"};
  const std::string host = "Host: 127.0.0.1:11334\r\n";
  EXPECT_EQ(Ask("POST", "/learn?label=ham", "m", host, stranger).refused, refused::kNoToken);
  EXPECT_EQ(Ask("POST", "/classify", "m", "Origin: http://example.org\r\n").refused, refused::kElsewhere);
  EXPECT_EQ(Ask("GET", "/nothing").refused, refused::kUnknown);
  EXPECT_EQ(Ask("POST", "/learn", "m").refused, refused::kMalformed);
  EXPECT_EQ(Ask("POST", "/classify", "m").refused, "");
  EXPECT_EQ(Ask("GET", "/taught?id=a&key=k").status, 400);
  EXPECT_EQ(Ask("GET", "/taught?id=a&key=k").refused, "");
}

TEST_F(HttpApiTest, SaysWhatItExpects) {
  EXPECT_EQ(Ask("POST", "/learn", "m").status, 400);
  EXPECT_EQ(Ask("POST", "/learn?label=eggs", "m").status, 400);
  for (const char* wrong : {"kind=zzz", "stream=maybe", "self_taught=1"})
    EXPECT_EQ(Ask("POST", std::string("/learn?label=ham&") + wrong, "m").status, 400) << wrong;
  for (const char* body : {"", "[]", "{", R"({"label":"ham"})", R"({"label":1,"id":"x"})", R"({"id":"x"})",
                           R"({"label":"ham","id":"x","user":17})", R"({"label":"ham","id":"x","key":[1]})",
                           R"({"label":"ham","id":"x","label":"spam"})"})
    EXPECT_EQ(Ask("POST", "/feedback", body).status, 400) << body;
  EXPECT_EQ(Ask("POST", "/explain?top=x", "m").status, 400);
  EXPECT_EQ(Ask("GET", "/classify").status, 405);
  EXPECT_THAT(Ask("GET", "/classify").header, HasSubstr("\r\nAllow: POST"));
  EXPECT_THAT(Ask("PUT", "/taught").header, HasSubstr("\r\nAllow: POST, GET, HEAD"));
  EXPECT_EQ(Ask("GET", "/nothing").status, 404);
  EXPECT_TRUE(service_.asked().empty());
}

// What JSON takes in memory is bounded.
TEST_F(HttpApiTest, JsonIsNeitherLongNorDeep) {
  const std::string deep(size_t{1} << 20, '[');
  const std::string long_text = R"({"label":"ham","id":")" + std::string(size_t{5} << 20, 'a') + "\"}";
  std::string wide = R"({"messages":[{})";
  while (wide.size() < size_t{3} << 20) wide += ",{}";
  for (const std::string path : {"/feedback", "/forget-taught"}) {
    EXPECT_EQ(Ask("POST", path, deep).status, 400) << path;
    EXPECT_EQ(Ask("POST", path, wide + "]}").status, 400) << path;
    EXPECT_EQ(Ask("POST", path, long_text).status, 413) << path;
  }
  EXPECT_EQ(Ask("POST", "/feedback", R"({"label":"ham","id":"a@b","more":[[[1]]]})").status, 400);
  EXPECT_TRUE(service_.asked().empty());
  EXPECT_EQ(Ask("POST", "/feedback", R"({"label":"ham","id":"[[[[\"[[","key":"k"})").status, 200);
}

TEST_F(HttpApiTest, ErrorsHaveTheirStatus) {
  service_.ready = tl::unexpected(Error{kBusy, "no model"});
  EXPECT_EQ(Ask("POST", "/classify", "m").status, 503);
  EXPECT_EQ(Ask("GET", "/ready").status, 503);
  EXPECT_EQ(Ask("GET", "/health").status, 200);
  service_.taught = tl::unexpected(Error{kNoInput, "unknown"});
  EXPECT_EQ(Ask("POST", "/learn?label=ham", "m").status, 404);
  service_.taught = tl::unexpected(Error{kIo, "the disk \"is\" full"});
  const Got full = Ask("POST", "/learn?label=ham", "m");
  EXPECT_EQ(full.status, 500);
  EXPECT_EQ(full.Json().at("error"), "the disk \"is\" full");
}

TEST_F(HttpApiTest, LooksIntoTheModel) {
  EXPECT_EQ(Ask("POST", "/explain?top=3", "m").Json().at("tokens")[0].at("contribution"), 0.5);
  EXPECT_THAT(service_.asked(), ElementsAre("explain 3 m for "));
  EXPECT_EQ(Ask("GET", "/counts").Json().at("needed").at("ham"), 8);
  EXPECT_EQ(Ask("GET", "/stats").Json().at("spam"), 1);
  EXPECT_THAT(Ask("GET", "/metrics").body, HasSubstr("\nthresher_ready 1\n"));
  EXPECT_EQ(Ask("GET", "/vocab?field=subject&top=2").Json().at("tokens"), "subject  spam ham 0 2");
  EXPECT_EQ(Ask("GET", "/vocab?top=-1").status, 400);
  EXPECT_EQ(Ask("GET", "/stat").Json().at("total_learns"), 3);
  EXPECT_EQ(Ask("HEAD", "/health").body, "");
}

TEST_F(HttpApiTest, SpeaksWithRspamc) {
  const nlohmann::json got = Ask("POST", "/checkv2", "listed spam", "Deliver-To: alice\r\n").Json();
  EXPECT_EQ(got.at("action"), "add header");
  EXPECT_NEAR(got.at("score").get<double>(), 8.4, 1e-9);
  EXPECT_EQ(got.at("symbols").at("THRESHER_SPAM").at("options").at(2), "listed=block:domain");
  EXPECT_EQ(Ask("POST", "/learnham", "m").Json().at("success"), true);
  EXPECT_EQ(Ask("GET", "/ping").body, "pong\r\n");
  EXPECT_THAT(service_.asked(), ElementsAre("classify listed spam for alice", "learn ham m for "));
}

TEST_F(HttpApiTest, ShowsThePageAndWhatItAsksFor) {
  const Got page = Ask("GET", "/", "", "Host: localhost\r\nSec-Fetch-Site: none\r\n");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.header, HasSubstr("Content-Type: text/html"));
  EXPECT_THAT(page.header,
              HasSubstr("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'"));
  EXPECT_THAT(page.header, HasSubstr("frame-ancestors 'none'"));
  // Every file that it names is there.
  const std::regex file("(?:src|href)=\"(/page/[^\"]+)\"");
  int files = 0;
  for (std::sregex_iterator each(page.body.begin(), page.body.end(), file), end; each != end; ++each, ++files)
    EXPECT_EQ(Ask("GET", (*each)[1]).status, 200) << (*each)[1];
  EXPECT_GT(files, 8);
  EXPECT_EQ(Ask("POST", "/").status, 404);

  Judged judged;
  judged.key = {"a@b", "k"};
  recent_.Add("spamd", "default", "Subject: x\n\n", judged, 0);
  history_.Judge(judged.key, Verdict::kHam, 1, UnixSeconds());
  const Peer owner{.is_owner = true};
  const auto json = [&](const std::string& target) { return Ask("GET", target, "", "", owner).Json(); };
  EXPECT_EQ(json("/recent").at("messages").size(), 1U);
  EXPECT_EQ(json("/recent?after=1").at("messages").size(), 0U);
  EXPECT_EQ(json("/history").at("steps").size(), 1U);
  EXPECT_EQ(json("/history").at("ready"), true);
  EXPECT_EQ(json("/explain?id=%3Ca%40b%3E&key=k&user=eve&top=2").at("tokens").size(), 1U);
  EXPECT_THAT(service_.asked(), ElementsAre("explain 2 a@b k for eve"));
  EXPECT_EQ(json("/weights?ids=00ff,1,1").at("asked"), 2);
  EXPECT_EQ(json("/vocab?class=ham&contains=x&skip=7").at("tokens"), " x ham 7 40");
  EXPECT_EQ(Ask("POST", "/doubt", "", "", owner).Json().at("running"), true);
  while (json("/doubt").at("running")) continue;
  EXPECT_TRUE(json("/doubt").at("found").is_object());
  EXPECT_EQ(Ask("GET", "/explain?id=a&key=unknown", "", "", owner).status, 404);
  for (const char* wrong : {"/recent?after=x", "/explain?id=a", "/weights?ids=xyz", "/weights?ids=1,,2",
                            "/vocab?class=eggs", "/vocab?skip=x"})
    EXPECT_EQ(Ask("GET", wrong, "", "", owner).status, 400) << wrong;
}

TEST_F(HttpApiTest, OneModelAtATimeIsSearchedForDoubts) {
  const Peer owner{.is_owner = true};
  directory_.Write("busy", "");
  EXPECT_EQ(Ask("POST", "/doubt?model=a.org", "", "", owner).Json().at("running"), true);
  EXPECT_EQ(Ask("POST", "/doubt?model=b.org", "", "", owner).status, 503);
  EXPECT_EQ(Ask("POST", "/doubt?model=a.org", "", "", owner).Json().at("running"), true);
  std::filesystem::remove(directory_ / "busy");
}

TEST_F(HttpApiTest, Reloads) {
  EXPECT_EQ(Ask("POST", "/reload", "", "", {.is_owner = true}).Json().at("result"), "reloaded");
  EXPECT_EQ(Ask("POST", "/reload").status, 401);
  EXPECT_EQ(reloads_, 1);
}

// Who may use a Unix socket may teach, and does not see the mail of others.
TEST_F(HttpApiTest, MailOfOthersIsForTheOwnerAndThoseWhoKnowTheToken) {
  api_.SetToken("secret");
  const std::vector<std::pair<const char*, const char*>> closed = {
      {"GET", "/recent"}, {"GET", "/explain?id=a&key=b"}, {"GET", "/doubt"}};
  for (const auto& [method, target] : closed) {
    EXPECT_EQ(Ask(method, target).status, 401) << target;
    EXPECT_EQ(Ask(method, target, "", "Authorization: Bearer secret\r\n").status, 200) << target;
    EXPECT_EQ(Ask(method, target, "", "", {.is_owner = true}).status, 200) << target;
    EXPECT_EQ(StatusOverTcp(method, target), 401) << target;
    EXPECT_EQ(StatusOverTcp(method, target, "Authorization: Bearer secret\r\n"), 200) << target;
  }
}

TEST_F(HttpApiTest, ChangesOfAClientAreLimited) {
  const Peer other{.name = "user 7"};
  std::set<std::string> refused;  // paths
  for (int i = 0; i < 200; ++i) {
    const std::string path = i % 2 == 0 ? "/learn?label=ham" : "/forget";
    const auto answer = Ask("POST", path, "m", "", other);
    if (answer.status != 429) continue;
    refused.insert(path);
    EXPECT_THAT(answer.header, HasSubstr("Retry-After: 1"));
  }
  EXPECT_EQ(refused.size(), 2U);
  EXPECT_LT(service_.asked().size(), 200U);
  // Guesses of the token as well.
  const Peer stranger{.over_tcp = true, .name = "127.0.0.1"};
  std::set<int> statuses;
  for (int i = 0; i < 200; ++i)
    statuses.insert(Ask("GET", "/stats", "", "Host: localhost\r\n", stranger).status);
  EXPECT_THAT(statuses, ElementsAre(401, 429));
  // What changes nothing is not limited, nor is anybody else.
  EXPECT_EQ(Ask("POST", "/classify", "m", "", other).status, 200);
  EXPECT_EQ(Ask("POST", "/learn?label=ham", "m", "", {.name = "user 8"}).status, 200);
  // Nor is who has the token at the same address.
  api_.SetToken("secret");
  const std::string with_token = "Host: localhost\r\nAuthorization: Bearer secret\r\n";
  EXPECT_EQ(Ask("POST", "/learn?label=ham", "m", with_token, stranger).status, 200);
}

TEST_F(HttpApiTest, OverTcpTheModelIsForThoseWhoKnowTheToken) {
  const std::vector<std::pair<const char*, const char*>> closed = {{"POST", "/learn?label=ham"},
                                                                   {"POST", "/forget"},
                                                                   {"POST", "/feedback"},
                                                                   {"POST", "/explain"},
                                                                   {"GET", "/stats"},
                                                                   {"GET", "/vocab"},
                                                                   {"POST", "/learnspam"},
                                                                   {"POST", "/learnham"},
                                                                   {"GET", "/stat"},
                                                                   {"GET", "/weights?ids=1"},
                                                                   {"GET", "/history"},
                                                                   {"POST", "/taught"},
                                                                   {"POST", "/forget-taught"},
                                                                   {"POST", "/foresee?label=ham"}};
  for (const auto& [method, target] : closed) {
    EXPECT_EQ(StatusOverTcp(method, target), 401) << target;
    EXPECT_EQ(StatusOverTcp(method, target, "Authorization: Bearer \r\n"), 401) << target;  // there is none
  }
  api_.SetToken("secret");
  for (const auto& [method, target] : closed) {
    EXPECT_EQ(StatusOverTcp(method, target, "Authorization: Bearer secre\r\n"), 401) << target;
    EXPECT_EQ(StatusOverTcp(method, target, "Authorization: Bearer secrets\r\n"), 401) << target;
    EXPECT_NE(StatusOverTcp(method, target, "Authorization: Bearer secret\r\n"), 401) << target;
    EXPECT_NE(StatusOverTcp(method, target, "Password: secret\r\n"), 401) << target;
  }
  for (const char* open : {"/classify", "/checkv2"}) EXPECT_EQ(StatusOverTcp("POST", open), 200) << open;
  for (const char* open : {"/health", "/ready", "/metrics", "/ping"})
    EXPECT_EQ(StatusOverTcp("GET", open), 200) << open;
}

TEST_F(HttpApiTest, PagesFromElsewhereMayNotAsk) {
  const auto status = [&](const std::string& headers) {
    return Ask("POST", "/learn?label=ham", "m", headers).status;
  };
  EXPECT_EQ(status("Host: localhost\r\nOrigin: https://evil.example\r\n"), 403);
  EXPECT_EQ(status("Host: localhost\r\nOrigin: null\r\n"), 403);
  EXPECT_EQ(status("Host: localhost\r\nSec-Fetch-Site: cross-site\r\n"), 403);
  EXPECT_EQ(status("Host: localhost:80\r\nOrigin: http://localhost:80\r\nSec-Fetch-Site: same-origin\r\n"),
            200);
  for (const bool over_tcp : {true, false}) {
    const auto asked_as = [&](const std::string& host) {
      return Ask("POST", "/classify", "m", "Host: " + host + "\r\n", {.over_tcp = over_tcp});
    };
    for (const char* name : {"evil.example:11334", "127.evil.example", "127.0.0.1.evil.example:80"})
      EXPECT_THAT(asked_as(name).body, HasSubstr("the header Host is")) << name;  // a name that leads here
    for (const char* own : {"localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:1", ""})
      EXPECT_EQ(asked_as(own).status, 200) << own;
  }
}

}  // namespace
}  // namespace thresher::pipeline
