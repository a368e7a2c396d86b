// The interface of every online learner: score an example, learn from it.
//
// Called by the pipeline, once per example (never a virtual call per feature). A learner has no state of its
// own besides its hyper-parameters: what it learned stands in rows (one per feature) and globals (one block
// per model) that the caller keeps.
//   row      RowBytes() bytes per feature, trivially copyable, 8-byte aligned. All zero = never seen.
//   globals  GlobalsBytes() bytes per model: clock, scale, shift, bias, …
// A whole-model learner, whose step depends on rows that the example does not touch, learns with a third
// thing: what it derived from all rows, which the caller keeps in memory only.
// Thread-safety: immutable; Score may run in any number of threads over rows that nobody writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace thresher::learners {

// Spam is +1, ham −1.
enum class Label : int8_t { kHam = -1, kSpam = +1 };

// Feature ids (distinct) with their values; both spans have the same length.
struct SparseVector {
  std::span<const uint64_t> ids;
  std::span<const float> values;
};

// Every learner's row begins with these: how often the feature was learned from since its weight last left
// zero.
struct Counts {
  uint32_t ham = 0;  // both saturate
  uint32_t spam = 0;
};

enum class Outcome {
  kUpdated,   // a step was taken
  kSkipped,   // the objective passes over it: nothing changed, the clock included
  kRejected,  // the margin or an input was not finite: nothing changed
};

struct Update {
  Outcome outcome = Outcome::kUpdated;
  // The caller must now call Rebase on every row of the model and then FinishRebase, before anything else.
  bool rebase_due = false;
};

// What a whole-model learner makes of all rows; see Learner::Derive.
class Derived {
 public:
  Derived() = default;
  virtual ~Derived() = default;
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;
};

// Calls its argument with every row of the model, in any order; dead ones may be missing.
using RowSource = std::function<void(const std::function<void(uint64_t id, const std::byte* row)>&)>;

// How many weights are not zero, and the sum of their magnitudes.
struct Sparsity {
  uint64_t nonzeros = 0;
  double l1_norm = 0;
};

// What a feature's row is to become of weights that were found elsewhere; see Learner::Plant.
struct Planted {
  double weight = 0;
  double gradient_norm = 0;  // √Σ (L'·x)² of the feature over the examples
  Counts counts;
};

class Learner {
 public:
  virtual ~Learner() = default;

  // The name in the registry. Persisted.
  virtual std::string_view Name() const = 0;
  // Every option with its value in a fixed order, "l1=1e-06 l2=0 …": equal texts learn equal models.
  // Persisted.
  virtual std::string OptionsText() const = 0;

  virtual size_t RowBytes() const = 0;
  virtual size_t GlobalsBytes() const = 0;
  virtual void InitGlobals(std::span<std::byte> globals) const = 0;

  // The margin ⟨w,x⟩ + b, summed in the order of x. rows[i] is feature i's row; null = never seen.
  virtual double Score(const SparseVector& x, std::span<const std::byte* const> rows,
                       std::span<const std::byte> globals) const = 0;

  // Whether Learn would change anything for an example whose Score is `margin`.
  virtual bool WouldUpdate(double margin, Label label) const = 0;

  // What Learn needs besides rows and globals: null, without a look at the rows, for all but whole-model
  // learners. A function of live rows and globals. Learn keeps it current; after a rebase, and when anybody
  // else has written rows or globals, it is to be derived anew.
  virtual std::unique_ptr<Derived> Derive(const RowSource& rows,
                                          std::span<const std::byte> globals) const = 0;

  // One step. `margin` is Score's value for the same x, rows and globals; every rows[i] is present; `derived`
  // is what Derive made. Afterwards every touched row is current and counted.
  virtual Update Learn(const SparseVector& x, Label label, double margin, std::span<std::byte* const> rows,
                       std::span<std::byte> globals, Derived* derived) const = 0;

  // The current weight of a row. The one function that reads a row; nobody looks at a raw one.
  virtual double Weight(const std::byte* row, std::span<const std::byte> globals) const = 0;
  static Counts CountsOf(const std::byte* row);

  // Whether the row, brought current, differs from a never-seen one. Only rows that are not may be dropped.
  virtual bool IsLive(const std::byte* row, std::span<const std::byte> globals) const = 0;

  // Whether it can go on from weights that it did not learn itself.
  virtual bool CanPlant() const = 0;
  // REQUIRES, of both: CanPlant. First Advance, of globals as InitGlobals left them: they become those of a
  // model that took so many steps. Then Plant, of rows never seen: Weight of the row is the planted one, up
  // to rounding.
  virtual void Advance(uint64_t steps, std::span<std::byte> globals) const = 0;
  virtual void Plant(const Planted& planted, std::byte* row, std::span<std::byte> globals) const = 0;

  // Whether these can be what Learn left: no number that is not finite, no index out of bounds. Any bytes of
  // the right size may be asked about; all other functions may be given sound ones only.
  virtual bool AreGlobalsSound(std::span<const std::byte> globals) const = 0;
  // REQUIRES: sound globals.
  virtual bool IsSound(const std::byte* row, std::span<const std::byte> globals) const = 0;

  // Of the whole model, without a pass over it; nothing if the learner does not keep count.
  virtual std::optional<Sparsity> SparsityNow(std::span<const std::byte> globals) const = 0;

  // See Update::rebase_due. The order of rows makes no difference. FinishRebase says whether to do it all
  // once more.
  virtual void Rebase(std::byte* row, std::span<std::byte> globals) const = 0;
  [[nodiscard]] virtual bool FinishRebase(std::span<std::byte> globals) const = 0;
};

}  // namespace thresher::learners
