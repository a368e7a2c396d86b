// The spamd protocol: what spamc, and mail systems that know SpamAssassin, speak.
//
// docs/serve.md says what each command answers. A connection serves one request; what follows it is not
// read. Made by daemon.cc for each connection. Thread-safety: that of Session.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/serve/inflate.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/session.h"
#include "pipeline/serve/spamd_parser.h"
#include "tokenizer/own_marks.h"

namespace thresher::pipeline {

class SpamdSession final : public Session {
 public:
  struct Rules {
    bool may_teach = false;
    size_t message_bytes = 0;  // of the largest message
    tokenizer::OwnMarks marks = {};
    std::function<bool()> may_change_now = [] { return true; };  // asked once for each change (ChangeRate)
  };
  SpamdSession(Service& service, Rules rules)
      : service_(&service), rules_(std::move(rules)), parser_(rules_.message_bytes) {}

  size_t Take(std::string_view bytes) override;
  void TakeEnd() override;
  bool HasRequest() const override { return parser_.is_done(); }
  size_t Held(size_t taken) const override { return parser_.is_done() ? request_.message.size() : taken; }
  void Respond(std::function<void(Response)> done) override;
  std::string Refusal(Trouble trouble) override;

 private:
  void ReadyRequest();
  void Classify(const SpamdRequest& request, std::function<void(Response)> done);
  void Report(const SpamdRequest& request, const Judged& judged, std::function<void(Response)> done);
  void Tell(const SpamdRequest& request, std::function<void(Response)> done);

  Service* service_;
  Rules rules_;
  SpamdParser parser_;
  SpamdRequest request_;                     // when the parser is done; its message is not compressed
  std::optional<NotInflated> not_inflated_;  // the message
};

}  // namespace thresher::pipeline
