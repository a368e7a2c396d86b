// Twins of learners whose weights are a function of another vector, on which steps are taken.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tests/learners/dense_twin_parts.h"

namespace thresher::learners {
namespace {

class DenseFtrl final : public DenseTwin {
 public:
  DenseFtrl(const OptionValues& options, size_t dimension)
      : DenseTwin(dimension), driver_(options), z_(dimension + 1), n_(dimension + 1) {}

  void Learn(const SparseVector& x, Label label) override {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    const double derivative = driver_.Gradient(margin, label);
    const double times =
        TimesInStep(x, label, margin, [this](uint64_t id) { return z_[id] != 0 || n_[id] != 0; });
    const std::vector<double> slopes =
        SlopesByGroup(driver_, x, label, LaterOption("own_part"), margin, bias_,
                      [&](size_t i) { return weights_[x.ids[i]] * static_cast<double>(x.values[i]); });
    for (size_t i = 0; i < x.ids.size(); ++i) {
      const double g = driver_.Weighted(slopes[i], label) * static_cast<double>(x.values[i]);
      if (!std::isnan(slopes[i])) Accumulate(x.ids[i], g, weights_[x.ids[i]], times);
    }
    const size_t bias = weights_.size();
    if (Is(driver_.options, "bias", "on")) Accumulate(bias, derivative, bias_, 1);
    const double l2 = Number(driver_.options, "l2");
    ++steps_;
    for (size_t j = 0; j < bias; ++j)
      weights_[j] = Argmin(j, L1(), l2, Number(driver_.options, "significance"));
    bias_ = Argmin(bias, 0, 0, 0);
    const double every = Number(driver_.options, "forget_every");
    if (every > 0 && std::fmod(static_cast<double>(steps_), every) == 0) ForgetZeros();
  }

 private:
  double Alpha() const { return Number(driver_.options, "alpha"); }
  double LaterOption(const char* name) const {
    return driver_.options.contains(name) ? Number(driver_.options, name) : 0;
  }
  double L1() const {
    const auto t = static_cast<double>(std::bit_floor(steps_));
    return Number(driver_.options, "l1") * std::pow(t, LaterOption("l1_growth"));
  }

  void Accumulate(size_t j, double g, double weight, double times) {
    const double sigma = (std::sqrt(n_[j] + g * g) - std::sqrt(n_[j])) / Alpha();
    z_[j] += times * g - sigma * weight;
    n_[j] += g * g;
  }

  double Argmin(size_t j, double l1, double l2, double tau) const {
    if (std::abs(z_[j]) <= l1) return 0;
    const auto t = static_cast<double>(std::bit_floor(steps_));
    const double chance = t >= 2 ? std::sqrt(2 * n_[j] * std::log(std::log(2 * t))) : 0;
    if (std::abs(z_[j]) - l1 <= tau * chance) return 0;
    const double beta = Number(driver_.options, "beta") * (1 + Number(driver_.options, "warm_up") / (1 + t));
    return -Soft(z_[j], l1) / ((beta + std::sqrt(n_[j])) / Alpha() + l2);
  }

  void ForgetZeros() {
    const double share = LaterOption("forget_below");
    for (size_t j = 0; j < weights_.size(); ++j) {
      const bool is_kept = share > 0 && std::abs(z_[j]) >= share * L1();
      if (weights_[j] == 0 && !is_kept) z_[j] = n_[j] = 0;
    }
  }

  Driver driver_;
  std::vector<double> z_;  // the bias's come last
  std::vector<double> n_;
  uint64_t steps_ = 0;
};

// The weights are a function of a dual vector on which the gradient steps are taken.
class DenseMirror : public DenseTwin {
 public:
  DenseMirror(const OptionValues& options, size_t dimension)
      : DenseTwin(dimension), driver_(options), dual_(dimension) {}

  void Learn(const SparseVector& x, Label label) final {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    const double g = driver_.Gradient(margin, label);
    const double eta = driver_.Rate(static_cast<double>(steps_));
    for (size_t i = 0; i < x.ids.size(); ++i) {
      Move(x.ids[i], -eta * g * static_cast<double>(x.values[i]));
    }
    if (Is(driver_.options, "bias", "on")) bias_ -= eta * g;
    ++steps_;
    Follow(eta);
  }

 protected:
  virtual void Move(size_t j, double delta) { dual_[j] += delta; }
  virtual void Follow(double eta) = 0;  // the weights, after whatever else happens to the dual vector

  Driver driver_;
  std::vector<double> dual_;
  uint64_t steps_ = 0;
};

// Features beyond those of the twin have log-ratio 0.
class DenseEg final : public DenseMirror {
 public:
  using DenseMirror::DenseMirror;

 private:
  void Follow(double /*eta*/) override {
    double largest = 0;
    for (const double r : dual_) largest = std::max(largest, std::abs(r));
    double sum = Number(driver_.options, "dimension") * std::exp(-largest);
    for (const double r : dual_) {
      sum += (std::exp(r - largest) + std::exp(-r - largest)) / 2 - std::exp(-largest);
    }
    const double z = Number(driver_.options, "radius");
    for (size_t j = 0; j < dual_.size(); ++j) {
      const double r = dual_[j];
      const double sinh = std::abs(r) < 1 ? std::sinh(r) * std::exp(-largest)
                                          : (std::exp(r - largest) - std::exp(-r - largest)) / 2;
      weights_[j] = z * sinh / sum;
    }
  }
};

double Norm(const std::vector<double>& v, double p) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (largest == 0) return 0;
  double sum = 0;
  for (const double x : v) sum += std::pow(std::abs(x) / largest, p);
  return largest * std::pow(sum, 1 / p);
}

// With norm_every above 0, the norm is that of v minus the shrinkage times the slope of the norm. v is θ
// without the shrinkage since the norm was last exact. A coordinate that was shrunk to 0 since then still
// counts in v.
class DenseSmidas final : public DenseMirror {
 public:
  DenseSmidas(const OptionValues& options, size_t dimension)
      : DenseMirror(options, dimension), p_(2 * std::log(Number(options, "dimension"))) {}

 private:
  void Move(size_t j, double delta) override {
    dual_[j] += delta;
    if (unit_ == 0) unit_ = std::abs(dual_[j]);
  }

  void Follow(double eta) override {
    const double shrinkage = eta * Number(driver_.options, "l1");
    for (double& theta : dual_) {
      const double before = std::abs(theta);
      theta = Soft(theta, shrinkage);
      if (before > 0 && theta == 0) gone_.push_back(before + shrunk_);
    }
    shrunk_ += shrinkage;
    const double norm = Number(driver_.options, "norm_every") == 0 ? Norm(dual_, p_) : TrackedNorm();
    for (size_t j = 0; j < dual_.size(); ++j) {
      const double theta = dual_[j];
      weights_[j] = theta == 0 ? 0 : theta * std::pow(std::min(1.0, std::abs(theta) / norm), p_ - 2);
    }
  }

  double TrackedNorm() {
    if (Norm(dual_, p_) == 0) {
      StartAgain();
      return 0;
    }
    std::vector<double> v = gone_;
    for (const double theta : dual_) {
      if (theta != 0) v.push_back(std::abs(theta) + shrunk_);
    }
    const double norm = Norm(v, p_);
    double slope = 0;
    for (const double x : v) slope += std::pow(x / norm, p_ - 1);
    const double in_units = std::pow(norm / unit_, p_);
    const bool old = static_cast<double>(steps_ - since_) >= Number(driver_.options, "norm_every");
    if (old || shrunk_ * slope > norm / 64 || in_units < 0x1p-16 || in_units > 0x1p16) {
      StartAgain();
      for (const double theta : dual_) unit_ = std::max(unit_, std::abs(theta));
      return Norm(dual_, p_);
    }
    return std::max(0.0, norm - shrunk_ * slope);
  }

  void StartAgain() {
    gone_.clear();
    shrunk_ = 0;
    unit_ = 0;
    since_ = steps_;
  }

  double p_;
  std::vector<double> gone_;
  double shrunk_ = 0;
  double unit_ = 0;
  uint64_t since_ = 0;
};

}  // namespace

TwinMakers DualTwins() {
  return {
      {"eg", MakeTwin<DenseEg>},
      {"ftrl", MakeTwin<DenseFtrl>},
      {"smidas", MakeTwin<DenseSmidas>},
  };
}

}  // namespace thresher::learners
