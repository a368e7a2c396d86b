// A whole model as lines of text, from which ImportModel makes the same model.
//
// docs/export.md documents the form. Reads one moment of the model, beside a writer. Thread-safety: one
// thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// The form's name and version, in an export's first line.
inline constexpr std::string_view kExportForm = "thresher-model";
inline constexpr uint64_t kExportVersion = 1;

// Calls write(line) for each line. What could not be imported is not exported: that is an error (kData).
Result<void> ExportModel(const std::filesystem::path& dir, const Settings& settings,
                         const std::function<void(std::string_view line)>& write);

}  // namespace thresher::pipeline
