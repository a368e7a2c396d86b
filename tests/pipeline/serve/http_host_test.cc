// Names of this machine that HTTP requests may have: serve.remote allows others, over TCP only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "pipeline/serve/http_session.h"
#include "tests/pipeline/serve/toy_service.h"

namespace thresher::pipeline {
namespace {

TEST(HttpHost, OtherNamesAreForClientsOverTcp) {
  ToyService service;
  HttpApi api(service, {.remote = true,
                        .figures = nullptr,
                        .reload = nullptr,
                        .recent = nullptr,
                        .history = nullptr,
                        .doubt = nullptr,
                        .changes = nullptr,
                        .guesses = nullptr});
  const auto status = [&](const std::string& host, bool over_tcp) {
    HttpSession session(api, {.over_tcp = over_tcp}, 1000);
    session.Take("GET /health HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    std::string answer;
    session.Respond([&](const Response& response) { answer = response.bytes.substr(9, 3); });
    return answer;
  };
  EXPECT_EQ(status("mail.example.org", true), "200");
  EXPECT_EQ(status("mail.example.org", false), "403");
  EXPECT_EQ(status("localhost", false), "200");
}

}  // namespace
}  // namespace thresher::pipeline
