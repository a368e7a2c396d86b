#include "tests/learners/dense_twins.h"

#include <algorithm>
#include <map>
#include <string>

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
  explicit Driver(const OptionValues& given) : options(given) {}

  double Gradient(double a, Label label) const {
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

  bool Skips(double gradient) const { return std::abs(gradient) < Number(options, "min_gradient"); }

  OptionValues options;
};

// A gradient step, then what `Regularise` does to every weight.
class DenseGradient : public DenseTwin {
 public:
  DenseGradient(const OptionValues& options, size_t dimension) : DenseTwin(dimension), driver_(options) {}

  void Learn(const SparseVector& x, Label label) final {
    const double g = driver_.Gradient(Margin(x), label);
    if (driver_.Skips(g)) return;
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
      {"lazy-sgd", Make<DenseSgd>},
      {"lazy-fobos", Make<DenseFobos>},
  };
  const auto found = kTwins.find(learner);
  return found == kTwins.end() ? nullptr : found->second(complete, dimension);
}

}  // namespace thresher::learners
