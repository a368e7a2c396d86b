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

// Every coordinate has its own rate.
class DenseAdaGrad final : public DenseTwin {
 public:
  DenseAdaGrad(const OptionValues& options, size_t dimension)
      : DenseTwin(dimension), driver_(options), squares_(dimension) {}

  void Learn(const SparseVector& x, Label label) override {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    const double derivative = driver_.Gradient(margin, label);
    for (size_t i = 0; i < x.ids.size(); ++i) {
      const double g = derivative * static_cast<double>(x.values[i]);
      squares_[x.ids[i]] += g * g;
      weights_[x.ids[i]] -= Rate(squares_[x.ids[i]]) * g;
    }
    if (Is(driver_.options, "bias", "on")) {
      bias_squares_ += derivative * derivative;
      bias_ -= Rate(bias_squares_) * derivative;
    }
    const double every = Number(driver_.options, "forget_every");
    const bool forgets = every > 0 && std::fmod(static_cast<double>(++steps_), every) == 0;
    for (size_t j = 0; j < weights_.size(); ++j) {
      const double eta = Rate(squares_[j]);
      weights_[j] =
          Soft(weights_[j], eta * Number(driver_.options, "l1")) / (1 + eta * Number(driver_.options, "l2"));
      if (forgets && weights_[j] == 0) squares_[j] = 0;
    }
  }

 private:
  double Rate(double squares) const {
    return Number(driver_.options, "learning_rate") /
           (Number(driver_.options, "damping") + std::sqrt(squares));
  }

  Driver driver_;
  std::vector<double> squares_;
  double bias_squares_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace

TwinMakers GradientTwins() {
  return {
      {"adagrad", MakeTwin<DenseAdaGrad>},
      {"l1-ball", MakeTwin<DenseBall>},
      {"lazy-fobos", MakeTwin<DenseFobos>},
      {"lazy-sgd", MakeTwin<DenseSgd>},
      {"truncated-gradient", MakeTwin<DenseTruncatedGradient>},
  };
}

}  // namespace thresher::learners
