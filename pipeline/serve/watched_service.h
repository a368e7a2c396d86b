// A service whose requests are logged, counted and remembered for the page, for the clients of one protocol.
//
// Between the sessions of a protocol and Models. Made by daemon.cc. Thread-safety: that of Service;
// NoteRefused from any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/serve/counters.h"
#include "pipeline/serve/event_log.h"
#include "pipeline/serve/history.h"
#include "pipeline/serve/line_rate.h"
#include "pipeline/serve/peer.h"
#include "pipeline/serve/recent_verdicts.h"
#include "pipeline/serve/service.h"

namespace thresher::pipeline {

class WatchedService final : public Service {
 public:
  // All must outlive it.
  WatchedService(std::string protocol, Service& service, EventLog& log, RecentVerdicts& recent,
                 History& history)
      : protocol_(std::move(protocol)),
        service_(&service),
        log_(&log),
        recent_(&recent),
        history_(&history) {}

  Result<Judged> Classify(std::string_view message, const Whose& whose) override;
  void Learn(std::string_view message, const Whose& whose, const Instruction& how, OnTaught done) override;
  void Feedback(const Reply& reply, const Whose& whose, OnTaught done) override;
  void Forget(std::string_view message, const Whose& whose, OnForgotten done) override;
  void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                   OnAllForgotten done) override;
  void ForgetAllOf(const Whose& whose, OnAllForgotten done) override;
  // What changes nothing and is not frequent is neither logged nor counted.
  void Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) override {
    service_->Explain(message, whose, top, std::move(done));
  }
  void FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind, OnKey done) override {
    service_->FindTaught(message, whose, kind, std::move(done));
  }
  void FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) override {
    service_->FindTaught(named, whose, std::move(done));
  }
  void ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                   OnExplanation done) override {
    service_->ExplainKept(key, whose, top, std::move(done));
  }
  void Vocabulary(const VocabularyQuery& query, const Whose& whose, OnJson done) override {
    service_->Vocabulary(query, whose, std::move(done));
  }
  void Weights(const std::vector<uint64_t>& ids, const Whose& whose, OnJson done) override {
    service_->Weights(ids, whose, std::move(done));
  }
  void Counts(const Whose& whose, OnCounts done) override { service_->Counts(whose, std::move(done)); }
  void Foresee(std::string_view message, const Whose& whose, const Instruction& how, OnJson done) override {
    service_->Foresee(message, whose, how, std::move(done));
  }
  void Statistics(uint64_t recent, const Whose& whose, OnJson done) override {
    service_->Statistics(recent, whose, std::move(done));
  }
  Result<std::string> ModelOf(const Whose& whose) const override { return service_->ModelOf(whose); }
  Result<void> Ready() const override { return service_->Ready(); }

  // A client's request was refused before the service was asked; why: session.h.
  void NoteRefused(const Peer& client, std::string_view why);

  const std::string& protocol() const { return protocol_; }
  const Counters& counters() const { return counters_; }

 private:
  // A Whose that stays, for the log: what a client sent as a name may have any length.
  struct Named {
    static constexpr size_t kMostBytes = 128;
    explicit Named(const Whose& whose)
        : user(whose.user.substr(0, kMostBytes)), model(whose.model.substr(0, kMostBytes)) {}

    std::string user;
    std::string model;
  };
  OnTaught Watched(std::string_view event, const Whose& whose, Label label, OnTaught done);
  OnAllForgotten WatchedForgetting(const Whose& whose, std::string keys, OnAllForgotten done);
  void LogFailure(std::string_view event, const Named& named, const Error& error);

  std::string protocol_;
  Service* service_;
  EventLog* log_;
  RecentVerdicts* recent_;
  History* history_;
  Counters counters_;
  LineRate refused_lines_;
  LineRate failed_lines_;
};

}  // namespace thresher::pipeline
