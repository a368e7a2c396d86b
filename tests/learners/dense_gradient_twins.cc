// Twins of learners that take a gradient step on the weights and then change every weight.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/learners/dense_twin_parts.h"

namespace thresher::learners {
namespace {

// A gradient step, then what `Regularise` does to every weight.
class DenseGradient : public DenseTwin {
 public:
  DenseGradient(const OptionValues& options, size_t dimension) : DenseTwin(dimension), driver_(options) {}

  void Learn(const SparseVector& x, Label label) final {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    const double g = driver_.Gradient(margin, label);
    const double eta = driver_.Rate(static_cast<double>(steps_));
    for (size_t i = 0; i < x.ids.size(); ++i)
      weights_[x.ids[i]] -= eta * g * static_cast<double>(x.values[i]);
    if (Is(driver_.options, "bias", "on")) bias_ -= eta * g;
    Regularise(eta);
    ++steps_;
  }

 protected:
  virtual void Regularise(double eta) = 0;

  Driver driver_;
  uint64_t steps_ = 0;
};

class DenseSgd final : public DenseGradient {
 public:
  using DenseGradient::DenseGradient;

 private:
  void Regularise(double eta) override {
    const double l1 = Number(driver_.options, "l1");
    const double l2 = Number(driver_.options, "l2");
    for (double& w : weights_) w = Soft((1 - eta * l2) * w, eta * l1);
  }
};

class DenseFobos final : public DenseGradient {
 public:
  using DenseGradient::DenseGradient;

 private:
  void Regularise(double eta) override {
    const double l1 = Number(driver_.options, "l1");
    const double l2 = Number(driver_.options, "l2");
    for (double& w : weights_) w = Soft(w, eta * l1) / (1 + eta * l2);
  }
};

class DenseTruncatedGradient final : public DenseGradient {
 public:
  using DenseGradient::DenseGradient;

 private:
  void Regularise(double eta) override {
    const double k = Number(driver_.options, "truncate_every");
    const double theta = Number(driver_.options, "threshold");
    if (std::fmod(static_cast<double>(steps_ + 1), k) != 0) return;
    for (double& w : weights_) {
      if (std::abs(w) <= theta) w = Soft(w, k * eta * Number(driver_.options, "gravity"));
    }
  }
};

// θ by sorting, as the paper's Fig. 1 has it.
class DenseBall final : public DenseGradient {
 public:
  using DenseGradient::DenseGradient;

 private:
  void Regularise(double /*eta*/) override {
    const double z = Number(driver_.options, "radius");
    std::vector<double> u;
    for (const double w : weights_) u.push_back(std::abs(w));
    std::ranges::sort(u, std::greater());
    double sum = 0;
    double theta = 0;
    for (size_t r = 0; r < u.size(); ++r) {
      sum += u[r];
      if (u[r] > (sum - z) / static_cast<double>(r + 1)) theta = (sum - z) / static_cast<double>(r + 1);
    }
    for (double& w : weights_) w = Soft(w, std::max(theta, 0.0));
  }
};

}  // namespace

TwinMakers GradientTwins() {
  return {
      {"l1-ball", MakeTwin<DenseBall>},
      {"lazy-fobos", MakeTwin<DenseFobos>},
      {"lazy-sgd", MakeTwin<DenseSgd>},
      {"truncated-gradient", MakeTwin<DenseTruncatedGradient>},
  };
}

}  // namespace thresher::learners
