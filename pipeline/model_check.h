// Whether everything in a model is what it must be, and its parts agree: what `thresher check` says.
//
// Looks at one moment of the model, writes nothing and needs no lock, so that a writer may be at work.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "storage/file_checksums.h"

namespace thresher::pipeline {

enum class ImageState {
  kNone,     // scoring asks the database
  kEqual,    // it is the last checkpoint's
  kEarlier,  // as a writer leaves it that was killed, or is at work; the next one replaces it
  kWrong,
};

struct ModelCheck {
  // What is wrong, a line each: the first of them, and how many there are in all.
  static constexpr size_t kMostListed = 100;
  std::vector<std::string> wrong;
  uint64_t wrong_in_all = 0;

  // What was looked at.
  std::string learner;
  size_t row_bytes = 0;
  storage::FilesRead files;
  uint64_t rows = 0;
  uint64_t weights = 0;  // not zero
  uint64_t texts = 0;
  uint64_t examples = 0;
  uint64_t first_seq = 0;
  uint64_t last_seq = 0;
  uint64_t applied_seq = 0;
  uint64_t message_keys = 0;
  ImageState image = ImageState::kNone;
  uint64_t image_rows = 0;
};

// The error says why the model cannot be opened at all. on_progress(n, last) is called after the nth example.
using OnExample = std::function<void(uint64_t done, uint64_t last)>;
Result<ModelCheck> CheckModel(const std::filesystem::path& dir, const Settings& settings,
                              const OnExample& on_progress);

}  // namespace thresher::pipeline
