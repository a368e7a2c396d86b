// Twin of adaptive-ftrl. It computes in floats as the learner does: whether a feature is significant can hang
// on the last bit. That the experts are ftrl is tested with doubles in adaptive_ftrl_test.cc.
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "tests/learners/dense_twin_parts.h"

namespace thresher::learners {
namespace {

class DenseExpert {
 public:
  DenseExpert(const OptionValues& options, double alpha, size_t dimension)
      : driver_(options), alpha_(alpha), z_(dimension), root_(dimension) {}

  double Margin(const SparseVector& x) const {
    double sum = Bias();
    for (size_t i = 0; i < x.ids.size(); ++i) sum += Part(x, i);
    return sum;
  }

  bool HasSeen(size_t j) const { return z_[j] != 0 || root_[j] != 0; }

  // `margin`: Margin(x) + shift. `is_seen`: of a feature, whether any expert has seen it.
  template <class IsSeen>
  void Learn(const SparseVector& x, Label label, double margin, double shift, const IsSeen& is_seen) {
    const auto times = static_cast<float>(TimesInStep(x, label, margin, is_seen));
    const std::vector<double> slopes =
        SlopesByGroup(driver_, x, label, 0.5, margin, Bias() + shift, [&](size_t i) { return Part(x, i); });
    for (size_t i = 0; i < x.ids.size(); ++i) {
      if (std::isnan(slopes[i])) continue;
      const size_t j = x.ids[i];
      const float g = static_cast<float>(driver_.Weighted(slopes[i], label)) * x.values[i];
      const float grown = std::sqrt(root_[j] * root_[j] + g * g);
      z_[j] += times * g + (grown - root_[j]) * Ratio(j);
      root_[j] = grown;
    }
    if (driver_.Skips(margin, label)) return;
    const double derivative = driver_.Gradient(margin, label);
    if (Is(driver_.options, "bias", "on")) {
      const double grown = std::hypot(bias_root_, derivative);
      bias_z_ += derivative - (grown - bias_root_) / alpha_ * Bias();
      bias_root_ = grown;
    }
    ++steps_;
  }

  // −w/α
  float Ratio(size_t j) const {
    const auto l1 = static_cast<float>(Number(driver_.options, "l1"));
    const double bound = Clock() >= 2 ? std::sqrt(2 * std::log(std::log(2 * Clock()))) : 0;
    const auto chance = static_cast<float>(Number(driver_.options, "significance") * bound);
    const auto damping = static_cast<float>(Beta() + alpha_ * Number(driver_.options, "l2"));
    const float beyond = std::abs(z_[j]) - l1;
    if (beyond <= 0 || beyond <= chance * root_[j]) return 0;
    return std::copysign(beyond, z_[j]) / (damping + root_[j]);
  }
  double Bias() const { return -alpha_ * bias_z_ / (Beta() + bias_root_); }

  void Forget(size_t j) { z_[j] = root_[j] = 0; }

 private:
  // w_i x_i
  double Part(const SparseVector& x, size_t i) const {
    const float weight = static_cast<float>(-alpha_) * Ratio(x.ids[i]);
    return static_cast<double>(weight) * static_cast<double>(x.values[i]);
  }
  double Clock() const { return static_cast<double>(std::bit_floor(steps_)); }
  double Beta() const {
    return Number(driver_.options, "beta") * (1 + Number(driver_.options, "warm_up") / (1 + Clock()));
  }

  Driver driver_;
  double alpha_;
  std::vector<float> z_;
  std::vector<float> root_;
  double bias_z_ = 0;
  double bias_root_ = 0;
  uint64_t steps_ = 0;
};

class DenseAdaptiveFtrl final : public DenseTwin {
 public:
  DenseAdaptiveFtrl(const OptionValues& options, size_t dimension)
      : DenseTwin(dimension), driver_(options), shares_{1 / 3.0, 1 / 3.0, 1 / 3.0} {
    double alpha = Number(options, "alpha");
    for (int k = 0; k < 3; ++k) {
      experts_.emplace_back(options, alpha, dimension);
      alphas_.push_back(alpha);
      alpha /= Number(options, "spread");
    }
  }

  void Learn(const SparseVector& x, Label label) override {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    std::array<double, 3> margins = {};
    double mean = 0;
    for (size_t k = 0; k < 3; ++k) mean += shares_[k] * (margins[k] = experts_[k].Margin(x));
    for (size_t k = 0; k < 3; ++k) {
      margins[k] += margin - mean;  // only rounding
      losses_[k] = Number(driver_.options, "memory") * losses_[k] + driver_.Loss(margins[k], label);
    }
    for (size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (const double other : losses_) sum += std::exp(losses_[k] - other);
      shares_[k] = 1 / sum;
    }
    std::vector<bool> seen(weights_.size());
    for (size_t j = 0; j < seen.size(); ++j) {
      for (const DenseExpert& expert : experts_) seen[j] = seen[j] || expert.HasSeen(j);
    }
    for (size_t k = 0; k < 3; ++k)
      experts_[k].Learn(x, label, margins[k], margin - mean, [&seen](uint64_t id) { return seen[id]; });
    ++steps_;
    Average();
    const double every = Number(driver_.options, "forget_every");
    if (every > 0 && std::fmod(static_cast<double>(steps_), every) == 0) ForgetZeros();
  }

 private:
  void Average() {
    bias_ = 0;
    for (size_t k = 0; k < 3; ++k) bias_ += shares_[k] * experts_[k].Bias();
    for (size_t j = 0; j < weights_.size(); ++j) {
      float weight = 0;
      for (size_t k = 0; k < 3; ++k) {
        const float factor = static_cast<float>(-alphas_[k]) * static_cast<float>(shares_[k]);
        weight += factor * experts_[k].Ratio(j);
      }
      weights_[j] = static_cast<double>(weight);
    }
  }

  void ForgetZeros() {
    for (size_t j = 0; j < weights_.size(); ++j) {
      bool all_zero = true;
      for (const DenseExpert& expert : experts_) all_zero = all_zero && expert.Ratio(j) == 0;
      if (!all_zero) continue;
      for (DenseExpert& expert : experts_) expert.Forget(j);
    }
  }

  Driver driver_;
  std::vector<DenseExpert> experts_;
  std::vector<double> alphas_;
  std::array<double, 3> losses_ = {};
  std::array<double, 3> shares_;
  uint64_t steps_ = 0;
};

}  // namespace

TwinMakers ExpertTwins() { return {{"adaptive-ftrl", MakeTwin<DenseAdaptiveFtrl>}}; }

}  // namespace thresher::learners
