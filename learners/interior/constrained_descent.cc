#include "learners/interior/constrained_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "learners/interior/coordinate.h"

namespace thresher::learners {
namespace {

// Solves matrix·x = b in place of b by Cholesky's decomposition, which overwrites the matrix. REQUIRES: it is
// symmetric and positive definite.
void SolveSymmetric(std::vector<double>& matrix, std::span<double> b) {
  const size_t n = b.size();
  const auto at = [&](size_t row, size_t column) -> double& { return matrix[row * n + column]; };
  for (size_t row = 0; row < n; ++row) {
    for (size_t column = 0; column <= row; ++column) {
      double sum = at(row, column);
      for (size_t k = 0; k < column; ++k) sum -= at(row, k) * at(column, k);
      at(row, column) = row == column ? std::sqrt(sum) : sum / at(column, column);
    }
    for (size_t k = 0; k < row; ++k) b[row] -= at(row, k) * b[k];
    b[row] /= at(row, row);
  }
  for (size_t row = n; row-- > 0;) {
    for (size_t k = row + 1; k < n; ++k) b[row] -= at(k, row) * b[k];
    b[row] /= at(row, row);
  }
}

}  // namespace

ConstrainedDescent::ConstrainedDescent(const Constraints& constraints, std::vector<double> x, double z)
    : constraints_(constraints),
      x_(std::move(x)),
      z_(constraints.count(), z),
      along_x_(x_.size()),
      along_z_(constraints.count()) {}

double ConstrainedDescent::Step(std::span<const double> gradient, double longest, double centering) {
  FindDirection(gradient, centering);
  double length = longest;
  for (size_t i = 0; i < z_.size(); ++i) {
    if (along_z_[i] < 0) length = std::min(length, 0.995 * z_[i] / -along_z_[i]);
  }
  length = LongestInside(length);
  if (length == 0) return 0;
  for (size_t j = 0; j < x_.size(); ++j) x_[j] += length * along_x_[j];
  for (size_t i = 0; i < z_.size(); ++i) {
    z_[i] = std::clamp(z_[i] + length * along_z_[i], BoundedVariable::kSmallest, BoundedVariable::kLargest);
  }
  return length;
}

void ConstrainedDescent::FindDirection(std::span<const double> gradient, double centering) {
  const size_t d = x_.size();
  const size_t m = z_.size();
  std::vector<double> values(m);
  std::vector<double> jacobian(m * d);
  const auto row = [&](size_t i) { return std::span(jacobian).subspan(i * d, d); };
  double products = 0;
  for (size_t i = 0; i < m; ++i) {
    values[i] = constraints_.Value(i, x_);
    constraints_.Gradient(i, x_, row(i));
    products -= z_[i] * values[i];
  }
  const double barrier = centering * products / static_cast<double>(m);
  std::vector<double> matrix(d * d);
  for (size_t j = 0; j < d; ++j) {
    matrix[j * d + j] = 1;
    along_x_[j] = -gradient[j];
  }
  for (size_t i = 0; i < m; ++i) {
    constraints_.AddCurvature(i, x_, z_[i], matrix);
    for (size_t j = 0; j < d; ++j) {
      if (row(i)[j] == 0) continue;
      along_x_[j] += barrier * row(i)[j] / values[i];
      for (size_t k = 0; k < d; ++k) matrix[j * d + k] -= z_[i] / values[i] * row(i)[j] * row(i)[k];
    }
  }
  SolveSymmetric(matrix, along_x_);
  for (size_t i = 0; i < m; ++i) {
    double moved = 0;  // of c_i, to first order
    for (size_t j = 0; j < d; ++j) moved += row(i)[j] * along_x_[j];
    along_z_[i] = -(z_[i] + (barrier + z_[i] * moved) / values[i]);
  }
}

double ConstrainedDescent::LongestInside(double length) const {
  std::vector<double> there(x_.size());
  while (length > 0) {
    for (size_t j = 0; j < x_.size(); ++j) there[j] = x_[j] + length * along_x_[j];
    if (IsInside(there)) break;
    length /= 2;
  }
  return length;
}

bool ConstrainedDescent::IsInside(std::span<const double> x) const {
  for (size_t i = 0; i < z_.size(); ++i) {
    if (!(constraints_.Value(i, x) < 0)) return false;
  }
  return true;
}

}  // namespace thresher::learners
