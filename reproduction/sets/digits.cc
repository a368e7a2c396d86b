// MNIST's idx format: a header of four big-endian numbers (two for labels), then bytes.
#include <stdexcept>

#include "reproduction/sets/readers.h"

namespace thresher::reproduction {
namespace {

constexpr size_t kImageHeader = 16;
constexpr size_t kLabelHeader = 8;

}  // namespace

Digits ReadDigits(const std::string& folder) {
  const std::string images = ReadSet(folder, "mnist10k/train10k-images-idx3-ubyte.gz");
  const std::string labels = ReadSet(folder, "mnist10k/train10k-labels-idx1-ubyte.gz");
  Digits digits;
  for (size_t i = kLabelHeader; i < labels.size(); ++i) {
    digits.labels.push_back(static_cast<uint8_t>(labels[i]));
  }
  for (size_t i = kImageHeader; i < images.size(); ++i) {
    digits.pixels.push_back(static_cast<float>(static_cast<uint8_t>(images[i])) / 255);
  }
  if (digits.pixels.size() != digits.labels.size() * Digits::kPixels) {
    throw std::runtime_error("mnist10k: the numbers of images and labels differ");
  }
  return digits;
}

}  // namespace thresher::reproduction
