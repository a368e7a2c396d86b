// Checks that every part of a model is valid and that the parts agree.
//
// Called by `thresher check`. Reads one moment of the model, writes nothing and needs no lock, so a writer
// may run at the same time. Thread-safety: one thread.
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
  kNone,     // there is none; scoring reads the database
  kEqual,    // of the last checkpoint
  kEarlier,  // of an earlier checkpoint: a writer was killed or is running; the next one replaces it
  kDamaged,  // torn or unreadable: scoring reads the database, the next writer removes it
  kWrong,
};

struct ModelCheck {
  // What is wrong, one line each: the first kMostListed, and the number of all.
  static constexpr size_t kMostListed = 100;
  std::vector<std::string> wrong;
  uint64_t wrong_in_all = 0;
  uint64_t bad_examples = 0;  // of these: examples that `thresher rebuild --without-bad` can leave out

  // What was checked.
  std::string learner;
  size_t row_bytes = 0;
  storage::FilesRead files;
  uint64_t rows = 0;
  uint64_t weights = 0;  // non-zero
  uint64_t texts = 0;
  bool log_of_messages = false;  // else the log holds features
  uint64_t examples = 0;
  uint64_t forgotten = 0;  // of these: no more than a number and a time is left of them
  uint64_t first_seq = 0;
  uint64_t last_seq = 0;
  uint64_t applied_seq = 0;
  uint64_t message_keys = 0;
  ImageState image = ImageState::kNone;
};

// The error says why the model, or a part of it, cannot be read, although it may be whole. on_progress(n,
// last) is called after the nth example.
using OnExample = std::function<void(uint64_t done, uint64_t last)>;
Result<ModelCheck> CheckModel(const std::filesystem::path& dir, const Settings& settings,
                              const OnExample& on_progress);

}  // namespace thresher::pipeline
