// Multiclass logistic loss over similarities to a support set S: Duchi, Shalev-Shwartz, Singer & Chandra
// (2008), Sec. 7, Eq. 12.
//
//   k(x, j) = Σ_{i∈S} w_ji σ_ji K(x_i, x),   σ_ji = 1 if y_i = j, else −1,   K(x, y) = exp(−‖x − y‖²/25)
//   L(w) = (1/m) Σ log(1 + Σ_{r≠y_i} e^(k(x_i, r) − k(x_i, y_i)))
//
// Used by ball_digits.cc. Thread-safety: immutable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thresher::reproduction {

class KernelLogistic {
 public:
  static constexpr size_t kClasses = 10;

  // `images` holds `pixels` numbers for each image, one image after the other; the first `support` images are
  // S.
  KernelLogistic(std::span<const float> images, size_t pixels, std::span<const uint8_t> labels,
                 size_t support);

  size_t examples() const { return labels_.size(); }
  size_t support() const { return support_; }

  // The mean loss over the examples with the numbers `which`. Adds its gradient to `gradient`, unless that is
  // empty. Weights are ordered by class: w[class·support + i].
  double Loss(std::span<const double> weights, std::span<const uint32_t> which,
              std::span<double> gradient) const;

 private:
  // The scores of all classes for one support example are stored side by side, padded to whole vector
  // registers.
  static constexpr size_t kLanes = 12;
  // Examples are taken four at a time, so that weights and pulls are read from memory once for all of them.
  static constexpr size_t kTogether = 4;
  using Few = std::span<const uint32_t>;  // 1 to kTogether examples
  using Lanes = std::array<std::array<float, kLanes>, kTogether>;

  float Sign(size_t support_example, size_t of_class) const {
    return labels_[support_example] == of_class ? 1.0F : -1.0F;
  }
  // The last example stands for those that are missing.
  std::array<const float*, kTogether> Rows(Few few) const;
  Lanes Scores(std::span<const float> signed_weights, Few few) const;
  // Turns the scores into the slopes of the loss.
  double LossOf(uint32_t example, std::array<float, kLanes>& scores) const;
  // What the slopes add to the gradient. Sets those of missing examples to 0.
  void AddPulls(Few few, Lanes& slopes, std::span<float> pulls) const;

  size_t support_;
  std::vector<uint8_t> labels_;
  std::vector<float> similarities_;  // of each example to all of S
};

}  // namespace thresher::reproduction
