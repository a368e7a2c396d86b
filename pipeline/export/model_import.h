// A model made from what ExportModel wrote: its rows, globals, texts and examples are the same bytes.
//
// All of it or nothing; memory is bounded, whatever is read. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct Imported {
  uint64_t rows = 0;
  uint64_t examples = 0;
};

// Reads `path` ("-": standard input), plain or compressed; makes the model in `dir`, where there must be
// none. An error names the line.
Result<Imported> ImportModel(const std::string& path, const std::filesystem::path& dir,
                             const Settings& settings);

}  // namespace thresher::pipeline
