// Writes a whole model as lines of text, from which ImportModel makes the same model.
//
// Called by `thresher export`. docs/export.md documents the format. Reads one moment of the model while a
// writer may run. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// The name and version of the format, in the first line of an export.
inline constexpr std::string_view kExportForm = "thresher-model";
inline constexpr uint64_t kExportVersion = 2;  // version 1 has no kept examples

// Calls write(line) for each line. Data that could not be imported again is an error (kData).
Result<void> ExportModel(const std::filesystem::path& dir, const Settings& settings,
                         const std::function<void(std::string_view line)>& write);

}  // namespace thresher::pipeline
