// Result files as commands open them: what is wrong with them is said on standard error.
//
// Called by the eval and fuse commands.
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

// Reads the result lines of `path` ("-": standard input) and complains of malformed ones. It is an error if
// there is no other.
Result<ResultFile> OpenResultFile(const std::string& path);

// Complains of messages that are not in both, or not the same there.
void Complain(const ResultFile& first, const ResultFile& second, const eval::Pairing& pairing);

}  // namespace thresher::pipeline
