// Online Newton steps for (A, B) on the logistic loss of A·margin + B.
//
//   θ ← θ + (H + H0 + b(a)φφᵀ)⁻¹ φ (y01 − p)       φ = (margin, 1), θ = (A, B), a = θᵀφ, p = σ(a)
//   H ← (1 − h/W) H + h φφᵀ                        h = p(1 − p)
//
// b(a) = tanh(a/2)/(2a) is an upper bound of the curvature of the loss along the step, so that no single
// example can make it overshoot. H decays in proportion to the information h of an example, not per example:
// a long run of one class that is classified with confidence neither changes (A, B) nor erases what is known.
// H0 limits the first steps to a few units of log-odds. It is stated in units of the margins' own scale, so
// that the scale of a learner's margins does not matter.
//
// The average with σ(margin) has the weights of Bayes' rule: over n examples its log-loss is at most that of
// either plus log(1/weight)/n, but for the decay.
#include "learners/loss/calibration.h"

#include <algorithm>
#include <cmath>

namespace thresher::learners {
namespace {

constexpr uint64_t kIdentityUntil = 20;  // of each class
constexpr double kTrustKept = 0.999;     // per example
constexpr double kMostTrustGained = 5;   // by one example
constexpr double kWindow = 50;           // W: the information of 200 examples with p = 1/2
constexpr double kPrior = 0.3;           // H0 in units of the scale
constexpr double kFirstSlope = 2;        // A in units of 1/scale
constexpr double kFlattest = 0.01;       // least A in units of 1/scale
constexpr double kFarthest = 32;         // margins are clamped to this many scales
constexpr double kLargestMargin = 1e100;
constexpr double kSmallestScale = 1e-100;

double Sigmoid(double a) { return a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a)); }

double CurvatureBound(double a) {
  const double size = std::abs(a);
  return size < 1e-3 ? 0.25 : std::tanh(size / 2) / (2 * size);
}

// One step of a running median of positive numbers. It moves by factors, so that neither the scale of the
// numbers nor the size of an outlier matters.
void FollowMedian(double value, uint64_t seen, double* median) {
  const double factor = seen <= kIdentityUntil ? 1.125 : 1.015625;
  if (*median == 0) {
    *median = value;
  } else {
    *median = value > *median ? *median * factor : *median / factor;
  }
}

void StepTowards(double margin, Label label, double scale, Calibration* state) {
  const double a = state->slope * margin + state->intercept;
  const double error = (label == Label::kSpam ? 1 : 0) - Sigmoid(a);
  const double bound = CurvatureBound(a);
  const double slope_slope = state->slope_information + kPrior * scale * scale + bound * margin * margin;
  const double slope_intercept = state->cross_information + bound * margin;
  const double intercept_intercept = state->intercept_information + kPrior + bound;
  const double determinant = slope_slope * intercept_intercept - slope_intercept * slope_intercept;
  state->slope += error * (intercept_intercept * margin - slope_intercept) / determinant;
  state->intercept += error * (slope_slope - slope_intercept * margin) / determinant;
  state->slope = std::max(state->slope, kFlattest / scale);
}

// log(1 + exp(a)), the log-loss of the log-odds −a of what happened.
double LogLoss(double a) { return a > 0 ? a + std::log1p(std::exp(-a)) : std::log1p(std::exp(a)); }

void UpdateTrust(double margin, Label label, Calibration* state) {
  static constexpr Calibration kFirst;
  const double side = label == Label::kSpam ? -1 : 1;
  const double gained = LogLoss(side * margin) - LogLoss(side * (state->slope * margin + state->intercept));
  state->trust = kFirst.trust + kTrustKept * (state->trust - kFirst.trust) +
                 std::clamp(gained, -kMostTrustGained, kMostTrustGained);
}

void UpdateInformation(double margin, Calibration* state) {
  const double p = Sigmoid(state->slope * margin + state->intercept);
  const double information = p * (1 - p);
  const double kept = 1 - information / kWindow;
  state->slope_information = kept * state->slope_information + information * margin * margin;
  state->cross_information = kept * state->cross_information + information * margin;
  state->intercept_information = kept * state->intercept_information + information;
}

}  // namespace

bool Calibration::IsSound() const {
  const auto finite = [](auto... values) { return (std::isfinite(values) && ...); };
  return slope > 0 && finite(slope, intercept, ham_scale, spam_scale, slope_information, cross_information,
                             intercept_information, trust);
}

double Calibration::Share() const { return std::min(ham, spam) < kIdentityUntil ? 0 : Sigmoid(trust); }

double Calibration::Probability(double margin) const {
  const double share = Share();
  return share * Sigmoid(slope * margin + intercept) + (1 - share) * Sigmoid(margin);
}

void Calibration::Learn(double margin, Label label) {
  if (!std::isfinite(margin)) return;
  margin = std::clamp(margin, -kLargestMargin, kLargestMargin);
  uint64_t& seen = label == Label::kSpam ? spam : ham;
  ++seen;
  FollowMedian(std::abs(margin), seen, label == Label::kSpam ? &spam_scale : &ham_scale);
  if (std::min(ham, spam) < kIdentityUntil) return;

  const double scale = std::max((ham_scale + spam_scale) / 2, kSmallestScale);
  const bool first = seen == kIdentityUntil;
  if (first) slope = kFirstSlope / scale;
  margin = std::clamp(margin, -kFarthest * scale, kFarthest * scale);
  UpdateTrust(margin, label, this);
  StepTowards(margin, label, scale, this);
  UpdateInformation(margin, this);
}

}  // namespace thresher::learners
