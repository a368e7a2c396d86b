// A service whose requests are logged, counted and remembered for the page, for the clients of one protocol.
//
// Between the sessions of a protocol and the ModelService. Thread-safety: that of Service.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/serve/counters.h"
#include "pipeline/serve/event_log.h"
#include "pipeline/serve/history.h"
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

  Result<Judged> Classify(std::string_view message, std::string_view user) override;
  void Learn(std::string_view message, std::string_view user, const Instruction& how, OnTaught done) override;
  void Feedback(const Reply& reply, std::string_view user, OnTaught done) override;
  void Forget(std::string_view message, std::string_view user, OnForgotten done) override;
  void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, std::string_view user,
                   OnAllForgotten done) override;
  void ForgetAllOf(std::string_view user, OnAllForgotten done) override;
  // What changes nothing and is not frequent is neither logged nor counted.
  void Explain(std::string_view message, std::string_view user, size_t top, OnExplanation done) override {
    service_->Explain(message, user, top, std::move(done));
  }
  void FindTaught(std::string_view message, std::string_view user, tokenizer::Kind kind,
                  OnKey done) override {
    service_->FindTaught(message, user, kind, std::move(done));
  }
  void FindTaught(const tokenizer::MessageKey& named, std::string_view user, OnKey done) override {
    service_->FindTaught(named, user, std::move(done));
  }
  void ExplainKept(const tokenizer::MessageKey& key, std::string_view user, size_t top,
                   OnExplanation done) override {
    service_->ExplainKept(key, user, top, std::move(done));
  }
  void Vocabulary(const VocabularyQuery& query, OnJson done) override {
    service_->Vocabulary(query, std::move(done));
  }
  void Weights(const std::vector<uint64_t>& ids, OnJson done) override {
    service_->Weights(ids, std::move(done));
  }
  void Counts(OnCounts done) override { service_->Counts(std::move(done)); }
  void Foresee(std::string_view message, std::string_view user, const Instruction& how,
               OnJson done) override {
    service_->Foresee(message, user, how, std::move(done));
  }
  void Statistics(uint64_t recent, OnJson done) override { service_->Statistics(recent, std::move(done)); }
  Result<void> Ready() const override { return service_->Ready(); }

  const std::string& protocol() const { return protocol_; }
  const Counters& counters() const { return counters_; }

 private:
  OnTaught Watched(std::string_view event, std::string_view user, Label label, OnTaught done);
  OnAllForgotten WatchedForgetting(std::string_view user, OnAllForgotten done);
  void LogFailure(std::string_view event, std::string_view user, const Error& error);

  std::string protocol_;
  Service* service_;
  EventLog* log_;
  RecentVerdicts* recent_;
  History* history_;
  Counters counters_;
};

}  // namespace thresher::pipeline
