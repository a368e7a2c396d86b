// Simulates regression data as in Carbonetto, Schmidt & de Freitas (2008), Sec. 5.1.
//
//   x_ij = z_ij + z_i,   z_i ~ N(0, 1),   z_ij ~ N(0, σ_j²),   σ_j² ~ inverse-Gamma(2.5, ν)
//   y_i = ⟨β, x_i⟩ + ε,  ε ~ N(0, 1)
//
// Used by the interior-point experiments and the methods they compare. Thread-safety: a pure function.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace thresher::reproduction {

struct Regression {
  size_t features = 0;
  std::vector<double> x = {};  // one example after the other
  std::vector<double> y = {};

  size_t examples() const { return y.size(); }
  std::span<const double> X(size_t example) const {
    return std::span(x).subspan(example * features, features);
  }
};

inline Regression SimulateRegression(std::span<const double> beta, size_t examples, double scale,
                                     uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::gamma_distribution<double> gamma(2.5, 1 / scale);  // 1/σ²
  std::vector<double> deviations;
  for (size_t j = 0; j < beta.size(); ++j) deviations.push_back(1 / std::sqrt(gamma(random)));
  Regression data{.features = beta.size()};
  for (size_t i = 0; i < examples; ++i) {
    const double shared = normal(random);
    double y = 0;
    for (size_t j = 0; j < beta.size(); ++j) {
      const double x = deviations[j] * normal(random) + shared;
      y += beta[j] * x;
      data.x.push_back(x);
    }
    data.y.push_back(y + normal(random));
  }
  return data;
}

}  // namespace thresher::reproduction
