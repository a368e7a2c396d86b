// The twin of interior-point.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learners/dense_twin_parts.h"

namespace thresher::learners {
namespace {

// Fig. 1 and Eq. 13 of the paper on every coordinate. One extra coordinate stands for all features that never
// occur.
class DenseInteriorPoint final : public DenseTwin {
 public:
  DenseInteriorPoint(const OptionValues& options, size_t dimension)
      : DenseTwin(dimension), driver_(options), seen_(dimension) {
    for (const double sign : {1.0, -1.0}) {
      const Side side = {.sign = sign, .b = Value("initial_b"), .z = Value("initial_z")};
      sides_.insert(sides_.end(), dimension + 1, side);
    }
  }

  void Learn(const SparseVector& x, Label label) override {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    const double r = -Value("loss_scale") * driver_.Gradient(margin, label);
    const double mu = std::max(Centering() * MeanProduct(), kFloor * kFloor);
    const double n = Value("examples") + (Is(driver_.options, "examples_grow", "on") ? steps_ : 0.0);
    std::vector<double> gradient(seen_.size() + 1);
    for (size_t i = 0; i < x.ids.size(); ++i) {
      gradient[x.ids[i]] = r * static_cast<double>(x.values[i]);
      if (gradient[x.ids[i]] != 0) seen_[x.ids[i]] = true;
    }
    for (size_t i = 0; i < sides_.size(); ++i) {
      Side& s = sides_[i];
      const double pull = s.sign * gradient[i % gradient.size()] - Value("l1") / n;
      s.db = (pull + mu / s.b) / (1 + s.z / s.b);
      s.dz = mu / s.b - s.z - s.db * s.z / s.b;
    }
    const double a = LongestStep();
    for (Side& s : sides_) {
      s.b = std::max(s.b + a * s.db, kFloor);
      s.z = std::max(s.z + a * s.dz, kFloor);
    }
    for (size_t j = 0; j < weights_.size(); ++j) weights_[j] = sides_[j].b - sides_[j + gradient.size()].b;
    if (Is(driver_.options, "bias", "on")) bias_ += a * r;
    ++steps_;
  }

 private:
  static constexpr double kFloor = 1e-150;
  struct Side {
    double sign = 1;
    double b = 0;
    double z = 0;
    double db = 0;
    double dz = 0;
  };

  double Value(std::string_view option) const { return Number(driver_.options, option); }

  double Centering() const {
    const double elapsed = 1 + steps_ / Value("centering_horizon");
    if (Is(driver_.options, "centering_schedule", "inverse")) return Value("centering") / elapsed;
    if (Is(driver_.options, "centering_schedule", "inverse-sqrt")) {
      return Value("centering") / std::sqrt(elapsed);
    }
    return Value("centering");
  }

  double MeanProduct() const {
    const double others = sides_.back().b * sides_.back().z;
    double features = 0;
    double sum = 0;
    for (size_t j = 0; j < seen_.size(); ++j) {
      if (!seen_[j]) continue;
      const Side& negative = sides_[j + seen_.size() + 1];
      sum += sides_[j].b * sides_[j].z + negative.b * negative.z;
      ++features;
    }
    const double all = std::max(features, Value("dimension"));
    return (sum + 2 * (all - features) * others) / (2 * all);
  }

  double LongestStep() const {
    double a = driver_.Rate(steps_);
    for (const Side& s : sides_) {
      if (s.dz < 0) a = std::min(a, 0.995 * -s.z / s.dz);
    }
    while (std::ranges::any_of(sides_, [a](const Side& s) { return s.b + a * s.db <= 0; })) a /= 2;
    return a;
  }

  Driver driver_;
  std::vector<bool> seen_;
  std::vector<Side> sides_;  // b⁺ of all features and of the extra one, then b⁻
  double steps_ = 0;
};

}  // namespace

TwinMakers InteriorPointTwins() {
  return {
      {"interior-point", MakeTwin<DenseInteriorPoint>},
  };
}

}  // namespace thresher::learners
