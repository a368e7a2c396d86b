// The service of one model: judges in the calling thread, teaches in the model's.
//
// Made by the daemon. Thread-safety: that of Service; Reload from any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "pipeline/delivery/sender_lists.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/serve/model_thread.h"
#include "pipeline/serve/scoring_seats.h"
#include "pipeline/serve/service.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

class ModelService final : public Service {
 public:
  // Opens the model that `settings` name, or makes it, in a thread of its own. on_change: see ModelThread.
  ModelService(const Settings& settings, std::function<void(const Result<void>&)> on_change);

  Result<Judged> Classify(std::string_view message, std::string_view user) override;
  void Learn(std::string_view message, std::string_view user, const Instruction& how, OnTaught done) override;
  void Feedback(const Reply& reply, std::string_view user, OnTaught done) override;
  void Forget(std::string_view message, std::string_view user, OnForgotten done) override;
  void Explain(std::string_view message, std::string_view user, size_t top, OnJson done) override;
  void Vocabulary(std::string_view field, size_t top, OnJson done) override;
  void Statistics(OnJson done) override;
  void Counts(OnJson done) override;
  Result<void> Ready() const override { return thread_.Ready(); }

  // From now on requests are handled by these settings. Which model it is does not change.
  void Reload(const Settings& settings);
  // Verdicts from now on. Any thread.
  void SetLists(SenderLists lists);
  void AwaitFirstOpening() { thread_.AwaitFirstOpening(); }
  // Jobs that wait for the model.
  size_t waiting() const { return thread_.waiting(); }
  // Finishes what was begun; see ModelThread.
  Result<void> Stop() { return thread_.Stop(); }

 private:
  struct Asked;  // a message, ready to be scored or taught
  struct Teaching;

  std::shared_ptr<const Settings> settings() const;
  std::shared_ptr<const SenderLists> lists() const;
  Result<void> OnOpen(Model& model);
  Result<Asked> Prepare(std::string_view message, std::string_view user,
                        tokenizer::Kind kind = tokenizer::Kind::kMail);
  void Teach(const std::shared_ptr<Teaching>& teaching);

  mutable std::mutex mutex_;  // of settings_ and lists_
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const SenderLists> lists_ = std::make_shared<SenderLists>();
  ScoringSeats seats_;
  ModelThread thread_;  // last: it calls OnOpen
};

}  // namespace thresher::pipeline
