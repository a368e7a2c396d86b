// What each path of the HTTP interface does: docs/serve.md lists them.
//
// Called by HttpSession. It does no I/O and knows no connection. Thread-safety: any threads.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "pipeline/serve/change_rate.h"
#include "pipeline/serve/doubt_run.h"
#include "pipeline/serve/history.h"
#include "pipeline/serve/http_parser.h"
#include "pipeline/serve/metrics.h"
#include "pipeline/serve/recent_verdicts.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/session.h"

namespace thresher::pipeline {

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string_view refused = {};  // Response::refused
  std::string allow = {};         // the methods that the path takes, where the request has another one

  // A refusal with {"error": WHY}.
  static HttpResponse Problem(int status, std::string_view why);
};

class HttpApi {
 public:
  // What belongs to the daemon, and must outlive it.
  struct Rules {
    bool remote = false;  // clients over TCP may know this machine by other names than loopback's
    std::function<DaemonFigures()> figures;
    std::function<Result<void>()> reload;
    const RecentVerdicts* recent;
    const History* history;
    DoubtRun* doubt;
    ChangeRate* changes;
    ChangeRate* guesses;  // requests without the token that they need
    // Models::DescribeLog
    std::function<void(const Whose&, std::function<void(const Result<LogDescription>&)>)> describe_log =
        nullptr;
  };
  // `service` must outlive it.
  HttpApi(Service& service, Rules rules) : service_(&service), rules_(std::move(rules)) {}

  // Who knows it may change the model, see what it learned, and see mail of others; empty: nobody does.
  void SetToken(std::string token);

  // Calls done once, in any thread, perhaps before it returns.
  using OnResponse = std::function<void(const HttpResponse&)>;
  void Answer(const HttpRequest& request, const Peer& peer, const OnResponse& done);

 private:
  bool KnowsToken(const HttpRequest& request) const;

  Service* service_;
  Rules rules_;
  mutable std::mutex mutex_;  // of token_
  std::string token_;
};

}  // namespace thresher::pipeline
