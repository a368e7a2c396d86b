// What dense twins are made of: options, loss and learning rate, written a second time and as plainly as
// possible, and the table entries of each file of twins.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/learners/dense_twins.h"

namespace thresher::learners {

inline double Number(const OptionValues& options, std::string_view name) {
  return std::stod(options.find(name)->second);
}
inline bool Is(const OptionValues& options, std::string_view name, std::string_view value) {
  return options.find(name)->second == value;
}

inline double Soft(double v, double c) { return (v < 0 ? -1 : 1) * std::max(std::abs(v) - c, 0.0); }

// How often a new example counts in a step of ftrl, if the features of which `is_seen` holds are known.
template <class IsSeen>
double TimesInStep(const SparseVector& x, Label label, double a, const IsSeen& is_seen) {
  const double c = label == Label::kSpam ? -a : a;
  if (c <= 0) return 1;
  double all = 0;
  double seen = 0;
  for (size_t i = 0; i < x.ids.size(); ++i) {
    const double squared = std::pow(static_cast<double>(x.values[i]), 2);
    all += squared;
    if (is_seen(x.ids[i])) seen += squared;
  }
  const double wrong = 0.05 / (0.05 + 0.95 * std::exp(-c));
  return 1 - 0.9 * wrong * std::pow(all > 0 ? seen / all : 0, 8);
}

struct Driver {
  explicit Driver(OptionValues given) : options(std::move(given)) {}

  double Gradient(double a, Label label) const { return Weighted(Unweighted(a, label), label); }

  double Weighted(double slope, Label label) const {
    return Number(options, label == Label::kSpam ? "spam_weight" : "ham_weight") * slope;
  }

  bool Skips(double a, Label label) const { return SkipsSlope(Unweighted(a, label)); }

  bool SkipsSlope(double slope) const { return std::abs(slope) < Number(options, "min_gradient"); }

  double Unweighted(double a, Label label) const {
    const double y = label == Label::kSpam ? 1 : -1;
    if (Is(options, "loss", "squared")) return a - y;
    if (Is(options, "loss", "hinge")) return y * a < 1 ? -y : 0;
    return y > 0 ? -1 / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));
  }

  double Loss(double a, Label label) const {
    const double y = label == Label::kSpam ? 1 : -1;
    const double factor = Number(options, label == Label::kSpam ? "spam_weight" : "ham_weight");
    if (Is(options, "loss", "squared")) return factor * (a - y) * (a - y) / 2;
    if (Is(options, "loss", "hinge")) return factor * std::max(0.0, 1 - y * a);
    return factor * std::log1p(std::exp(-y * a));
  }

  double Rate(double t) const {
    const double eta0 = Number(options, "learning_rate");
    const double t0 = Number(options, "schedule_horizon");
    if (Is(options, "schedule", "inverse")) return eta0 / (1 + t / t0);
    if (Is(options, "schedule", "inverse-sqrt")) return eta0 / std::sqrt(1 + t / t0);
    return eta0;
  }

  OptionValues options;
};

// The slope for each feature where the features with one value learn in part alone; NaN where it is too small
// for a step. `largest`: λ. `margin` is `intercept` and the sum of all parts; part(i) is w_i x_i.
template <class Part>
std::vector<double> SlopesByGroup(const Driver& driver, const SparseVector& x, Label label, double largest,
                                  double margin, double intercept, const Part& part) {
  const std::set<float> values(x.values.begin(), x.values.end());
  std::vector<double> slopes;
  for (const float value : x.values) {
    double sum = 0;
    for (size_t i = 0; i < x.ids.size(); ++i) {
      if (x.values[i] == value) sum += part(i);
    }
    const auto alike = static_cast<double>(std::ranges::count(x.values, value));
    const double own_part = values.size() < 2 || values.size() > 8 ? 0 : largest * alike / (alike + 30);
    const double own = intercept + static_cast<double>(values.size()) * sum;
    const double slope =
        (1 - own_part) * driver.Unweighted(margin, label) + own_part * driver.Unweighted(own, label);
    slopes.push_back(driver.SkipsSlope(slope) ? std::numeric_limits<double>::quiet_NaN() : slope);
  }
  return slopes;
}

// Learner name -> how to make its twin.
using TwinMaker = std::unique_ptr<DenseTwin> (*)(const OptionValues& complete, size_t dimension);
using TwinMakers = std::map<std::string_view, TwinMaker>;

template <class Twin>
std::unique_ptr<DenseTwin> MakeTwin(const OptionValues& complete, size_t dimension) {
  return std::make_unique<Twin>(complete, dimension);
}

TwinMakers GradientTwins();       // dense_gradient_twins.cc
TwinMakers DualTwins();           // dense_dual_twins.cc
TwinMakers ExpertTwins();         // dense_expert_twin.cc
TwinMakers InteriorPointTwins();  // dense_interior_point_twin.cc

}  // namespace thresher::learners
