// What a file in learners/ must define to become a learner: an update rule, which RowLearner turns into a
// Learner.
//
// A rule is a struct of hyper-parameters. Its functions are const and inline; none of them allocates. One
// step on an example x with loss derivative L' runs
//
//   step = BeginStep(globals, L')                  once
//   ReadRow(row, x_j, step, globals)               for each feature  ┐ only rules whose step depends on all
//   FinishReading(given, step, globals)            once              ┘ rows of the example
//   LimitStep(given, each_row, step, globals)      once: only if the step is limited, and of some rules
//   UpdateRow(row, x_j, step, globals)             for each feature: the gradient's part
//   EndStep(globals, step)                         once: bias, penalties, clock; true = a rebase is due
//
// and a rebase, which rewrites all rows in new units,
//
//   Rebase(row, globals)                           for each row of the model
//   FinishRebase(globals)                          once; true = pass over all rows again
//
// Used by RowLearner, which checks these concepts of its rule. Thread-safety: compile time only.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

#include "learners/learner.h"
#include "learners/loss/objective.h"

namespace thresher::learners {

// State that is stored as its bytes: no padding, a multiple of 8 bytes.
template <class T>
concept StoredState = std::is_trivially_copyable_v<T> && std::is_aggregate_v<T> && sizeof(T) % 8 == 0 &&
                      alignof(T) <= 8;

// One feature's state: its counts, then doubles, or floats that IsSound checks. All zero = never seen.
template <class T>
concept FeatureRow = StoredState<T> && std::is_standard_layout_v<T> && requires(T row) {
  { row.counts } -> std::same_as<Counts&>;
  requires offsetof(T, counts)
  == 0;
};

// What a step is given besides the features.
struct LabelledMargin {
  double margin = 0;
  Label label = Label::kHam;
  Occasion occasion = Occasion::kNew;
};

// What every rule has. Globals is the state of the whole model; its default value is that of a new model.
// Step holds what one step computes once for all its features.
template <class Rule>
concept CommonRule = FeatureRow<typename Rule::Row> && StoredState<typename Rule::Globals> &&
    std::is_trivially_copyable_v<typename Rule::Step> &&
    requires(const Rule& rule, typename Rule::Row& row, const typename Rule::Row& seen,
             typename Rule::Globals& globals, const typename Rule::Globals& current, double derivative) {
  { rule.objective } -> std::convertible_to<const Objective&>;
  { rule.Intercept(current) } -> std::same_as<double>;     // the bias b
  { rule.Weight(seen, current) } -> std::same_as<double>;  // the current weight
  { rule.IsLive(seen, current) } -> std::same_as<bool>;    // differs from a never-seen row
  { rule.BeginStep(current, derivative) } -> std::same_as<typename Rule::Step>;
  { rule.Rebase(row, globals) } -> std::same_as<void>;
  { rule.FinishRebase(globals) } -> std::same_as<bool>;
};

// A step reads and writes the rows of the example's features only.
template <class Rule>
concept LocalRule = CommonRule<Rule> &&
    requires(const Rule& rule, typename Rule::Row& row, double x, const typename Rule::Step& step,
             typename Rule::Globals& globals) {
  { rule.UpdateRow(row, x, step, globals) } -> std::same_as<void>;
  { rule.EndStep(globals, step) } -> std::same_as<bool>;
};

// A step also depends on all other rows, through what is derived from them. NewDerived returns null where the
// options need nothing derived; AddRow is then called for every row, in any order.
template <class Rule>
concept WholeModelRule = CommonRule<Rule> && std::derived_from<typename Rule::Derived, Derived> &&
    requires(const Rule& rule, typename Rule::Row& row, const typename Rule::Row& seen, double x,
             const typename Rule::Step& step, typename Rule::Globals& globals,
             const typename Rule::Globals& current, typename Rule::Derived& derived) {
  { rule.NewDerived(current) } -> std::same_as<std::unique_ptr<typename Rule::Derived>>;
  { rule.AddRow(seen, current, derived) } -> std::same_as<void>;
  { rule.FinishDerived(derived) } -> std::same_as<void>;
  { rule.UpdateRow(row, x, step, globals, &derived) } -> std::same_as<void>;
  { rule.EndStep(globals, step, &derived) } -> std::same_as<bool>;
};

template <class Rule>
concept UpdateRule = LocalRule<Rule> || WholeModelRule<Rule>;

// Optional: a new model's globals depend on the options.
template <class Rule>
concept HasInitialGlobals = requires(const Rule& rule) {
  { rule.InitialGlobals() } -> std::same_as<typename Rule::Globals>;
};

// Optional: Weigher(globals) computes once what the weights of many rows have in common, and returns the
// function from a row to its weight.
template <class Rule>
concept PreparesWeights = requires(const Rule& rule, const typename Rule::Row& seen,
                                   const typename Rule::Globals& current) {
  { rule.Weigher(current)(seen) } -> std::same_as<double>;
};

// Optional: the rule reads all rows of the example before it updates one: the length of the step, or another
// property of it, depends on all of them. ReadRow may bring the row current.
template <class Rule>
concept ReadsRowsFirst = requires(const Rule& rule, typename Rule::Row& row, double x,
                                  typename Rule::Step& step, typename Rule::Globals& globals,
                                  const typename Rule::Globals& current, const LabelledMargin& given) {
  { rule.ReadRow(row, x, step, current) } -> std::same_as<void>;
  { rule.FinishReading(given, step, globals) } -> std::same_as<void>;
};

// Optional: the rule reads the rows first for some examples only. FinishReading is called for all.
template <class Rule>
concept SkipsReading = ReadsRowsFirst<Rule> && requires(const Rule& rule, const LabelledMargin& given) {
  { rule.MustReadRows(given) } -> std::same_as<bool>;
};

// What LimitStep can call any number of times: it calls its argument with each row of the example.
template <class Row>
using EachRow = std::function<void(const std::function<void(const Row& row, double x)>&)>;

template <class Rule>
concept HasLimitStep = requires(const Rule& rule, typename Rule::Step& step, const LabelledMargin& given,
                                const typename Rule::Globals& current,
                                const EachRow<typename Rule::Row>& each_row) {
  rule.LimitStep(given, each_row, step, current);
};

// Optional: the gradient may count more or less than once. In a limited step (Occasion) LimitStep makes it
// count no more than it must. It takes any type like EachRow. TimesTaken says how often it counts.
template <class Rule>
concept LimitsSteps = HasLimitStep<Rule> &&
    requires(const Rule& rule, const typename Rule::Step& step, const typename Rule::Globals& current) {
  { rule.TimesTaken(step, current) } -> std::same_as<double>;
};

// Optional: a new row can begin with the learning rate of another one. Not for rules of whole models, which
// would not learn of the row.
template <class Rule>
concept TakesRate = requires(const Rule& rule, typename Rule::Row& row, const typename Rule::Row& other) {
  rule.TakeRate(row, other);
};

// Optional: learning can continue from weights found elsewhere. AdvanceClock makes a new model's globals
// those of a model that took `steps` steps; WarmStartRow gets a never-seen row.
template <class Rule>
concept WarmStarts = requires(const Rule& rule, typename Rule::Row& row, typename Rule::Globals& globals,
                              uint64_t steps, const FittedWeight& fitted) {
  { rule.AdvanceClock(steps, globals) } -> std::same_as<void>;
  { rule.WarmStartRow(fitted, row, globals) } -> std::same_as<void>;
};

// Optional: the globals hold more than doubles and counters, so that a check of each word is not enough.
template <class Rule>
concept ChecksGlobals = requires(const Rule& rule, const typename Rule::Globals& globals) {
  { rule.AreSound(globals) } -> std::same_as<bool>;
};

// Optional: not every row of finite doubles is possible.
template <class Rule>
concept ChecksRows = requires(const Rule& rule, const typename Rule::Row& row,
                              const typename Rule::Globals& globals) {
  { rule.IsSound(row, globals) } -> std::same_as<bool>;
};

// False for a rule that has some functions of an optional capability but not all, or one of another type:
// such a capability would silently go unused. And for one with two that exclude each other.
template <class Rule>
concept CapabilitiesAreComplete =
    (ReadsRowsFirst<Rule> || !(
                                 requires { &Rule::ReadRow; } || requires { &Rule::FinishReading; })) &&
    (SkipsReading<Rule> || !requires { &Rule::MustReadRows; }) &&
    (WarmStarts<Rule> || !(
                             requires { &Rule::AdvanceClock; } || requires { &Rule::WarmStartRow; })) &&
    (TakesRate<Rule> || !requires { &Rule::TakeRate; }) &&
    (LimitsSteps<Rule> || !(HasLimitStep<Rule> || requires { &Rule::TimesTaken; })) &&
    (PreparesWeights<Rule> || !requires { &Rule::Weigher; }) &&
    (HasInitialGlobals<Rule> || !requires { &Rule::InitialGlobals; }) &&
    (ChecksGlobals<Rule> || !requires { &Rule::AreSound; }) &&
    (ChecksRows<Rule> || !requires { &Rule::IsSound; }) &&
    (WholeModelRule<Rule> || !requires { typename Rule::Derived; }) &&
    (!WholeModelRule<Rule> || !TakesRate<Rule>);

}  // namespace thresher::learners
