// How the examples of a log are applied to the weights: what is taught for each, and what goes with it.
//
// Used by LogApplier, which is given one when it is made. AsLogged is how a model learns and recovers;
// rebuild_policy.h has those by which a model is made again. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/model/evidence.h"
#include "pipeline/model/state.h"
#include "storage/example_log.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

class LogPolicy {
 public:
  LogPolicy() = default;
  virtual ~LogPolicy() = default;
  LogPolicy(const LogPolicy&) = delete;
  LogPolicy& operator=(const LogPolicy&) = delete;

  // What to teach in the place of `example`: by default what was taught. If it returns nothing, the example
  // is skipped. To be called once for each example of the log that is not passed over, in order.
  virtual Result<std::optional<Teaching>> TakeNext(const storage::Example& example) {
    return TeachingOf(example);
  }

  // Whether the example with this number is passed over; it need not be readable.
  virtual bool LeavesOut(uint64_t /*seq*/) const { return false; }

  // Prepares the features of an example before it is applied: may remember their texts and drop features.
  virtual void Prepare(tokenizer::Features* features) = 0;
  // The text of a token that is new to the model where its example has none; empty if it is not known.
  virtual std::string_view TextOf(uint64_t id) const = 0;

  // Whether examples expire as the log is applied.
  virtual bool MayExpire() const = 0;
};

// Each example as it was taught, with the texts that it has.
class AsLogged final : public LogPolicy {
 public:
  void Prepare(tokenizer::Features* /*features*/) override {}
  std::string_view TextOf(uint64_t /*id*/) const override { return {}; }
  bool MayExpire() const override { return true; }
};

}  // namespace thresher::pipeline
