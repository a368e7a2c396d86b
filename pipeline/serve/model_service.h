// The service of one model: judges in the calling thread, teaches in the model's.
//
// Made by the daemon. Thread-safety: that of Service; Reload from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/answers/vocabulary.h"
#include "pipeline/delivery/sender_lists.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/serve/history.h"
#include "pipeline/serve/look_thread.h"
#include "pipeline/serve/model_thread.h"
#include "pipeline/serve/scoring_seats.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/shared_log.h"
#include "pipeline/serve/spool_writer.h"
#include "pipeline/serve/weight_series.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// The log that a model follows; null if it follows none.
struct LogToFollow {
  std::unique_ptr<OrderedLog> log = nullptr;
  std::function<void(const LogFigures&)> on_change = nullptr;  // SharedLog::Hooks
};

class ModelService final : public Service {
 public:
  // Opens the model that `settings` name, or makes it, in a thread of its own. on_change: see ModelThread.
  // history, if there is one, hears of the model's size and must outlive it.
  ModelService(const Settings& settings, std::function<void(const Result<void>&)> on_change,
               History* history = nullptr, LogToFollow shared = {});
  ~ModelService() override;

  Result<Judged> Classify(std::string_view message, std::string_view user) override;
  void Learn(std::string_view message, std::string_view user, const Instruction& how, OnTaught done) override;
  void Feedback(const Reply& reply, std::string_view user, OnTaught done) override;
  void Forget(std::string_view message, std::string_view user, OnForgotten done) override;
  void FindTaught(std::string_view message, std::string_view user, tokenizer::Kind kind, OnKey done) override;
  void FindTaught(const tokenizer::MessageKey& named, std::string_view user, OnKey done) override;
  void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, std::string_view user,
                   OnAllForgotten done) override;
  void ForgetAllOf(std::string_view user, OnAllForgotten done) override;
  void Explain(std::string_view message, std::string_view user, size_t top, OnExplanation done) override;
  void ExplainKept(const tokenizer::MessageKey& key, std::string_view user, size_t top,
                   OnExplanation done) override;
  void Vocabulary(const VocabularyQuery& query, OnJson done) override;
  void Weights(const std::vector<uint64_t>& ids, OnJson done) override;
  void Statistics(uint64_t recent, OnJson done) override;
  void Counts(OnCounts done) override;
  void Foresee(std::string_view message, std::string_view user, const Instruction& how, OnJson done) override;
  Result<void> Ready() const override { return thread_.Ready(); }

  // From now on requests are handled by these settings. Which model it is does not change.
  void Reload(const Settings& settings);
  // Verdicts from now on. Any thread.
  void SetLists(SenderLists lists);
  bool AwaitFirstOpening(std::chrono::milliseconds patience) { return thread_.AwaitFirstOpening(patience); }
  // Nothing if the model follows no log.
  std::optional<LogFigures> Log() const;
  // kNoInput if the model follows no log.
  void DescribeLog(std::function<void(const Result<LogDescription>&)> done);
  // Jobs that wait for the model.
  size_t waiting() const { return thread_.waiting(); }
  // Finishes what was begun; see ModelThread.
  Result<void> Stop();

 private:
  // A message that a client sent, ready to be scored or taught.
  struct Asked {
    std::shared_ptr<const Settings> settings;
    ScoringSeats::Taken seat;  // its judge has read the message

    const tokenizer::MessageKeys& keys() const { return seat->judge.keys(); }
    tokenizer::Features TakeFeatures() const { return std::move(seat->judge.features()); }
  };
  struct MessageToTeach;

  std::shared_ptr<const Settings> settings() const;
  std::shared_ptr<const SenderLists> lists() const;
  static Result<std::string> UserOf(std::string_view named, const Settings& settings);
  Result<void> OnOpen(Model& model);
  Result<Asked> Prepare(std::string_view message, std::string_view user,
                        tokenizer::Kind kind = tokenizer::Kind::kMail);
  void Teach(const std::shared_ptr<MessageToTeach>& message);
  void TeachByLog(const std::shared_ptr<MessageToTeach>& message);
  Result<void> SubmitToLog(const std::shared_ptr<MessageToTeach>& message, Model& model);
  struct ToForget;
  void ForgetByLog(std::function<Result<ToForget>(Model&)> find, OnAllForgotten done);
  void SubmitToForget(const ToForget& meant, OnAllForgotten done);
  // With what waits for it under this Message-ID, as keys have it.
  Spool SpoolWith(std::string_view message_id, const Settings& settings, const Model& model);
  // With all that waits for it.
  Spool WholeSpool(const Settings& settings, const Model& model);
  // What is shown over time, once a minute.
  Result<void> Sample(Model& model);
  void WatchFromNow(const std::vector<VocabularyLine>& listed);
  // Looks through the model as it is now, in a thread that does nothing else.
  using Look = std::function<Result<std::string>(const Inspection&)>;
  void LookThrough(Look look, const OnJson& done);

  mutable std::mutex mutex_;  // of settings_ and lists_
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const SenderLists> lists_ = std::make_shared<SenderLists>();
  ScoringSeats seats_;
  SpoolWriter spool_writer_;
  History* history_;
  std::mutex series_mutex_;  // of series_
  WeightSeries series_;
  LookThread looks_;
  // Of the model's thread.
  std::shared_ptr<const LiveScorer> live_;
  int64_t sampled_ = 0;                    // seconds since 1970
  std::unique_ptr<SharedLog> shared_log_;  // null if the model follows no log
  ModelThread thread_;                     // last: it calls OnOpen
};

}  // namespace thresher::pipeline
