// Makes a model from an export: its rows, globals, texts and examples are the same bytes.
//
// Called by `thresher import`. Makes the whole model or nothing; memory is bounded for any input.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct Imported {
  uint64_t rows = 0;
  uint64_t kept = 0;  // expired examples that are rehearsed
  uint64_t examples = 0;
};

// Reads `path` ("-": standard input), plain or compressed, and makes the model in `dir`. REQUIRES: `dir` has
// no model. An error names the line.
Result<Imported> ImportModel(const std::string& path, const std::filesystem::path& dir,
                             const Settings& settings);

}  // namespace thresher::pipeline
