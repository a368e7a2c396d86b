// The models of a daemon: gives each request to the service of its model.
//
// A daemon with one model has it open all the time. One with many opens a model when it is first asked for,
// and closes those that were not used for longest while the open ones are above the budget of serve.* in
// number or memory. A model is in one of these states:
//
//   closed   no more than files
//   image    judges by its score image, which is what it was taught when it was closed: no thread, no open
//            file. So are models that nobody teaches, here or, if they follow a log, on another node
//   open     its database is open; from the first request that an image cannot answer, and at once if the
//            image is missing or the model was not closed in order
//   closing  what was begun is finished, and a checkpoint made; who asks for it meanwhile waits
//
// Only open models read the log that they follow. Of one that judges by its image, the log is asked for its
// last record, behind a message and once a second at most: if it has another one than the image, the model is
// opened. What the log does not have yet when a model is closed is delivered later: it is opened again for
// that.
//
// What a model acknowledged is on disk, whatever becomes of the daemon. A model that cannot be opened costs
// its own requests. Used by WatchedService, made by the daemon. Thread-safety: that of Service; SetLists,
// Reload and figures from any thread, the others from the thread that made it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/serve/beside_models.h"
#include "pipeline/serve/model_figures.h"
#include "pipeline/serve/model_service.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/working_thread.h"

namespace thresher::pipeline {

// The logs that the models follow; null if they follow none.
struct LogsToFollow {
  Logs logs = nullptr;
  std::function<void(const LogFigures&)> on_change = nullptr;  // SharedLog::Hooks
};

class Models final : public Service {
 public:
  struct Hooks {
    // The model in this folder begins to be ready, or not to be; in its thread.
    std::function<void(const std::string& folder, const Result<void>& ready)> on_change;
    // It was closed, to make room.
    std::function<void(const std::string& folder, const Result<void>& closed)> on_close;
    // A message that was judged is not in the spool.
    SpoolWriter::OnFailure on_not_kept = [](const tokenizer::MessageKey&, const Error&) {};
  };
  // history is for a daemon with one model.
  Models(const Settings& settings, Hooks hooks, History* history = nullptr, LogsToFollow shared = {});
  ~Models() override;

  Result<Judged> Classify(std::string_view message, const Whose& whose) override;
  void Learn(std::string_view message, const Whose& whose, const Instruction& how, OnTaught done) override;
  void Feedback(const Reply& reply, const Whose& whose, OnTaught done) override;
  void Foresee(std::string_view message, const Whose& whose, const Instruction& how, OnJson done) override;
  void Forget(std::string_view message, const Whose& whose, OnForgotten done) override;
  void FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind, OnKey done) override;
  void FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) override;
  void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                   OnAllForgotten done) override;
  void ForgetAllOf(const Whose& whose, OnAllForgotten done) override;
  void Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) override;
  void ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                   OnExplanation done) override;
  void Counts(const Whose& whose, OnCounts done) override;
  void Vocabulary(const VocabularyQuery& query, const Whose& whose, OnJson done) override;
  void Statistics(uint64_t recent, const Whose& whose, OnJson done) override;
  void Weights(const std::vector<uint64_t>& ids, const Whose& whose, OnJson done) override;
  Result<std::string> ModelOf(const Whose& whose) const override;
  // Whether there is a store; of one model, whether it is open as well.
  Result<void> Ready() const override;

  bool are_many() const { return are_many_; }
  // Of one model; of several, true.
  bool AwaitFirstOpening(std::chrono::milliseconds patience);
  // From now on. Which models there are does not change.
  void Reload(const Settings& settings);
  void SetLists(SenderLists lists);
  // Nothing if no model follows a log. Of several: AddFigures.
  std::optional<LogFigures> Log();
  // Of one of them.
  void DescribeLog(const Whose& whose, std::function<void(const Result<LogDescription>&)> done);
  // Jobs that wait for open models.
  size_t waiting();
  ModelFigures figures() const;
  // Messages that the spool could not keep.
  uint64_t not_kept() const { return beside_->spool_writer.failures(); }
  // Closes all models. Returns what went wrong in one of them.
  Result<void> Stop();

 private:
  struct Slot;
  class Held;  // keeps a model from being closed while it is asked

  std::shared_ptr<const Settings> settings() const;
  // Only who has a message judged or taught makes one.
  enum class IfMissing { kMake, kRefuse };
  Result<Held> Take(const Whose& whose, IfMissing if_missing = IfMissing::kRefuse);
  LogToFollow LogOf(const std::string& name) const;
  std::map<std::string, size_t> FindUndelivered() const;
  void NoteClosed(const std::string& name, const LogFigures& log);
  void AskLogOf(const std::string& name);
  void AskNext();
  void Deliver();
  std::optional<std::string> NextToDeliver(const std::string& after);
  Result<Slot*> FindOrMake(const std::string& name, IfMissing if_missing, std::unique_lock<std::mutex>* lock);
  bool TakeBack(const std::string& name);
  Result<void> CheckMayServe(const std::string& folder, IfMissing if_missing);
  void Begin(Slot* slot);
  Result<void> MayOpen(Slot* slot);
  void Release(std::span<Slot* const> slots);
  void CloseSome();
  bool CloseUnused(std::list<Slot*>* among);
  void CloseOldest();
  // ask(service) of all that have one. None is closed meanwhile, so it must not wait for a model.
  template <class Ask>
  void EachService(const Ask& ask);

  const bool are_many_;
  const Hooks hooks_;
  History* const history_;
  const LogsToFollow shared_;
  const std::shared_ptr<std::atomic<size_t>> followed_ = std::make_shared<std::atomic<size_t>>(0);
  const std::shared_ptr<BesideModels> beside_ = std::make_shared<BesideModels>(hooks_.on_not_kept);

  mutable std::mutex mutex_;  // of what follows. A Slot's and a ModelService's are taken before it
  std::condition_variable changed_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const SenderLists> lists_ = std::make_shared<SenderLists>();
  std::map<std::string, std::unique_ptr<Slot>, std::less<>> slots_;
  std::list<Slot*> images_;  // the one used last in front
  std::list<Slot*> open_;
  std::deque<std::unique_ptr<Slot>> to_close_;
  std::set<std::string, std::less<>> closing_;  // names of those that are to be closed, or are being closed
  LogFigures of_closed_;                        // what they counted
  std::map<std::string, size_t> undelivered_;   // by name: operations that the log may not have
  std::set<std::string, std::less<>> to_ask_;   // names: their logs may have more than their images
  std::string asked_;                           // the last one
  size_t folders_ = 0;                          // of the store, about
  std::chrono::steady_clock::time_point count_again_ = {};
  uint64_t opened_ = 0;
  uint64_t closed_ = 0;
  bool is_stopped_ = false;

  WorkingThread closer_{mutex_, [this] { return !to_close_.empty(); }, [this] { CloseOldest(); }};
  std::unique_ptr<WorkingThread> asker_;  // null if no model follows a log
  std::thread deliverer_;
};

}  // namespace thresher::pipeline
