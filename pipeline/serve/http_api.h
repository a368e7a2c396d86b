// What each path of the HTTP interface does: docs/serve.md lists them.
//
// Called by HttpSession. It does no I/O and knows no connection. Thread-safety: any threads.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "pipeline/serve/http_parser.h"
#include "pipeline/serve/metrics.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/session.h"

namespace thresher::pipeline {

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;

  // {"error": WHY}
  static HttpResponse Problem(int status, std::string_view why);
};

class HttpApi {
 public:
  struct Rules {
    bool remote = false;  // clients may know this machine by other names than loopback's
    std::function<DaemonFigures()> figures;
  };
  // `service` must outlive it.
  HttpApi(Service& service, Rules rules) : service_(&service), rules_(std::move(rules)) {}

  // Over TCP nobody may change the model or see what it learned but who knows this token; empty: nobody.
  void SetToken(std::string token);

  // Calls done once, in any thread, perhaps before it returns.
  using OnResponse = std::function<void(const HttpResponse&)>;
  void Answer(const HttpRequest& request, const Peer& peer, OnResponse done);

 private:
  bool KnowsToken(const HttpRequest& request) const;

  Service* service_;
  Rules rules_;
  mutable std::mutex mutex_;  // of token_
  std::string token_;
};

}  // namespace thresher::pipeline
