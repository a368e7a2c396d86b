// The file that --html names: opened before any work is done, written at its end.
//
// Called by the eval and replay commands.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "eval/html_report.h"
#include "pipeline/commands/command.h"
#include "pipeline/output_file.h"

namespace thresher::pipeline {

class HtmlFile {
 public:
  static void AddTo(CLI::App* command, std::string* path);

  // Of an empty path nothing is written.
  static Result<HtmlFile> Open(const std::string& path);

  bool IsWanted() const { return file_.has_value(); }
  Result<void> Write(std::span<const eval::HtmlRun> runs, std::span<const eval::HtmlComparison> comparisons);

 private:
  std::optional<OutputFile> file_;
};

}  // namespace thresher::pipeline
