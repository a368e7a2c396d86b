// Result files as the commands eval and fuse open them: problems are reported on standard error.
//
// Used by eval.cc, fuse.cc and mailbox_results.h. Thread-safety: one thread.
#pragma once

#include <string>

#include "eval/outcome.h"
#include "eval/pairing.h"
#include "pipeline/error.h"

namespace thresher::pipeline {

struct ResultFile {
  std::string path;
  eval::Results results;

  bool IsFlawless() const { return results.bad_line_count == 0; }
};

// Reads the result lines of `path` ("-": standard input). Reports the first malformed lines and how many
// there are. A file without a valid line is an error.
Result<ResultFile> OpenResultFile(const std::string& path);

// Reports messages that only one of the files has, or that the files judge differently.
void ReportUnpaired(const ResultFile& first, const ResultFile& second, const eval::Pairing& pairing);

}  // namespace thresher::pipeline
