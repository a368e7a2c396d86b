// RowLearner<Rule>: the Learner of any rule that updates each touched row by itself.
//
// Used by the files of single learners. Here, and nowhere else, bytes become rows and globals; here are the
// loops over features, the counting, the skipping and the checks. A Rule is a struct of hyper-parameters with
//   struct Row                 `Counts counts`, then doubles; all zero = never seen; no padding
//   struct Globals             its default value is a new model's; no padding
//   struct Step                what one step works out once, for all its features
//   Objective objective;
//   double Intercept(Globals)                      b
//   double Weight(Row, Globals)                    current weight
//   bool IsLive(Row, Globals)                      whether it differs from a never-seen row
//   Step BeginStep(Globals, derivative)            derivative = L'(margin), weighted
//   void Touch(Row&, x, Step, Globals&)            the gradient's part, for one feature
//   bool EndStep(Globals&, Step)                   bias, penalties, clock; true = a rebase is due
//   void Rebase(Row&, Globals&), bool FinishRebase(Globals&)
// all const and inline. A rule whose globals do not begin with their default value has
//   Globals NewGlobals()
// a rule that has to see all features before it can touch one
//   void Look(Row&, x, Step&, Globals)            for each feature, before the first Touch
//   void SetOut(Step&, Globals&)                  after the last Look
// a rule that can tell
//   Sparsity SparsityNow(Globals)
// a rule whose globals hold more than doubles and counters
//   bool AreSound(Globals)                        in place of a look at each word
// and a rule to which not all finite doubles are rows
//   bool IsSound(Row, Globals)
// a rule that can go on from weights found elsewhere
//   void Advance(steps, Globals&)                 of NewGlobals
//   void Plant(Planted, Row&, Globals&)           the row is never seen
// and a rule that needs the whole model for a step has
//   struct Derived         of learners::Derived
//   std::unique_ptr<Derived> NewDerived(Globals)                null if these options need none
//   void Collect(Row, uint64_t id, Globals, Derived&)           for every row, in any order
//   void FinishCollecting(Derived&)
//   void Touch(Row&, x, Step, Globals&, uint64_t id, Derived*)  in place of the Touch and EndStep above
//   bool EndStep(Globals&, Step, Derived*)
//
// Nothing overflows: a step is taken only for |L'| ≤ 2^64 and finite x (a float, so |x| < 2^128); rates and
// penalties are below 2^20, so in 2^64 steps no weight passes 2^276 and no margin 2^436.
// Thread-safety: as Learner.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "learners/learner.h"
#include "learners/objective.h"

namespace thresher::learners {

template <class Rule>
class RowLearner final : public Learner {
  static constexpr bool kWholeModel = requires { typename Rule::Derived; };
  static constexpr bool kLooksFirst = requires { &Rule::SetOut; };
  static constexpr bool kPlants = requires { &Rule::Plant; };
  using Row = typename Rule::Row;
  using Globals = typename Rule::Globals;
  static_assert(std::is_trivially_copyable_v<Row> && std::is_trivially_copyable_v<Globals>);
  static_assert(std::is_standard_layout_v<Row> && offsetof(Row, counts) == 0);
  static_assert(std::is_aggregate_v<Row> && std::is_aggregate_v<Globals>);
  static_assert(sizeof(Row) % 8 == 0 && sizeof(Globals) % 8 == 0);
  static_assert(alignof(Row) <= 8 && alignof(Globals) <= 8);

 public:
  RowLearner(std::string_view name, std::string options_text, const Rule& rule)
      : name_(name), options_text_(std::move(options_text)), rule_(rule) {}

  std::string_view Name() const override { return name_; }
  std::string OptionsText() const override { return options_text_; }
  size_t RowBytes() const override { return sizeof(Row); }
  size_t GlobalsBytes() const override { return sizeof(Globals); }
  void InitGlobals(std::span<std::byte> globals) const override {
    if constexpr (requires { rule_.NewGlobals(); }) {
      As<Globals>(globals.data()) = rule_.NewGlobals();
    } else {
      As<Globals>(globals.data()) = Globals();
    }
  }

  double Score(const SparseVector& x, std::span<const std::byte* const> rows,
               std::span<const std::byte> globals_bytes) const override {
    const Globals globals = As<Globals>(globals_bytes.data());
    const std::span<const float> values = x.values;
    double sum = 0;
    ForEachAhead(rows, [&, values](size_t i) {
      if (rows[i] == nullptr) return;
      sum += rule_.Weight(As<Row>(rows[i]), globals) * static_cast<double>(values[i]);
    });
    return sum + rule_.Intercept(globals);
  }

  bool WouldUpdate(double margin, Label label) const override {
    return OutcomeFor(margin, rule_.objective.Slope(margin, label), label) == Outcome::kUpdated;
  }

  std::unique_ptr<Derived> Derive([[maybe_unused]] const RowSource& rows,
                                  [[maybe_unused]] std::span<const std::byte> bytes) const override {
    if constexpr (kWholeModel) {
      const auto& globals = As<Globals>(bytes.data());
      auto derived = rule_.NewDerived(globals);
      if (derived == nullptr) return nullptr;
      rows([&](uint64_t id, const std::byte* row) { rule_.Collect(As<Row>(row), id, globals, *derived); });
      rule_.FinishCollecting(*derived);
      return derived;
    } else {
      return nullptr;
    }
  }

  Update Learn(const SparseVector& x, Label label, double margin, std::span<std::byte* const> rows,
               std::span<std::byte> globals_bytes, Derived* derived) const override {
    const double slope = rule_.objective.Slope(margin, label);
    const Outcome outcome = OutcomeFor(margin, slope, label);
    if (outcome != Outcome::kUpdated) return {.outcome = outcome};
    if (!AllFinite(x.values)) return {.outcome = Outcome::kRejected};

    Globals globals = As<Globals>(globals_bytes.data());  // a copy, so that it can live in registers
    typename Rule::Step step = rule_.BeginStep(globals, rule_.objective.Weighted(slope, label));
    if constexpr (kLooksFirst) {
      ForEachAhead(rows, [&](size_t i) {
        rule_.Look(As<Row>(rows[i]), static_cast<double>(x.values[i]), step, globals);
      });
      rule_.SetOut(step, globals);
    }
    const CountOf count(label);
    ForEachAhead(rows, [&](size_t i) {
      Row& row = As<Row>(rows[i]);
      row.counts = count.Next(row.counts, rule_.IsLive(row, globals));
      Touch(row, static_cast<double>(x.values[i]), step, globals, x.ids[i], derived);
    });
    const bool rebase_due = EndStep(globals, step, derived);
    As<Globals>(globals_bytes.data()) = globals;
    return {.outcome = Outcome::kUpdated, .rebase_due = rebase_due};
  }

  double Weight(const std::byte* row, std::span<const std::byte> globals) const override {
    return rule_.Weight(As<Row>(row), As<Globals>(globals.data())) + 0.0;  // −0 becomes 0
  }

  bool IsLive(const std::byte* row, std::span<const std::byte> globals) const override {
    return rule_.IsLive(As<Row>(row), As<Globals>(globals.data()));
  }

  bool CanPlant() const override { return kPlants; }

  void Advance([[maybe_unused]] uint64_t steps,
               [[maybe_unused]] std::span<std::byte> globals) const override {
    if constexpr (kPlants) rule_.Advance(steps, As<Globals>(globals.data()));
  }

  void Plant([[maybe_unused]] const Planted& planted, [[maybe_unused]] std::byte* row,
             [[maybe_unused]] std::span<std::byte> globals) const override {
    if constexpr (kPlants) {
      As<Row>(row).counts = planted.counts;
      rule_.Plant(planted, As<Row>(row), As<Globals>(globals.data()));
    }
  }

  bool AreGlobalsSound(std::span<const std::byte> bytes) const override {
    const auto& globals = As<Globals>(bytes.data());
    if constexpr (requires { rule_.AreSound(globals); }) {
      if (!rule_.AreSound(globals)) return false;
    } else if (!AllWordsFinite(bytes)) {
      return false;
    }
    return std::isfinite(rule_.Intercept(globals)) && rule_.Weight(Row(), globals) == 0;
  }

  bool IsSound(const std::byte* row, std::span<const std::byte> globals) const override {
    if (!AllWordsFinite({row + sizeof(Counts), sizeof(Row) - sizeof(Counts)})) return false;
    if constexpr (requires { rule_.IsSound(As<Row>(row), As<Globals>(globals.data())); }) {
      if (!rule_.IsSound(As<Row>(row), As<Globals>(globals.data()))) return false;
    }
    return std::isfinite(Weight(row, globals));
  }

  std::optional<Sparsity> SparsityNow([[maybe_unused]] std::span<const std::byte> globals) const override {
    if constexpr (requires(const Globals& g) { rule_.SparsityNow(g); }) {
      return rule_.SparsityNow(As<Globals>(globals.data()));
    } else {
      return std::nullopt;
    }
  }

  void Rebase(std::byte* row, std::span<std::byte> globals) const override {
    rule_.Rebase(As<Row>(row), As<Globals>(globals.data()));
  }

  bool FinishRebase(std::span<std::byte> globals) const override {
    return rule_.FinishRebase(As<Globals>(globals.data()));
  }

 private:
  static constexpr double kLargestDerivative = 0x1p64;
  static constexpr size_t kPrefetched = 32;  // rows on their way while one is read

  // A row of more than two words may lie across two cache lines.
  template <class Byte>
  static void Prefetch(Byte* row) {
    constexpr int kForWriting = std::is_const_v<Byte> ? 0 : 1;
    __builtin_prefetch(row, kForWriting);
    if constexpr (sizeof(Row) > 16) {
      __builtin_prefetch(row == nullptr ? row : row + sizeof(Row) - 1, kForWriting);
    }
  }

  // visit(i) for each row, in order, those ahead being fetched meanwhile.
  template <class Byte, class Visit>
  static void ForEachAhead(std::span<Byte* const> rows, Visit visit) {
    size_t i = 0;
    for (; i + kPrefetched < rows.size(); ++i) {
      Prefetch(rows[i + kPrefetched]);
      visit(i);
    }
    for (; i < rows.size(); ++i) visit(i);
  }

  // The bytes as what they hold. Rows are 8-byte aligned, and both types are aggregates, which storage for
  // bytes may hold without further ado.
  template <class T>
  static T& As(std::byte* bytes) {
    return *reinterpret_cast<T*>(bytes);
  }
  template <class T>
  static const T& As(const std::byte* bytes) {
    return *reinterpret_cast<const T*>(bytes);
  }

  void Touch(Row& row, double x, const typename Rule::Step& step, Globals& globals,
             [[maybe_unused]] uint64_t id, [[maybe_unused]] Derived* derived) const {
    if constexpr (kWholeModel) {
      rule_.Touch(row, x, step, globals, id, static_cast<typename Rule::Derived*>(derived));
    } else {
      rule_.Touch(row, x, step, globals);
    }
  }

  bool EndStep(Globals& globals, const typename Rule::Step& step, [[maybe_unused]] Derived* derived) const {
    if constexpr (kWholeModel) {
      return rule_.EndStep(globals, step, static_cast<typename Rule::Derived*>(derived));
    } else {
      return rule_.EndStep(globals, step);
    }
  }

  Outcome OutcomeFor(double margin, double slope, Label label) const {
    const double derivative = rule_.objective.Weighted(slope, label);
    if (!std::isfinite(margin) || std::abs(derivative) > kLargestDerivative) return Outcome::kRejected;
    return rule_.objective.PassesOver(slope) ? Outcome::kSkipped : Outcome::kUpdated;
  }

  // Both counts in one word, so that counting one class is an addition.
  class CountOf {
   public:
    explicit CountOf(Label label)
        : one_(std::bit_cast<uint64_t>(label == Label::kHam ? Counts{.ham = 1} : Counts{.spam = 1})),
          full_(one_ * std::numeric_limits<uint32_t>::max()) {}

    Counts Next(Counts counts, bool live) const {
      const uint64_t both = std::bit_cast<uint64_t>(counts) & (live ? ~uint64_t{0} : 0);
      return std::bit_cast<Counts>((both & full_) == full_ ? both : both + one_);
    }

   private:
    uint64_t one_;
    uint64_t full_;
  };

  // An exponent of all ones carries into the sign's place. No early exit, so that it takes a fraction of a
  // cycle per value.
  static bool AllFinite(std::span<const float> values) {
    uint32_t carries = 0;
    for (const float value : values) carries |= (std::bit_cast<uint32_t>(value) & 0x7FFFFFFFU) + 0x00800000U;
    return carries >> 31 == 0;
  }

  // Whether each word is a finite double, as every counter below 2^63 - 2^52 is.
  static bool AllWordsFinite(std::span<const std::byte> bytes) {
    for (; !bytes.empty(); bytes = bytes.subspan(sizeof(double))) {
      if (!std::isfinite(As<double>(bytes.data()))) return false;
    }
    return true;
  }

  std::string_view name_;
  std::string options_text_;
  Rule rule_;
};

}  // namespace thresher::learners
