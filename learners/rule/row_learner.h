// RowLearner<Rule>: the Learner of an update rule (update_rule.h).
//
// Used by the files of single learners. All that learners have in common is here: the conversion of bytes to
// rows and globals, the loops over features, counting, skipping of examples, and checks.
//
// Nothing overflows. A step is taken only for |L'| ≤ 2^64 (of groups: ftrl/value_groups.h) and finite x (a
// float, so |x| < 2^128); rates and penalties are below 2^20. So in 2^64 steps no weight exceeds 2^276 and no
// margin 2^436. Thread-safety: as Learner.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "learners/learner.h"
#include "learners/loss/objective.h"
#include "learners/options.h"
#include "learners/rule/update_rule.h"

namespace thresher::learners {

template <UpdateRule Rule>
requires CapabilitiesAreComplete<Rule>
class RowLearner final : public Learner {
  using Row = typename Rule::Row;
  using Globals = typename Rule::Globals;
  using Step = typename Rule::Step;

 public:
  RowLearner(std::string_view name, std::string options_text, const Rule& rule)
      : Learner({.name = std::string(name),
                 .options_text = std::move(options_text),
                 .row_bytes = sizeof(Row),
                 .globals_bytes = sizeof(Globals),
                 .can_warm_start = WarmStarts<Rule>}),
        rule_(rule) {}

  void InitGlobals(std::span<std::byte> bytes, [[maybe_unused]] uint64_t steps) const override {
    auto& globals = As<Globals>(bytes.data());
    if constexpr (HasInitialGlobals<Rule>) {
      globals = rule_.InitialGlobals();
    } else {
      globals = Globals();
    }
    if constexpr (WarmStarts<Rule>) rule_.AdvanceClock(steps, globals);
  }

  double Score(const SparseVector& x, std::span<const std::byte* const> rows,
               std::span<const std::byte> globals_bytes) const override {
    const Globals globals = As<Globals>(globals_bytes.data());
    const std::span<const float> values = x.values;
    const auto weight_of = Weigher(globals);
    double sum = 0;
    ForEachAhead(rows, [&, values, weight_of](size_t i) {
      if (rows[i] == nullptr) return;
      sum += weight_of(As<Row>(rows[i])) * static_cast<double>(values[i]);
    });
    return sum + rule_.Intercept(globals);
  }

  bool WouldUpdate(double margin, Label label) const override {
    return OutcomeFor(margin, rule_.objective.Slope(margin, label), label) == Outcome::kUpdated;
  }

  double MarginOfMistake(Label label) const override {
    return learners::MarginOfMistake(rule_.objective.loss, label);
  }

  std::unique_ptr<Derived> Derive([[maybe_unused]] const RowSource& rows,
                                  [[maybe_unused]] std::span<const std::byte> bytes) const override {
    if constexpr (WholeModelRule<Rule>) {
      const auto& globals = As<Globals>(bytes.data());
      auto derived = rule_.NewDerived(globals);
      if (derived == nullptr) return nullptr;
      rows([&](uint64_t /*id*/, const std::byte* row) { rule_.AddRow(As<Row>(row), globals, *derived); });
      rule_.FinishDerived(*derived);
      return derived;
    } else {
      return nullptr;
    }
  }

  Update Learn(const SparseVector& x, Label label, double margin, std::span<std::byte* const> rows,
               std::span<std::byte> globals_bytes, Derived* derived, Occasion occasion) const override {
    const double slope = rule_.objective.Slope(margin, label);
    const Outcome outcome = OutcomeFor(margin, slope, label);
    if (outcome != Outcome::kUpdated) return {.outcome = outcome};
    if (!AllFinite(x.values)) return {.outcome = Outcome::kRejected};

    Globals globals = As<Globals>(globals_bytes.data());  // a copy, so that it can live in registers
    Step step = rule_.BeginStep(globals, rule_.objective.Weighted(slope, label));
    const LabelledMargin given{.margin = margin, .label = label, .occasion = occasion};
    if constexpr (ReadsRowsFirst<Rule>) {
      if (MustReadRows(given)) {
        ForEachAhead(rows, [&](size_t i) {
          rule_.ReadRow(As<Row>(rows[i]), static_cast<double>(x.values[i]), step, globals);
        });
      }
      rule_.FinishReading(given, step, globals);
    }
    double excess = 0;
    if constexpr (LimitsSteps<Rule>) {
      if (occasion.IsLimited()) {
        const auto each_row = [&](const auto& visit) {
          ForEachAhead(rows, [&](size_t i) {
            visit(std::as_const(As<Row>(rows[i])), static_cast<double>(x.values[i]));
          });
        };
        rule_.LimitStep(given, each_row, step, globals);
        excess = std::max(rule_.TimesTaken(step, globals) - 1, 0.0) *
                 std::abs(slope / rule_.objective.Slope(MarginOfMistake(label), label));
      }
    }
    const CountOf count(label);
    ForEachAhead(rows, [&](size_t i) {
      Row& row = As<Row>(rows[i]);
      row.counts = count.Next(row.counts, rule_.IsLive(row, globals));
      UpdateRow(row, static_cast<double>(x.values[i]), step, globals, derived);
    });
    const bool rebase_due = EndStep(globals, step, derived);
    As<Globals>(globals_bytes.data()) = globals;
    return {.outcome = Outcome::kUpdated, .rebase_due = rebase_due, .excess = excess};
  }

  void TakeRate([[maybe_unused]] std::byte* row, [[maybe_unused]] const std::byte* other) const override {
    if constexpr (TakesRate<Rule>) {
      Row begun;  // the counts of a row that is not live depend on whether it was pruned
      rule_.TakeRate(begun, As<Row>(other));
      As<Row>(row) = begun;
    }
  }

  double Weight(const std::byte* row, std::span<const std::byte> globals) const override {
    return rule_.Weight(As<Row>(row), As<Globals>(globals.data())) + 0.0;  // −0 becomes 0
  }

  void FindWeighing(std::span<const std::byte* const> rows, std::span<const std::byte> globals_bytes,
                    std::span<uint8_t> weighs) const override {
    const Globals globals = As<Globals>(globals_bytes.data());
    const auto weight_of = Weigher(globals);
    for (size_t i = 0; i < rows.size(); ++i) weighs[i] = weight_of(As<Row>(rows[i])) != 0 ? 1 : 0;
  }

  bool IsLive(const std::byte* row, std::span<const std::byte> globals) const override {
    return rule_.IsLive(As<Row>(row), As<Globals>(globals.data()));
  }

  void WarmStartRow([[maybe_unused]] const FittedWeight& fitted, [[maybe_unused]] std::byte* row,
                    [[maybe_unused]] std::span<std::byte> globals) const override {
    if constexpr (WarmStarts<Rule>) {
      As<Row>(row).counts = fitted.counts;
      rule_.WarmStartRow(fitted, As<Row>(row), As<Globals>(globals.data()));
    }
  }

  bool AreGlobalsSound(std::span<const std::byte> bytes) const override {
    const auto& globals = As<Globals>(bytes.data());
    if constexpr (ChecksGlobals<Rule>) {
      if (!rule_.AreSound(globals)) return false;
    } else if (!AllWordsFinite(bytes)) {
      return false;
    }
    return std::isfinite(rule_.Intercept(globals)) && rule_.Weight(Row(), globals) == 0;
  }

  bool IsSound(const std::byte* row, std::span<const std::byte> globals) const override {
    if (!AllWordsFinite({row + sizeof(Counts), sizeof(Row) - sizeof(Counts)})) return false;
    if constexpr (ChecksRows<Rule>) {
      if (!rule_.IsSound(As<Row>(row), As<Globals>(globals.data()))) return false;
    }
    return std::isfinite(Weight(row, globals));
  }

  void Rebase(const MutableRowSource& rows, std::span<std::byte> bytes) const override {
    auto& globals = As<Globals>(bytes.data());
    do {
      rows([&](std::byte* row) { rule_.Rebase(As<Row>(row), globals); });
    } while (rule_.FinishRebase(globals));
  }

 private:
  static constexpr double kLargestDerivative = 0x1p64;
  static constexpr size_t kPrefetched = 32;  // rows that are fetched ahead of the one in use

  // A row of more than two words may lie across two cache lines.
  template <class Byte>
  static void Prefetch(Byte* row) {
    constexpr int kForWriting = std::is_const_v<Byte> ? 0 : 1;
    __builtin_prefetch(row, kForWriting);
    if constexpr (sizeof(Row) > 16) {
      __builtin_prefetch(row == nullptr ? row : row + sizeof(Row) - 1, kForWriting);
    }
  }

  // Calls visit(i) for each row, in order, and prefetches the rows ahead.
  template <class Byte, class Visit>
  static void ForEachAhead(std::span<Byte* const> rows, Visit visit) {
    size_t i = 0;
    for (; i + kPrefetched < rows.size(); ++i) {
      Prefetch(rows[i + kPrefetched]);
      visit(i);
    }
    for (; i < rows.size(); ++i) visit(i);
  }

  // The bytes as the object they hold. Rows are 8-byte aligned. Both types are aggregates, whose objects are
  // created implicitly in storage for bytes.
  template <class T>
  static T& As(std::byte* bytes) {
    return *reinterpret_cast<T*>(bytes);
  }
  template <class T>
  static const T& As(const std::byte* bytes) {
    return *reinterpret_cast<const T*>(bytes);
  }

  auto Weigher(const Globals& globals) const {
    if constexpr (PreparesWeights<Rule>) {
      return rule_.Weigher(globals);
    } else {
      return [this, &globals](const Row& row) { return rule_.Weight(row, globals); };
    }
  }

  bool MustReadRows([[maybe_unused]] const LabelledMargin& given) const {
    if constexpr (SkipsReading<Rule>) {
      return rule_.MustReadRows(given);
    } else {
      return true;
    }
  }

  void UpdateRow(Row& row, double x, const Step& step, Globals& globals,
                 [[maybe_unused]] Derived* derived) const {
    if constexpr (WholeModelRule<Rule>) {
      rule_.UpdateRow(row, x, step, globals, static_cast<typename Rule::Derived*>(derived));
    } else {
      rule_.UpdateRow(row, x, step, globals);
    }
  }

  bool EndStep(Globals& globals, const Step& step, [[maybe_unused]] Derived* derived) const {
    if constexpr (WholeModelRule<Rule>) {
      return rule_.EndStep(globals, step, static_cast<typename Rule::Derived*>(derived));
    } else {
      return rule_.EndStep(globals, step);
    }
  }

  Outcome OutcomeFor(double margin, double slope, Label label) const {
    const double derivative = rule_.objective.Weighted(slope, label);
    if (!std::isfinite(margin) || std::abs(derivative) > kLargestDerivative) return Outcome::kRejected;
    return rule_.objective.Skips(slope) ? Outcome::kSkipped : Outcome::kUpdated;
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

  // Adding one to an exponent of all ones carries into the sign bit. There is no early exit, so that the
  // compiler vectorises the loop.
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

  Rule rule_;
};

// The LearnerSpec::make of a rule that is made from its options.
template <class Rule>
std::unique_ptr<Learner> MakeRowLearner(std::string_view name, std::span<const OptionSpec> options,
                                        const OptionValues& complete) {
  return std::make_unique<RowLearner<Rule>>(name, FormatOptions(options, complete), Rule(complete));
}

}  // namespace thresher::learners
