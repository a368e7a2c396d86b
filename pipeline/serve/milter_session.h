// The milter protocol, which Postfix and Sendmail speak: each message gets the header that `filter` writes,
// forged ones are removed, and by settings spam is refused or put aside.
//
// Whatever fails here, the message is accepted, unless filter.on_error says that the sender shall try again.
// Made by the daemon for each connection. Thread-safety: one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/serve/milter_parser.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/session.h"
#include "pipeline/settings/serve_settings.h"
#include "tokenizer/own_marks.h"

namespace thresher::pipeline {

class MilterSession final : public Session {
 public:
  struct Rules {
    MilterSettings settings = {};
    std::string models = "one";  // serve.models
    bool tempfail = false;       // on an error
    size_t message_bytes = 0;    // of the largest message that is judged
    tokenizer::OwnMarks marks = {};
  };
  // Those of the moment. They may change between messages, but for the size, as a connection may be open for
  // hours.
  using RulesNow = std::function<std::shared_ptr<const Rules>()>;
  MilterSession(Service& service, RulesNow rules_now)
      : service_(&service), rules_now_(std::move(rules_now)), parser_(rules_now_()->message_bytes) {}

  size_t Take(std::string_view bytes) override { return parser_.Take(bytes); }
  void TakeEnd() override { parser_.TakeEnd(); }
  bool HasRequest() const override { return parser_.request() != MilterParser::Request::kNone; }
  void Respond(std::function<void(Response)> done) override;
  bool IsAtRest() const override { return parser_.IsAtRest(); }
  size_t Held(size_t) const override { return parser_.held(); }
  bool IsPatient() const override { return true; }
  // A server that gets no answer does what it is configured to do.
  std::string Refusal(Trouble) override { return {}; }

 private:
  Response Agree();
  std::string Judge();
  std::string AnswerTo(const Judged& judged, const Rules& rules) const;

  Service* service_;
  RulesNow rules_now_;
  MilterParser parser_;
  bool may_quarantine_ = false;  // as it was agreed when the connection began
};

}  // namespace thresher::pipeline
