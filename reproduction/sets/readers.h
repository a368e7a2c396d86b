// Reads the real data sets from the folder that holds them in their published form, compressed or not.
//
// Used by the experiments. If a file cannot be read, throws std::runtime_error with one line that names it.
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "reproduction/sets/data_set.h"

namespace thresher::reproduction {

// A whole file of the folder, decompressed.
std::string ReadSet(const std::string& folder, const std::string& name);

// a9a, w8a and others in libsvm's format: "±1 INDEX:VALUE …", indices from 1. Examples have norm 1.
DataSet ReadLibsvm(const std::string& folder, const std::string& name);

// ARCENE's training examples: mass spectra, columns scaled to at most 1.
DataSet ReadArcene(const std::string& folder);

// MAGIC gamma telescope, gamma +1, shuffled, with 1,000 additional random features (Shalev-Shwartz & Tewari
// 2009, Sec. 4): sparse, 1 with probability .05 else 0, or dense, ±1 with probability ½. Columns scaled to at
// most 1.
enum class MagicNoise { kSparse, kDense };
DataSet ReadMagic(const std::string& folder, MagicNoise noise);

struct Digits {
  static constexpr size_t kPixels = 784;
  std::vector<float> pixels;  // from 0 to 1, one image after the other
  std::vector<uint8_t> labels;
};
// The MNIST training images in the folder, in their order.
Digits ReadDigits(const std::string& folder);

// The 20 newsgroups, both halves, in the archive's order.
struct Posts {
  std::vector<std::string> texts;
  std::vector<std::string> groups;
};
Posts ReadNewsgroups(const std::string& folder);

}  // namespace thresher::reproduction
