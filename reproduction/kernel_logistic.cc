#include "reproduction/kernel_logistic.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace thresher::reproduction {
namespace {

constexpr double kBandwidth = 25;

double SquaredDistance(const float* a, const float* b, size_t size) {
  std::array<float, 8> sums = {};
  for (size_t i = 0; i + 8 <= size; i += 8) {
    for (size_t lane = 0; lane < 8; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      sums[lane] += difference * difference;
    }
  }
  double sum = 0;
  for (const float lane : sums) sum += static_cast<double>(lane);
  for (size_t i = size / 8 * 8; i < size; ++i) {
    sum += static_cast<double>(a[i] - b[i]) * static_cast<double>(a[i] - b[i]);
  }
  return sum;
}

}  // namespace

KernelLogistic::KernelLogistic(std::span<const float> images, size_t pixels, std::span<const uint8_t> labels,
                               size_t support)
    : support_(support), labels_(labels.begin(), labels.end()) {
  similarities_.reserve(examples() * support);
  for (size_t i = 0; i < examples(); ++i) {
    for (size_t s = 0; s < support; ++s) {
      const double distance = SquaredDistance(&images[i * pixels], &images[s * pixels], pixels);
      similarities_.push_back(static_cast<float>(std::exp(-distance / kBandwidth)));
    }
  }
}

double KernelLogistic::Loss(std::span<const double> weights, std::span<const uint32_t> which,
                            std::span<double> gradient) const {
  std::vector<float> signed_weights(support_ * kLanes);
  for (size_t s = 0; s < support_; ++s) {
    for (size_t c = 0; c < kClasses; ++c) {
      signed_weights[s * kLanes + c] = Sign(s, c) * static_cast<float>(weights[c * support_ + s]);
    }
  }
  std::vector<float> pulls(gradient.empty() ? 0 : support_ * kLanes);
  double loss = 0;
  for (size_t begin = 0; begin < which.size(); begin += kTogether) {
    const Few few = which.subspan(begin, std::min(kTogether, which.size() - begin));
    Lanes lanes = Scores(signed_weights, few);
    for (size_t e = 0; e < few.size(); ++e) loss += LossOf(few[e], lanes[e]);
    if (!gradient.empty()) AddPulls(few, lanes, pulls);
  }
  const auto count = static_cast<double>(which.size());
  for (size_t s = 0; s < support_ && !gradient.empty(); ++s) {
    for (size_t c = 0; c < kClasses; ++c) {
      gradient[c * support_ + s] += static_cast<double>(Sign(s, c) * pulls[s * kLanes + c]) / count;
    }
  }
  return loss / count;
}

KernelLogistic::Lanes KernelLogistic::Scores(std::span<const float> signed_weights, Few few) const {
  Lanes scores = {};
  const std::array<const float*, kTogether> rows = Rows(few);
  for (size_t s = 0; s < support_; ++s) {
    for (size_t e = 0; e < kTogether; ++e) {
      for (size_t c = 0; c < kLanes; ++c) scores[e][c] += rows[e][s] * signed_weights[s * kLanes + c];
    }
  }
  return scores;
}

double KernelLogistic::LossOf(uint32_t example, std::array<float, kLanes>& scores) const {
  const float top = *std::max_element(scores.begin(), scores.begin() + kClasses);
  const float own = scores[labels_[example]];
  double sum = 0;
  for (size_t c = 0; c < kClasses; ++c) sum += std::exp(static_cast<double>(scores[c] - top));
  for (size_t c = 0; c < kClasses; ++c) {
    scores[c] = static_cast<float>(std::exp(static_cast<double>(scores[c] - top)) / sum);
  }
  scores[labels_[example]] -= 1;
  return std::log(sum) + static_cast<double>(top - own);
}

void KernelLogistic::AddPulls(Few few, Lanes& slopes, std::span<float> pulls) const {
  for (size_t e = few.size(); e < kTogether; ++e) slopes[e] = {};
  const std::array<const float*, kTogether> rows = Rows(few);
  for (size_t s = 0; s < support_; ++s) {
    for (size_t c = 0; c < kLanes; ++c) {
      float sum = 0;
      for (size_t e = 0; e < kTogether; ++e) sum += rows[e][s] * slopes[e][c];
      pulls[s * kLanes + c] += sum;
    }
  }
}

std::array<const float*, KernelLogistic::kTogether> KernelLogistic::Rows(Few few) const {
  std::array<const float*, kTogether> rows = {};
  for (size_t e = 0; e < kTogether; ++e)
    rows[e] = &similarities_[few[std::min(e, few.size() - 1)] * support_];
  return rows;
}

}  // namespace thresher::reproduction
