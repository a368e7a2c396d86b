// What a daemon does for its clients, whatever protocol they speak.
//
// How `thresher serve` works, top to bottom:
//
//   daemon       joins the parts below; start, reload, stop; what the service manager is told
//   server       an event loop in a fixed number of threads: accepts, and counts connections
//   connection   reads and writes one socket; the only place with limits on time, size and memory
//   session      one conversation in one protocol, without a socket: bytes in, response out. One file each:
//                spamd_session, milter_session, http_session; a parser is a pure function of the bytes that
//                came so far
//   service      this interface; watched_service counts what passes, models and model_service do it, tests
//                replace it
//   models       gives each request to its model: opens models at first use, closes those not used for long
//   model_service one model
//   model_thread the one thread that owns it, behind a queue of bounded length
//   look_thread  one that reads a whole model, for vocabulary and statistics
//   spool_writer one that writes classified messages into the spool
//
// The threads of the event loop also score: a request is judged in the thread that read its last byte, with a
// tokenizer and a LiveScorer::Reader that no other thread uses meanwhile. So no message waits for a
// hand-over, and scoring takes no lock while the model learns. A long message occupies one thread; the others
// go on.
//
// Teaching changes the model, so it is a job of the model's thread. That thread takes all jobs that wait,
// does them, has them acknowledged together (one sync of the disk for all), and then calls back. A job that
// finds the queue full is refused at once. Two threads take work off it and off those that score:
// spool_writer writes what feedback may need, and look_thread looks through all weights, as they are on disk
// after a checkpoint.
//
// Parsers run in this process. A child for each message, as `filter` has it, costs more than judging the
// message and cannot share the live model; docs/decisions.md says what is lost if a parser crashes.
//
// Thread-safety: everything may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/answers/explanation.h"
#include "pipeline/delivery/forget_messages.h"
#include "pipeline/delivery/judged.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/error.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

// Whose mail a request is about, as the client named them. Empty: it did not say.
struct Whose {
  std::string_view user = {};
  std::string_view model = {};  // of those that a daemon has (models.h)
  // The user is meant, and not what a program always sends: an error (kData) where users are not told apart.
  bool insists = false;
};

// How a message is taught.
struct Instruction {
  Label label = Label::kHam;
  tokenizer::Kind kind = tokenizer::Kind::kMail;
  Circumstances circumstances = {};
};

// A message that somebody asked to forget.
struct ForgottenMessage {
  tokenizer::MessageKey key;
  bool was_taught = false;  // else it was not, or has expired
};

// What a model knows of each class.
struct ModelCounts {
  TaughtCounts taught;
  size_t waiting_ham = 0;  // not learned before the other class comes (rehearsal.h)
  size_t waiting_spam = 0;
};

// Which tokens of the model are listed, heaviest first.
struct VocabularyQuery {
  std::string field = {};     // only of this field; empty: of any
  std::string contains = {};  // only those whose text contains it, whatever the case of ASCII letters
  bool spam = true;           // those that speak for spam
  bool ham = true;
  size_t skip = 0;  // of them, so many are left out first
  size_t top = 40;  // and so many are listed; 0: all
};

class Service {
 public:
  virtual ~Service() = default;

  // The error is kBusy while there is no model.
  virtual Result<Judged> Classify(std::string_view message, const Whose& whose) = 0;

  // Each of these calls `done` once, in any thread, perhaps before it returns. What it reports as done is
  // acknowledged: it is on disk, as the durability promises.
  using OnTaught = std::function<void(const Result<TaughtMessage>&)>;
  virtual void Learn(std::string_view message, const Whose& whose, const Instruction& how, OnTaught done) = 0;
  // Teaches a message that was classified or taught before. kNoInput: none is known under that Message-ID;
  // kData: several are.
  virtual void Feedback(const Reply& reply, const Whose& whose, OnTaught done) = 0;
  using OnJson = std::function<void(const Result<nlohmann::ordered_json>&)>;
  // What the function of that name says: {"can_judge": …, "known": …, "corrects": …, "margin": …}. Nothing is
  // learned or kept.
  virtual void Foresee(std::string_view message, const Whose& whose, const Instruction& how, OnJson done) = 0;
  // Takes a message out of the log.
  using OnForgotten = std::function<void(const Result<ForgottenMessage>&)>;
  virtual void Forget(std::string_view message, const Whose& whose, OnForgotten done) = 0;

  // The key under which a message was taught. kNoInput: it was not, or has expired; kData: several were.
  using OnKey = std::function<void(const Result<tokenizer::MessageKey>&)>;
  virtual void FindTaught(std::string_view message, const Whose& whose, tokenizer::Kind kind, OnKey done) = 0;
  // By its Message-ID, and its digest if there are several.
  virtual void FindTaught(const tokenizer::MessageKey& named, const Whose& whose, OnKey done) = 0;
  // Takes these messages of the user out of the log, or all of them.
  using OnAllForgotten = std::function<void(const Result<ForgottenMessages>&)>;
  virtual void ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                           OnAllForgotten done) = 0;
  virtual void ForgetAllOf(const Whose& whose, OnAllForgotten done) = 0;

  // `top`: the number of tokens to list; 0 for all.
  using OnExplanation = std::function<void(const Result<Explanation>&)>;
  virtual void Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) = 0;
  // The same for a message that was classified or taught before. kNoInput: nothing is kept of it any more.
  virtual void ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                           OnExplanation done) = 0;
  using OnCounts = std::function<void(const Result<ModelCounts>&)>;
  virtual void Counts(const Whose& whose, OnCounts done) = 0;

  // What `vocab` prints with --json, and how many tokens match.
  virtual void Vocabulary(const VocabularyQuery& query, const Whose& whose, OnJson done) = 0;
  // What `stats` prints with --json. The last `recent` examples are judged, and not more than
  // RecentExamples::kMost.
  virtual void Statistics(uint64_t recent, const Whose& whose, OnJson done) = 0;
  // The weights of these tokens now, and how they changed since Vocabulary first listed them.
  virtual void Weights(const std::vector<uint64_t>& ids, const Whose& whose, OnJson done) = 0;

  // The name of the model that such a request is answered by. kData: there can be none of that name.
  virtual Result<std::string> ModelOf(const Whose& whose) const = 0;

  // Whether messages are judged and taught at this moment; if not, why.
  virtual Result<void> Ready() const = 0;
};

}  // namespace thresher::pipeline
