#include "reproduction/barrier_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "learners/batch/elastic_net_objective.h"

namespace thresher::reproduction {
namespace {

using learners::batch::Examples;
using Vector = std::vector<double>;

double Dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

class BarrierNewton {
 public:
  BarrierNewton(const Matrix& matrix, const learners::batch::MarginLoss& loss, double lambda)
      : x_(matrix.examples()),
        objective_{.loss = loss, .l1 = lambda},
        n_(static_cast<double>(x_.rows.size())),
        w_(x_.rows.width),
        u_(w_.size(), 1.0),
        margins_(x_.rows.size()),
        t_(1 / lambda) {}

  void Step() {
    const Vector gradient = GradientAndCurvature();
    Vector right(w_.size());  // right-hand side of the system in w alone
    Vector gradient_u(w_.size());
    d1_.assign(w_.size(), 0);
    Vector d2(w_.size());
    Vector reduced(w_.size());
    for (size_t j = 0; j < w_.size(); ++j) {
      const double above = 1 / (u_[j] - w_[j]);
      const double below = 1 / (u_[j] + w_[j]);
      d1_[j] = below * below + above * above;
      d2[j] = below * below - above * above;
      gradient_u[j] = t_ * objective_.l1 - below - above;
      const double gradient_w = t_ * gradient[j] - below + above;
      right[j] = -gradient_w + d2[j] * gradient_u[j] / d1_[j];
      reduced[j] = d1_[j] - d2[j] * d2[j] / d1_[j];
    }
    const Vector dw = Solve(reduced, right);
    Vector du(w_.size());
    for (size_t j = 0; j < w_.size(); ++j) du[j] = -(gradient_u[j] + d2[j] * dw[j]) / d1_[j];
    double slope = 0;
    for (size_t j = 0; j < w_.size(); ++j) {
      const double gradient_w = t_ * gradient[j] - 1 / (u_[j] + w_[j]) + 1 / (u_[j] - w_[j]);
      slope += gradient_w * dw[j] + gradient_u[j] * du[j];
    }
    Search(dw, du, slope);
    const double gap = Gap();
    constexpr double kGrowth = 2;  // t grows at most by this factor per step
    if (length_ >= 0.5) t_ = std::max(kGrowth * std::min(2 * static_cast<double>(w_.size()) / gap, t_), t_);
  }

  double Primal() const { return objective_.Primal(x_, w_, margins_); }
  double Gap() const { return Primal() - objective_.Dual(x_, margins_); }
  double accesses() const { return accesses_; }
  const Vector& weights() const { return w_; }

 private:
  // Returns ∇f and sets curvatures_ to φ''/n of each example.
  Vector GradientAndCurvature() {
    Vector gradient(w_.size());
    curvatures_.resize(margins_.size());
    for (size_t i = 0; i < margins_.size(); ++i) {
      const double slope = objective_.loss.Derivative(margins_[i], static_cast<double>(x_.targets[i]));
      curvatures_[i] = objective_.loss.CurvatureAt(slope) / n_;
      AddTo(x_.rows[i], slope / n_, gradient);
    }
    Count(1);
    return gradient;
  }

  // (t XᵀSX + diagonal) v
  Vector Multiply(const Vector& diagonal, const Vector& v) {
    Vector product(v.size());
    for (size_t i = 0; i < margins_.size(); ++i) {
      AddTo(x_.rows[i], t_ * curvatures_[i] * learners::batch::Dot(x_.rows[i], v), product);
    }
    for (size_t j = 0; j < v.size(); ++j) product[j] += diagonal[j] * v[j];
    Count(2);
    return product;
  }

  // Preconditioned conjugate gradients. The smaller the duality gap, the smaller the residual allowed.
  Vector Solve(const Vector& diagonal, const Vector& right) {
    Vector preconditioner = diagonal;
    for (size_t i = 0; i < margins_.size(); ++i) {
      const auto row = x_.rows[i];
      for (size_t k = 0; k < row.size(); ++k) {
        const auto value = static_cast<double>(row.values[k]);
        preconditioner[row.indices[k]] += t_ * curvatures_[i] * value * value;
      }
    }
    Count(1);
    const double norm = std::sqrt(Dot(right, right));
    const double target = norm * std::min(0.1, 0.1 * Gap() / std::max(norm, 1e-300));
    Vector solution(right.size());
    Vector residual = right;
    Vector conditioned(right.size());
    Vector direction(right.size());
    double before = 0;
    constexpr int kMostIterations = 200;
    for (int iteration = 0; iteration < kMostIterations && std::sqrt(Dot(residual, residual)) > target;
         ++iteration) {
      for (size_t j = 0; j < residual.size(); ++j) conditioned[j] = residual[j] / preconditioner[j];
      const double now = Dot(residual, conditioned);
      for (size_t j = 0; j < residual.size(); ++j) {
        direction[j] = conditioned[j] + (iteration == 0 ? 0 : now / before * direction[j]);
      }
      const Vector image = Multiply(diagonal, direction);
      const double step = now / Dot(direction, image);
      for (size_t j = 0; j < residual.size(); ++j) {
        solution[j] += step * direction[j];
        residual[j] -= step * image[j];
      }
      before = now;
    }
    return solution;
  }

  // The barrier objective at w + s dw, u + s du; infinite where |w| ≥ u.
  double Barrier(const Vector& dw, const Vector& du, const Vector& moved, double s) {
    double value = 0;
    for (size_t j = 0; j < w_.size(); ++j) {
      const double w = w_[j] + s * dw[j];
      const double u = u_[j] + s * du[j];
      if (!(u > std::abs(w))) return std::numeric_limits<double>::infinity();
      value += t_ * objective_.l1 * u - std::log((u - w) * (u + w));
    }
    for (size_t i = 0; i < margins_.size(); ++i) {
      value +=
          t_ / n_ * objective_.loss.Value(margins_[i] + s * moved[i], static_cast<double>(x_.targets[i]));
    }
    return value;
  }

  void Search(const Vector& dw, const Vector& du, double slope) {
    Vector moved(margins_.size());
    learners::batch::ComputeMargins(x_.rows, dw, moved);
    Count(1);
    const double start = Barrier(dw, du, moved, 0);
    length_ = 1;
    while (Barrier(dw, du, moved, length_) > start + 0.01 * length_ * slope && length_ > 1e-12) length_ /= 2;
    for (size_t j = 0; j < w_.size(); ++j) {
      w_[j] += length_ * dw[j];
      u_[j] += length_ * du[j];
    }
    for (size_t i = 0; i < margins_.size(); ++i) margins_[i] += length_ * moved[i];
  }

  void Count(double passes) { accesses_ += passes * static_cast<double>(x_.rows.entries()); }

  Examples x_;
  learners::batch::ElasticNetObjective objective_;
  double n_;
  Vector w_;
  Vector u_;
  Vector margins_;
  Vector curvatures_;
  Vector d1_;
  double t_;
  double length_ = 1;  // of the last step, in (0, 1]
  double accesses_ = 0;
};

}  // namespace

Trace RunBarrierNewton(const Matrix& matrix, const learners::batch::MarginLoss& loss, double lambda,
                       const RunLimit& limit) {
  BarrierNewton newton(matrix, loss, lambda);
  Trace trace;
  constexpr int kMostSteps = 100;
  for (int step = 0; step <= kMostSteps; ++step) {
    trace.objective.Add(newton.accesses(), newton.Primal());
    trace.gap.Add(newton.accesses(), newton.Gap());
    if (newton.Gap() <= limit.gap || newton.accesses() >= limit.accesses) break;
    newton.Step();
  }
  trace.weights = newton.weights();
  return trace;
}

}  // namespace thresher::reproduction
