// Online Newton steps for (A, B) on the log-loss of A·margin + B where the share ε of the labels is wrong:
// −log q, q = ε + (1 − 2ε)σ(ya), for the label y. Otherwise a few wrong labels, which margins contradict,
// make the curve so flat that no message is surely spam. Each label is wrong with the probability r, by
// Bayes' rule, and ε follows the mean of the last N of these: expectation maximisation, one example at a
// time.
//
//   ε ← ε + (r − ε)/N, within .003 and .1                 r = ε(1 − σ(ya))/q
//   θ ← θ + (H + H0 + b(a)φφᵀ)⁻¹ φ (1 − ε/q)(y01 − p)     φ = (margin, 1), θ = (A, B), a = θᵀφ, p = σ(a)
//   H ← (1 − h/W) H + h φφᵀ                               h = p(1 − p)
//
// Each line uses what those above it have changed.
// b(a) = tanh(a/2)/(2a) is an upper bound of the curvature of the loss along the step, so that no single
// example can make it overshoot. H decays in proportion to the information h of an example, not per example:
// a long run of one class that is classified with confidence neither changes (A, B) nor erases what is known.
// H0 limits the first steps to a few units of log-odds. It is stated in units of the margins' own scale, so
// that the scale of a learner's margins does not matter.
//
// The average with σ(margin) has the weights of Bayes' rule: over n examples its log-loss on such labels is
// at most that of either plus log(1/weight)/n, but for the decay.
//
// The model of wrong labels: Bootkrajang & Kabán, "Label-Noise Robust Logistic Regression and Its
// Applications" (2012).
#include "learners/loss/calibration.h"

#include <algorithm>
#include <cmath>

namespace thresher::learners {
namespace {

constexpr uint64_t kIdentityUntil = 20;  // of each class
constexpr double kLeastWrong = 0.003;    // ε
constexpr double kMostWrong = 0.1;
constexpr double kLabels = 500;       // N
constexpr double kTrustKept = 0.999;  // per example
constexpr double kWindow = 50;        // W: the information of 200 examples with p = 1/2
constexpr double kPrior = 0.3;        // H0 in units of the scale
constexpr double kFirstSlope = 2;     // A in units of 1/scale
constexpr double kFlattest = 0.01;    // least A in units of 1/scale
constexpr double kFarthest = 32;      // steps are those of margins clamped to this many scales
constexpr double kLargestMargin = 1e100;
constexpr double kSmallestScale = 1e-100;

double Sigmoid(double a) { return a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a)); }

double SideOf(Label label) { return label == Label::kSpam ? 1 : -1; }

// q: that a message is taught under a label. `a`: the log-odds that this is its class.
double ProbabilityOfLabel(double a, double share_wrong) {
  return share_wrong + (1 - 2 * share_wrong) * Sigmoid(a);
}

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
  const double side = SideOf(label);
  const double error =
      side * Sigmoid(-side * a) * (1 - state->share_wrong / ProbabilityOfLabel(side * a, state->share_wrong));
  const double bound = CurvatureBound(a);
  const double slope_slope = state->slope_information + kPrior * scale * scale + bound * margin * margin;
  const double slope_intercept = state->cross_information + bound * margin;
  const double intercept_intercept = state->intercept_information + kPrior + bound;
  const double determinant = slope_slope * intercept_intercept - slope_intercept * slope_intercept;
  state->slope += error * (intercept_intercept * margin - slope_intercept) / determinant;
  state->intercept += error * (slope_slope - slope_intercept * margin) / determinant;
  state->slope = std::max(state->slope, kFlattest / scale);
}

void UpdateTrust(double margin, Label label, Calibration* state) {
  static constexpr Calibration kFirst;
  const double side = SideOf(label);
  const double calibrated =
      ProbabilityOfLabel(side * (state->slope * margin + state->intercept), state->share_wrong);
  const double gained = std::log(calibrated / ProbabilityOfLabel(side * margin, state->share_wrong));
  state->trust = kFirst.trust + kTrustKept * (state->trust - kFirst.trust) + gained;
}

void UpdateShareWrong(double margin, Label label, Calibration* state) {
  const double a = SideOf(label) * (state->slope * margin + state->intercept);
  const double before = state->share_wrong;
  const double wrong = before * Sigmoid(-a) / ProbabilityOfLabel(a, before);
  state->share_wrong = std::clamp(before + (wrong - before) / kLabels, kLeastWrong, kMostWrong);
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
  const bool is_share = share_wrong >= kLeastWrong && share_wrong <= kMostWrong;
  return slope > 0 && is_share &&
         finite(slope, intercept, ham_scale, spam_scale, slope_information, cross_information,
                intercept_information, trust);
}

double Calibration::Share(double doubt) const {
  return std::min(ham, spam) < kIdentityUntil ? 0 : Sigmoid(trust - doubt);
}

double Calibration::Probability(double margin, double doubt) const {
  const double share = Share(doubt);
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
  UpdateTrust(margin, label, this);
  margin = std::clamp(margin, -kFarthest * scale, kFarthest * scale);
  UpdateShareWrong(margin, label, this);
  StepTowards(margin, label, scale, this);
  UpdateInformation(margin, this);
}

}  // namespace thresher::learners
