// The interface of every online learner: score an example, learn from it.
//
// Called by the pipeline, once per example; there is no virtual call per feature. A learner holds only its
// hyper-parameters. The caller keeps what was learned:
//   row      RowBytes() bytes per feature, trivially copyable, 8-byte aligned. All zero = never seen.
//   globals  GlobalsBytes() bytes per model: clock, scale, shift, bias, …
//   derived  in memory only: what a whole-model learner computes from all rows. The step of such a learner
//            depends on rows that the example does not touch.
//
// A row is *live* if, brought current, it differs from a never-seen row. A row that is not live is
// *prunable*: the caller may drop it at any time without changing any later result.
//
// Thread-safety: immutable. Any number of threads may call Score on rows that nobody writes meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace thresher::learners {

// Spam is +1, ham −1.
enum class Label : int8_t { kHam = -1, kSpam = +1 };

// Feature ids (distinct) with their values; both spans have the same length.
struct SparseVector {
  std::span<const uint64_t> ids;
  std::span<const float> values;
};

// Every row begins with these: how many updates of each class touched the feature since its row last became
// live. Both saturate.
struct Counts {
  uint32_t ham = 0;
  uint32_t spam = 0;

  bool Any() const { return ham > 0 || spam > 0; }
};

// Why an example is learned.
class Occasion {
 public:
  // Its margin, from before its label was known, is a fair test of the weights.
  static const Occasion kNew;
  // It is no test: it was learned before (rehearsal, correction), or an archive has its class alone.
  static const Occasion kAgain;
  // The same, but its step is limited: it need not go further than to a margin of `enough` (> 0) in favour of
  // the label, or of a part of it if the label may be wrong.
  static constexpr Occasion Again(double enough) { return {Why::kAgain, enough}; }
  // It is taught because its verdict was wrong, or would have been: no sample. The step may be longer, and is
  // limited, too.
  static constexpr Occasion Mistake(double enough) { return {Why::kMistake, enough}; }

  constexpr bool IsMistake() const { return why_ == Why::kMistake; }
  constexpr bool IsLimited() const { return enough_ > 0; }
  // REQUIRES: IsLimited().
  constexpr double enough() const { return enough_; }

  bool operator==(const Occasion&) const = default;

 private:
  enum class Why { kNew, kAgain, kMistake };
  constexpr Occasion(Why why, double enough) : why_(why), enough_(enough) {}

  Why why_;
  double enough_;
};

inline constexpr Occasion Occasion::kNew{Why::kNew, 0};
inline constexpr Occasion Occasion::kAgain{Why::kAgain, 0};

enum class Outcome {
  kUpdated,   // the learner took a step
  kSkipped,   // the gradient is below min_gradient: nothing changed, the clock included
  kRejected,  // the margin or an input is not finite: nothing changed
};

struct Update {
  Outcome outcome = Outcome::kUpdated;
  // The caller must call Rebase before anything else.
  bool rebase_due = false;
  // About what a step on a mistake added to one on another example, in steps at MarginOfMistake. Not below 0.
  double excess = 0;
};

// What a whole-model learner derives from all rows; see Learner::Derive.
class Derived {
 public:
  Derived() = default;
  virtual ~Derived() = default;
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;
};

// Calls its argument with every row of the model, in any order. Prunable rows may be missing.
using RowSource = std::function<void(const std::function<void(uint64_t id, const std::byte* row)>&)>;
using MutableRowSource = std::function<void(const std::function<void(std::byte* row)>&)>;

// A weight that was found elsewhere, say by a batch solver; see Learner::WarmStartRow.
struct FittedWeight {
  double weight = 0;
  double gradient_norm = 0;  // √Σ (L'·x)² of the feature over the examples
  Counts counts;
};

class Learner {
 public:
  virtual ~Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // The name in the registry. Persisted.
  const std::string& Name() const { return traits_.name; }
  // Every option with its value in a fixed order, "l1=1e-06 l2=0 …": equal texts learn equal models.
  // Persisted.
  const std::string& OptionsText() const { return traits_.options_text; }
  size_t RowBytes() const { return traits_.row_bytes; }
  size_t GlobalsBytes() const { return traits_.globals_bytes; }
  // Whether it can continue from weights that it did not learn itself.
  bool CanWarmStart() const { return traits_.can_warm_start; }

  // The globals of a new model, or, with CanWarmStart, of a model that took `steps` steps and has no rows
  // yet. REQUIRES: steps == 0 or CanWarmStart().
  virtual void InitGlobals(std::span<std::byte> globals, uint64_t steps = 0) const = 0;

  // The margin ⟨w,x⟩ + b, summed in the order of x. rows[i] is feature i's row; null = never seen.
  virtual double Score(const SparseVector& x, std::span<const std::byte* const> rows,
                       std::span<const std::byte> globals) const = 0;

  // Whether Learn would change anything for an example with this margin.
  virtual bool WouldUpdate(double margin, Label label) const = 0;

  // The margin to pass to Learn for an example that was learned with the other label before: the step then
  // also undoes the earlier one, as far as later steps have not changed it. See MarginOfMistake in
  // loss/loss.h.
  virtual double MarginOfMistake(Label label) const = 0;

  // What Learn needs besides rows and globals; null for all but whole-model learners, which alone read the
  // rows. A function of live rows and globals. Learn keeps it current. Derive it anew after a rebase, and
  // when anybody but Learn has written rows or globals.
  virtual std::unique_ptr<Derived> Derive(const RowSource& rows,
                                          std::span<const std::byte> globals) const = 0;

  // One step. `margin` is Score's value for the same x, rows and globals, or MarginOfMistake, or what the
  // caller takes for the margin of an example of which x is a part; every rows[i] is present; `derived` comes
  // from Derive. Afterwards every touched row is current and counted.
  virtual Update Learn(const SparseVector& x, Label label, double margin, std::span<std::byte* const> rows,
                       std::span<std::byte> globals, Derived* derived, Occasion occasion) const = 0;

  // Makes `row`, which must not be live, begin with the learning rate of `other`, so that its steps are as
  // short. Its weight and its counts are 0. Only ftrl and adaptive-ftrl do it; the other learners do nothing.
  virtual void TakeRate(std::byte* row, const std::byte* other) const = 0;

  // The current weight of a row. Nobody else interprets the bytes of a row.
  virtual double Weight(const std::byte* row, std::span<const std::byte> globals) const = 0;
  // weighs[i] becomes 1 if the weight of rows[i], which must not be null, is not 0; otherwise 0. Faster than
  // Weight row by row. REQUIRES: both have the same size.
  virtual void FindWeighing(std::span<const std::byte* const> rows, std::span<const std::byte> globals,
                            std::span<uint8_t> weighs) const = 0;
  static Counts CountsOf(const std::byte* row) {
    Counts counts;
    std::memcpy(&counts, row, sizeof(counts));
    return counts;
  }

  // Whether the row is live; otherwise it is prunable (both are defined above).
  virtual bool IsLive(const std::byte* row, std::span<const std::byte> globals) const = 0;

  // Gives a never-seen row a fitted weight: Weight returns it afterwards, up to rounding.
  // REQUIRES: CanWarmStart().
  virtual void WarmStartRow(const FittedWeight& fitted, std::byte* row,
                            std::span<std::byte> globals) const = 0;

  // Whether Learn can have left these bytes: every number is finite and every index within bounds. These two
  // accept any bytes of the right size; all other functions require bytes that passed.
  virtual bool AreGlobalsSound(std::span<const std::byte> globals) const = 0;
  // REQUIRES: sound globals.
  virtual bool IsSound(const std::byte* row, std::span<const std::byte> globals) const = 0;

  // Rewrites every row of the model in new units; see Update::rebase_due. Passes over the rows once or more.
  virtual void Rebase(const MutableRowSource& rows, std::span<std::byte> globals) const = 0;

 protected:
  struct Traits {
    std::string name;
    std::string options_text;
    size_t row_bytes = 0;
    size_t globals_bytes = 0;
    bool can_warm_start = false;
  };
  explicit Learner(Traits traits) : traits_(std::move(traits)) {}

 private:
  Traits traits_;
};

}  // namespace thresher::learners
