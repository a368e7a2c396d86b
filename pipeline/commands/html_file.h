// The file of --html. It is opened before the work begins, so that a wrong path is reported at once, and
// written at the end.
//
// Called by the commands eval and replay. Thread-safety: one thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "eval/html_report.h"
#include "pipeline/commands/command_line.h"
#include "pipeline/error.h"
#include "pipeline/terminal/output_file.h"

namespace thresher::pipeline {

class HtmlFile {
 public:
  static void AddTo(Command command, std::string* path);

  // With an empty path nothing is written.
  static Result<HtmlFile> Open(const std::string& path);

  bool IsWanted() const { return file_.has_value(); }
  Result<void> Write(std::span<const eval::HtmlRun> runs, std::span<const eval::HtmlComparison> comparisons);

 private:
  std::optional<OutputFile> file_;
};

}  // namespace thresher::pipeline
