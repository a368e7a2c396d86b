#include "tests/learners/dense_twins.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace thresher::learners {
namespace {

double Number(const OptionValues& options, std::string_view name) {
  return std::stod(options.find(name)->second);
}
bool Is(const OptionValues& options, std::string_view name, std::string_view value) {
  return options.find(name)->second == value;
}

double Soft(double v, double c) { return (v < 0 ? -1 : 1) * std::max(std::abs(v) - c, 0.0); }

// Loss and schedule, written a second time.
struct Driver {
  explicit Driver(OptionValues given) : options(std::move(given)) {}

  double Gradient(double a, Label label) const {
    return Number(options, label == Label::kSpam ? "spam_weight" : "ham_weight") * Unweighted(a, label);
  }

  bool Skips(double a, Label label) const {
    return std::abs(Unweighted(a, label)) < Number(options, "min_gradient");
  }

  double Unweighted(double a, Label label) const {
    const double y = label == Label::kSpam ? 1 : -1;
    if (Is(options, "loss", "squared")) return a - y;
    if (Is(options, "loss", "hinge")) return y * a < 1 ? -y : 0;
    return y > 0 ? -1 / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));
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

class DenseFtrl final : public DenseTwin {
 public:
  DenseFtrl(const OptionValues& options, size_t dimension)
      : DenseTwin(dimension), driver_(options), z_(dimension + 1), n_(dimension + 1) {}

  void Learn(const SparseVector& x, Label label) override {
    const double margin = Margin(x);
    if (driver_.Skips(margin, label)) return;
    const double derivative = driver_.Gradient(margin, label);
    for (size_t i = 0; i < x.ids.size(); ++i) {
      Accumulate(x.ids[i], derivative * static_cast<double>(x.values[i]), weights_[x.ids[i]]);
    }
    const size_t bias = weights_.size();
    if (Is(driver_.options, "bias", "on")) Accumulate(bias, derivative, bias_);
    const double l1 = Number(driver_.options, "l1");
    const double l2 = Number(driver_.options, "l2");
    ++steps_;
    for (size_t j = 0; j < bias; ++j)
      weights_[j] = Argmin(j, l1, l2, Number(driver_.options, "significance"));
    bias_ = Argmin(bias, 0, 0, 0);
    const double every = Number(driver_.options, "forget_every");
    if (every > 0 && std::fmod(static_cast<double>(steps_), every) == 0) ForgetZeros();
  }

 private:
  double Alpha() const { return Number(driver_.options, "alpha"); }

  void Accumulate(size_t j, double g, double weight) {
    const double sigma = (std::sqrt(n_[j] + g * g) - std::sqrt(n_[j])) / Alpha();
    z_[j] += g - sigma * weight;
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
    for (size_t j = 0; j < weights_.size(); ++j) {
      if (weights_[j] == 0) z_[j] = n_[j] = 0;
    }
  }

  Driver driver_;
  std::vector<double> z_;  // the bias's come last
  std::vector<double> n_;
  uint64_t steps_ = 0;
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

// With norm_every above 0, the norm is that of v, θ without its shrinkage since the last time it was exact,
// less that shrinkage times the slope. A coordinate that has been shrunk to 0 counts in v until then.
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

// Fig. 1 and Eq. 13 of the paper on every coordinate. One more than there are features stands for all that
// never come.
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
    const double mu = std::max(Value("centering") * MeanProduct(), kFloor * kFloor);
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
  std::vector<Side> sides_;  // b⁺ of all features and of the one that never comes, then b⁻
  double steps_ = 0;
};

template <class Twin>
std::unique_ptr<DenseTwin> Make(const OptionValues& options, size_t dimension) {
  return std::make_unique<Twin>(options, dimension);
}

}  // namespace

double DenseTwin::Margin(const SparseVector& x) const {
  double sum = bias_;
  for (size_t i = 0; i < x.ids.size(); ++i) sum += weights_[x.ids[i]] * static_cast<double>(x.values[i]);
  return sum;
}

std::unique_ptr<DenseTwin> MakeDenseTwin(std::string_view learner, const OptionValues& complete,
                                         size_t dimension) {
  using Maker = std::unique_ptr<DenseTwin> (*)(const OptionValues&, size_t);
  static const std::map<std::string_view, Maker> kTwins = {
      {"eg", Make<DenseEg>},
      {"ftrl", Make<DenseFtrl>},
      {"interior-point", Make<DenseInteriorPoint>},
      {"l1-ball", Make<DenseBall>},
      {"lazy-fobos", Make<DenseFobos>},
      {"lazy-sgd", Make<DenseSgd>},
      {"smidas", Make<DenseSmidas>},
      {"truncated-gradient", Make<DenseTruncatedGradient>},
  };
  const auto found = kTwins.find(learner);
  return found == kTwins.end() ? nullptr : found->second(complete, dimension);
}

double TwinTolerance(std::string_view learner, const OptionValues& complete) {
  if (learner == "interior-point" && Is(complete, "form", "streaming")) return 1e-3;
  return 1e-9;
}

}  // namespace thresher::learners
