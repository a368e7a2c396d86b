// The service of one model: judges in the calling thread, teaches in the model's.
//
// Its database is opened at once, or when something is asked that its score image cannot answer: an image can
// judge, if it is of all that was taught. Made by Models. Thread-safety: that of Service; Reload from any
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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
#include "pipeline/serve/beside_models.h"
#include "pipeline/serve/history.h"
#include "pipeline/serve/model_thread.h"
#include "pipeline/serve/scoring_seats.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/shared_log.h"
#include "pipeline/serve/weight_series.h"
#include "pipeline/settings/settings.h"
#include "storage/log_note.h"

namespace thresher::pipeline {

// The log that a model follows; null if it follows none.
struct LogToFollow {
  std::unique_ptr<OrderedLog> log = nullptr;
  // SharedLog::Hooks
  std::function<void(const LogFigures&)> on_change = nullptr;
  std::shared_ptr<std::atomic<size_t>> followed = std::make_shared<std::atomic<size_t>>(0);
};

// The file with what such a model was taught and the log may not have. Not in the model's folder: a copy of
// that is another author (outbox.h).
std::filesystem::path OutboxOf(const Settings& settings);
// How many messages wait there: of this model, or of one that had its name before.
Result<size_t> WaitingInOutboxOf(const Settings& settings);

// A daemon makes a model, but no store: its path may have been mistyped, and mail would then be Unsure for
// good. kNoInput.
Result<void> CheckStoreExists(const Settings& settings);

// The settings of a service that is told `next`: which model it is, and what it follows, stays as it is
// `now`.
Settings WithWhatStays(Settings next, const Settings& now);

class ModelService final : public Service {
 public:
  struct Parts {
    History* history = nullptr;  // hears of the model's size; must outlive the service
    LogToFollow shared = {};
    std::shared_ptr<BesideModels> beside = std::make_shared<BesideModels>();
    // Asked before the database is opened, which is then done when it is needed. An error: not now. Null: it
    // is opened at once.
    std::function<Result<void>()> may_open = nullptr;
    std::chrono::milliseconds until_checkpoint = ModelThread::Hooks().until_checkpoint;
  };
  // Of the model that `settings` name. It is opened, or made, in a thread of its own. on_change: see
  // ModelThread.
  ModelService(const Settings& settings, std::function<void(const Result<void>&)> on_change, Parts parts);
  ~ModelService() override;

  Result<Judged> Classify(std::string_view message, const Whose& whose) override;
  void Learn(std::string_view message, const Whose& whose, const Instruction& how, OnTaught done) override;
  void Feedback(const Reply& reply, const Whose& whose, OnTaught done) override;
  void Forget(std::string_view message, const Whose& whose, OnForgotten done) override;
  void FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind, OnKey done) override;
  void FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) override;
  void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                   OnAllForgotten done) override;
  void ForgetAllOf(const Whose& whose, OnAllForgotten done) override;
  void Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) override;
  void ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                   OnExplanation done) override;
  void Vocabulary(const VocabularyQuery& query, const Whose& whose, OnJson done) override;
  void Weights(const std::vector<uint64_t>& ids, const Whose& whose, OnJson done) override;
  void Statistics(uint64_t recent, const Whose& whose, OnJson done) override;
  void Counts(const Whose& whose, OnCounts done) override;
  void Foresee(std::string_view message, const Whose& whose, const Instruction& how, OnJson done) override;
  // The one that it is.
  Result<std::string> ModelOf(const Whose& whose) const override;
  Result<void> Ready() const override;

  // From now on requests are handled by these settings. Which model it is does not change.
  void Reload(const Settings& settings);
  // Verdicts from now on. Any thread.
  void SetLists(std::shared_ptr<const SenderLists> lists);
  // REQUIRES: it is opened at once.
  bool AwaitFirstOpening(std::chrono::milliseconds patience) { return thread_->AwaitFirstOpening(patience); }
  // Nothing if the model follows no log.
  std::optional<LogFigures> Log() const;
  // kNoInput if the model follows no log.
  void DescribeLog(std::function<void(const Result<LogDescription>&)> done);
  // Jobs that wait for the model.
  size_t waiting() const;
  // Waits until all that was asked is answered; not long, also if the log cannot be reached.
  void Settle();
  // Whether the log has all that the model was taught here, within this time. Opens it. REQUIRES: it follows
  // one.
  bool Deliver(std::chrono::milliseconds patience);
  // Whether it is time to ask the log, since this model judges by its image. Not again soon after it said so.
  bool IsAskDue();
  // Opens the model if its log has another last record than the image; not if the log cannot be reached.
  // REQUIRES: it follows one.
  void AskLog();
  // ModelThread's.
  void BeginStop();
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
  static Result<std::string> UserOf(const Whose& whose, const Settings& settings);
  // For requests that change nothing.
  static Whose ToJudge(const Whose& whose);
  // Judges by the score image, if that is of all that the model was taught, as far as the log was known when
  // it was closed. REQUIRES: image_mutex_.
  void OpenImage();
  // Who judges by an image holds no lock, so that others may write to the model. When they have closed it,
  // there is a newer image.
  void RenewImage();
  // Begins to open the model, if that has not begun.
  Result<ModelThread*> Thread();
  void Post(ModelThread::Job job);
  // Waits for the model to be opened for the first time, but not for long.
  Result<void> AwaitModel();
  Result<void> OnOpen(Model& model);
  void NoteSize(size_t bytes);
  Result<Asked> Prepare(std::string_view message, const Whose& whose,
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
  // What is shown over time, when what was taught is checkpointed.
  Result<void> Sample(Model& model);
  // Looks through the model as it is now, in a thread that does nothing else.
  using Look = std::function<Result<nlohmann::ordered_json>(const Inspection&)>;
  void LookThrough(Look look, const OnJson& done);

  // Tokens whose weights are shown over time. Looks may outlive the service.
  struct WatchedWeights {
    std::mutex mutex;
    WeightSeries series;

    void WatchFromNow(const std::vector<VocabularyLine>& listed);
  };

  mutable std::mutex mutex_;  // of settings_ and lists_
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const SenderLists> lists_ = std::make_shared<SenderLists>();
  std::function<void(const Result<void>&)> on_change_;
  std::function<Result<void>()> may_open_;
  std::chrono::milliseconds until_checkpoint_;
  std::shared_ptr<BesideModels> beside_;
  ScoringSeats seats_;
  std::mutex image_mutex_;  // of what follows; held to replace seats
  std::atomic<bool> judges_by_image_ = false;
  storage::LogNoteStamp image_stamp_;                            // of the image
  uint64_t image_position_ = 0;                                  // the last record of the log that it has
  std::atomic<std::chrono::steady_clock::duration> asked_ = {};  // the log; 0: never
  History* history_;
  std::shared_ptr<WatchedWeights> watched_ = std::make_shared<WatchedWeights>();
  // Of the model's thread.
  std::shared_ptr<const LiveScorer> live_;
  size_t noted_bytes_ = 0;                 // part of beside_->memory_bytes
  std::unique_ptr<SharedLog> shared_log_;  // null if the model follows no log
  std::mutex opening_mutex_;               // of begun_; held while room for the model is awaited
  std::chrono::steady_clock::time_point begun_;
  mutable std::mutex thread_mutex_;  // of what follows; taken after opening_mutex_
  bool is_stopped_ = false;
  std::unique_ptr<ModelThread> thread_;  // null until it is needed; last: it calls OnOpen
};

}  // namespace thresher::pipeline
