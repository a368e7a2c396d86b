// The logged examples in the text formats of other learners, which can then learn from the same features.
//
// Called by `thresher export --examples`. Features are numbered from 1 in the order of their first occurrence
// in the log. Reads one moment of the model while a writer may run; takes some 40 bytes of memory per
// distinct feature. Thread-safety: one thread.
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

// Calls write_example(line) for each logged example, and write_id(line) for each new feature: a line of JSON
// with its number, id and text.
Result<void> ExportExamples(const std::filesystem::path& dir, const Settings& settings, ExampleForm form,
                            const WriteLine& write_example, const WriteLine& write_id);

}  // namespace thresher::pipeline
