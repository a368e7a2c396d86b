// The log's examples as a model that is made again is taught them: texts come from stored rows and from the
// examples read so far, nothing expires.
//
// Used by rebuild.h, installation.h, bad_examples.h and scoring_by_part.h. Thread-safety: one thread at a
// time.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "pipeline/error.h"
#include "pipeline/model/log_policy.h"
#include "pipeline/model/state.h"

namespace thresher::pipeline {

class RebuildPolicy : public LogPolicy {
 public:
  // `state` must outlive it, and its log not grow.
  explicit RebuildPolicy(ModelState& state) : state_(&state) {}

  // Takes the texts that the model's rows have: those whose examples have expired. To be called before the
  // rows go.
  Result<void> NoteStoredTexts();
  // Takes the texts of the whole log.
  Result<void> NoteLoggedTexts();
  bool HasText(uint64_t id) const { return texts_.contains(id); }

  // Remembers texts. Drops features whose text went with the example that had it, because that one expired or
  // was unreadable, if no row kept it.
  void Prepare(tokenizer::Features* features) override;
  std::string_view TextOf(uint64_t id) const override;
  bool MayExpire() const override { return false; }

 protected:
  const storage::ExampleLog& log() const { return state_->log; }

 private:
  ModelState* state_;
  // Of a log with examples of format 5 and earlier, which have a text only where the model that logged it did
  // not know the feature. The model that is made may come to know it later.
  std::unordered_map<uint64_t, std::string> texts_;
};

// Each as it was taught. What corrects an example that has expired takes nothing back.
class RebuildTaught final : public RebuildPolicy {
 public:
  using RebuildPolicy::RebuildPolicy;

  Result<std::optional<Teaching>> TakeNext(const storage::Example& example) override;

 private:
  std::unordered_set<uint64_t> messages_;  // so far: RehearsalMemory::HashOfMessage
};

// As if nobody had erred: each message once, in its first place, under the label it was taught last. What was
// taught by the model's own verdict and by a user later counts as the user's.
class RebuildCorrected final : public RebuildPolicy {
 public:
  using RebuildPolicy::RebuildPolicy;

  Result<std::optional<Teaching>> TakeNext(const storage::Example& example) override;

 private:
  Result<storage::Example> LastOf(const storage::Example& example) const;

  std::unordered_set<uint64_t> taught_;  // of messages that come more than once: their last examples
};

// Each as it was taught, but for some.
class RebuildWithout final : public RebuildPolicy {
 public:
  RebuildWithout(ModelState& state, std::set<uint64_t> left_out)
      : RebuildPolicy(state), left_out_(std::move(left_out)) {}

  bool LeavesOut(uint64_t seq) const override { return left_out_.contains(seq); }

 private:
  std::set<uint64_t> left_out_;
};

// As if only some messages had ever been taught, in the place and under the label of their last examples.
class RebuildOnly final : public RebuildPolicy {
 public:
  // `seqs`: the numbers of those examples, ascending; must outlive it.
  RebuildOnly(ModelState& state, std::span<const uint64_t> seqs) : RebuildPolicy(state), seqs_(seqs) {}

  Result<std::optional<Teaching>> TakeNext(const storage::Example& example) override;

 private:
  std::span<const uint64_t> seqs_;
};

}  // namespace thresher::pipeline
