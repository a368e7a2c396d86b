// Figures of verdicts: contingency table, misclassification rates with intervals, precision and others.
//
// Called by reports and by the commands replay, jig and eval. Definitions and sources in docs/evaluation.md.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "eval/outcome.h"

namespace thresher::eval {

// Counts of messages by judgement and verdict.
struct ContingencyTable {
  uint64_t ham_as_ham = 0;
  uint64_t ham_as_spam = 0;  // false positives
  uint64_t spam_as_ham = 0;
  uint64_t spam_as_spam = 0;

  uint64_t ham() const { return ham_as_ham + ham_as_spam; }
  uint64_t spam() const { return spam_as_ham + spam_as_spam; }
};

ContingencyTable Tabulate(std::span<const Outcome> outcomes);

// As if every message with at least the score `threshold` had been called spam.
ContingencyTable TabulateAt(double threshold, std::span<const Outcome> outcomes);

// A percentage with its 95 % interval.
struct Percentage {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Nothing when total is 0.
std::optional<double> PercentWrong(uint64_t wrong, uint64_t total);

// The same with Clopper–Pearson's interval.
std::optional<Percentage> MisclassificationRate(uint64_t wrong, uint64_t total);

// Logistic average misclassification in percent. The logits are of (k+½)/(n+1); their variance in the
// interval is 1/(k+½) + 1/(n−k+½) (Gart and Zweifel). Nothing if a class is empty.
std::optional<Percentage> LogisticAverageMisclassification(const ContingencyTable& table);

// The figures of information retrieval and machine learning, with spam as the positive class. Nothing if a
// denominator is 0.
std::optional<double> Precision(const ContingencyTable& table);  // spam among what was called spam
std::optional<double> Recall(const ContingencyTable& table);     // called spam among spam: 1 − sm
std::optional<double> F1(const ContingencyTable& table);         // their harmonic mean
// The correlation of judgement and verdict (Matthews), from −1 to 1.
std::optional<double> MatthewsCorrelation(const ContingencyTable& table);

}  // namespace thresher::eval
