// HTTP/1.1: reads requests, has HttpApi answer them, writes responses. Several requests may follow each
// other.
//
// Made by daemon.cc for each connection. Thread-safety: that of Session.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/serve/http_api.h"
#include "pipeline/serve/http_parser.h"
#include "pipeline/serve/session.h"

namespace thresher::pipeline {

class HttpSession final : public Session {
 public:
  // `api` must outlive it. A body may have so many bytes.
  HttpSession(HttpApi& api, Peer peer, size_t most_bytes)
      : api_(&api), peer_(std::move(peer)), parser_(most_bytes) {}

  size_t Take(std::string_view bytes) override { return parser_.Take(bytes); }
  void TakeEnd() override { parser_.TakeEnd(); }
  bool HasRequest() const override { return parser_.is_done(); }
  bool IsAtRest() const override { return parser_.IsAtRest(); }
  size_t Held(size_t taken) const override { return std::max(taken, parser_.body_bytes()); }
  void Respond(std::function<void(Response)> done) override;
  std::string TakeInterim() override;
  std::string Refusal(Trouble trouble) override;

 private:
  HttpApi* api_;
  Peer peer_;
  HttpParser parser_;
};

}  // namespace thresher::pipeline
