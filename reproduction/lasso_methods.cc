#include "reproduction/lasso_methods.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/interior/dense_state.h"
#include "learners/shrinkage/soft_threshold.h"

namespace thresher::reproduction {
namespace {

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// Calls step(x, residual, a, k) for every example of every pass, residual = y − ⟨β, x⟩.
template <class Beta, class Step>
void ForEachExample(const Regression& data, const OnlineOptions& options, const Beta& beta, Step step) {
  double k = 0;
  for (int pass = 0; pass < options.passes; ++pass) {
    for (size_t i = 0; i < data.examples(); ++i) {
      k += 1;
      const std::span<const double> x = data.X(i);
      step(x, data.y[i] - Dot(x, beta), 1 / (options.first + k), k);
    }
  }
}

// Fig. 1 and Eq. 13 of the paper. For these simulations it states neither the centring σ nor the initial b
// and z. Here σ is that of its spam filter, or begins there, and b = z = 1.
std::vector<double> InteriorPoint(const Regression& data, const OnlineOptions& options) {
  const learners::Schedule centering = {.kind = options.centering, .first = 0.5, .horizon = options.first};
  learners::DenseState state(data.features);
  std::vector<double> beta(data.features);
  std::vector<double> descent(data.features);
  ForEachExample(data, options, beta, [&](std::span<const double> x, double residual, double a, double k) {
    for (size_t j = 0; j < beta.size(); ++j) descent[j] = x[j] * residual;
    state.TakeStep(descent, options.penalty, a, centering.Rate(static_cast<uint64_t>(k)));
    std::ranges::transform(state.coordinates, beta.begin(), &learners::Coordinate::Weight);
  });
  return beta;
}

// β ← β + a (x r − (λ/n) sgn β), sgn 0 = 0.
std::vector<double> Subgradient(const Regression& data, const OnlineOptions& options) {
  std::vector<double> beta(data.features);
  ForEachExample(data, options, beta, [&](std::span<const double> x, double residual, double a, double) {
    for (size_t j = 0; j < beta.size(); ++j) {
      const double sign = beta[j] == 0 ? 0 : std::copysign(1, beta[j]);
      beta[j] += a * (x[j] * residual - options.penalty * sign);
    }
  });
  return beta;
}

// |β| replaced by (log(1 + e^(αβ)) + log(1 + e^(−αβ)))/α, whose derivative is tanh(αβ/2): Schmidt, Fung &
// Rosales (2007). The paper does not state α.
std::vector<double> Smoothed(const Regression& data, const OnlineOptions& options) {
  constexpr double kAlpha = 10;
  std::vector<double> beta(data.features);
  ForEachExample(data, options, beta, [&](std::span<const double> x, double residual, double a, double) {
    for (size_t j = 0; j < beta.size(); ++j) {
      beta[j] += a * (x[j] * residual - options.penalty * std::tanh(kAlpha * beta[j] / 2));
    }
  });
  return beta;
}

// β = b⁺ − b⁻:  b ← max(0, b + a (±x r − λ/n)).
std::vector<double> ProjectedGradient(const Regression& data, const OnlineOptions& options) {
  std::vector<double> positive(data.features);
  std::vector<double> negative(data.features);
  std::vector<double> beta(data.features);
  ForEachExample(data, options, beta, [&](std::span<const double> x, double residual, double a, double) {
    for (size_t j = 0; j < beta.size(); ++j) {
      positive[j] = std::max(0.0, positive[j] + a * (x[j] * residual - options.penalty));
      negative[j] = std::max(0.0, negative[j] + a * (-x[j] * residual - options.penalty));
      beta[j] = positive[j] - negative[j];
    }
  });
  return beta;
}

// Wang & Spall (2003): a gradient step of b on the loss plus a penalty with z, the multiplier of the
// constraint b ≥ 0; then z follows. As in the paper, r_k = 50/(k0 + k)^0.1 with k0 = 50. It does not say
// where r stands:
//   r·b    penalty (1/2r)(max(0, z − r·b)² − z²), then z ← max(0, z − r·b)
//   b/r    penalty (r/2)(max(0, z − b/r)² − z²),  then z ← max(0, z − b/r)
enum class Reading { kTimes, kDivided };

template <Reading kReading>
std::vector<double> AugmentedLagrangian(const Regression& data, const OnlineOptions& options) {
  struct Side {
    double b = 0;
    double z = 0;

    double Violation(double r) const {
      return std::max(0.0, z - (kReading == Reading::kTimes ? r * b : b / r));
    }
    void Move(double pull, double a, double r) {
      b += a * (pull + Violation(r));
      z = Violation(r);
    }
  };
  std::vector<std::array<Side, 2>> sides(data.features);
  std::vector<double> beta(data.features);
  ForEachExample(data, options, beta, [&](std::span<const double> x, double residual, double a, double k) {
    const double r = 50 / std::pow(50 + k, 0.1);
    for (size_t j = 0; j < beta.size(); ++j) {
      sides[j][0].Move(x[j] * residual - options.penalty, a, r);
      sides[j][1].Move(-x[j] * residual - options.penalty, a, r);
      beta[j] = sides[j][0].b - sides[j][1].b;
    }
  });
  return beta;
}

constexpr std::array<LassoMethod, 6> kLassoMethods = {
    {{"interior point", InteriorPoint},
     {"subgradient", Subgradient},
     {"smoothed", Smoothed},
     {"projected gradient", ProjectedGradient},
     {"augmented Lagrangian, r·b", AugmentedLagrangian<Reading::kTimes>},
     {"augmented Lagrangian, b/r", AugmentedLagrangian<Reading::kDivided>}}};

}  // namespace

std::span<const LassoMethod> OnlineLassoMethods() { return kLassoMethods; }

std::vector<double> ExactLasso(const Regression& data, double penalty) {
  const auto n = static_cast<double>(data.examples());
  const size_t features = data.features;
  std::vector<double> products(features * features);  // XᵀX/n
  std::vector<double> gradient(features);             // Xᵀ(y − Xβ)/n
  for (size_t i = 0; i < data.examples(); ++i) {
    const std::span<const double> x = data.X(i);
    for (size_t j = 0; j < features; ++j) {
      gradient[j] += x[j] * data.y[i] / n;
      for (size_t k = 0; k < features; ++k) products[j * features + k] += x[j] * x[k] / n;
    }
  }
  std::vector<double> beta(features);
  double largest_move = 1;
  while (largest_move > 1e-10) {
    largest_move = 0;
    for (size_t j = 0; j < features; ++j) {
      const double* const row = &products[j * features];
      const double move = learners::SoftThreshold(beta[j] + gradient[j] / row[j], penalty / row[j]) - beta[j];
      beta[j] += move;
      for (size_t k = 0; k < features; ++k) gradient[k] -= move * row[k];
      largest_move = std::max(largest_move, std::abs(move));
    }
  }
  return beta;
}

}  // namespace thresher::reproduction
