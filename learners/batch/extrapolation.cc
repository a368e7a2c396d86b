#include "learners/batch/extrapolation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace thresher::learners::batch {
namespace {

constexpr size_t kDifferences = 5;
using Square = std::array<std::array<double, kDifferences>, kDifferences>;

// The z with matrix·z = 1, by elimination with pivots; false if the matrix is singular.
bool SolveForOnes(Square matrix, std::array<double, kDifferences>* z) {
  z->fill(1);
  for (size_t k = 0; k < kDifferences; ++k) {
    size_t pivot = k;
    for (size_t row = k + 1; row < kDifferences; ++row) {
      if (std::abs(matrix[row][k]) > std::abs(matrix[pivot][k])) pivot = row;
    }
    if (matrix[pivot][k] == 0) return false;
    std::swap(matrix[k], matrix[pivot]);
    std::swap((*z)[k], (*z)[pivot]);
    for (size_t row = k + 1; row < kDifferences; ++row) {
      const double factor = matrix[row][k] / matrix[k][k];
      for (size_t column = k; column < kDifferences; ++column) {
        matrix[row][column] -= factor * matrix[k][column];
      }
      (*z)[row] -= factor * (*z)[k];
    }
  }
  for (size_t k = kDifferences; k-- > 0;) {
    for (size_t column = k + 1; column < kDifferences; ++column) (*z)[k] -= matrix[k][column] * (*z)[column];
    (*z)[k] /= matrix[k][k];
  }
  return true;
}

}  // namespace

void Extrapolation::Keep(size_t k, std::span<const double> v) {
  std::ranges::copy(v, kept_.begin() + static_cast<std::ptrdiff_t>(k % kKept * size_));
}

std::vector<double> Extrapolation::After(size_t k) const {
  if (k + 1 < kKept) return {};
  Square products = {};
  for (size_t a = 0; a < kDifferences; ++a) {
    for (size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (size_t i = 0; i < size_; ++i) {
        sum += (At(k - a)[i] - At(k - a - 1)[i]) * (At(k - b)[i] - At(k - b - 1)[i]);
      }
      products[a][b] = products[b][a] = sum;
    }
  }
  std::array<double, kDifferences> z = {};
  if (!SolveForOnes(products, &z)) return {};
  double sum = 0;
  for (const double each : z) sum += each;
  if (sum == 0 || !std::isfinite(sum)) return {};
  std::vector<double> result(size_);
  for (size_t a = 0; a < kDifferences; ++a) {
    for (size_t i = 0; i < size_; ++i) result[i] += z[a] / sum * At(k - a)[i];
  }
  return result;
}

}  // namespace thresher::learners::batch
