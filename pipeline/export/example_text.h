// The logged examples in the text forms of other learners, so that those can be run on the very same
// features.
//
// Features are numbered from 1 in the order in which the log first has them. Reads one moment of the model,
// beside a writer; memory grows by some 40 bytes per distinct feature. Thread-safety: one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

enum class ExampleForm {
  kVw,      // 1 'KEY |f NUMBER:VALUE …, features in their own order; -1 for ham
  kLibsvm,  // +1 NUMBER:VALUE …, numbers ascending
};

using WriteLine = std::function<void(std::string_view line)>;

// Calls write_example(line) for each example, as often as it was taught, and write_id(line) when a number is
// given to a feature: a line of JSON with its number, id and text.
Result<void> ExportExamples(const std::filesystem::path& dir, const Settings& settings, ExampleForm form,
                            const WriteLine& write_example, const WriteLine& write_id);

}  // namespace thresher::pipeline
