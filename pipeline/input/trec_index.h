// A TREC spam track index: which messages a filter sees, in which order, and what it may do with them.
//
// Called by replay and jig. Lines are `JUDGE PATH [USER [GENRE]]`, `-` standing for none; further columns are
// passed over. JUDGE is
//   ham  spam   classify, then train        HAM SPAM   train only
//   Ham  Spam   classify only
// so that delayed and partial feedback are written as one list. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

struct TrecEntry {
  bool is_spam;
  bool classify;
  bool train;
  bool taught_spam;  // what it is trained as: is_spam, unless somebody errs
  std::string path;  // as the index has it: what result lines name the message by
  size_t line;       // of the index, from 1
  std::string user;  // whose message it is, and of which kind; empty if the index does not say
  std::string genre;
};

struct TrecIndex {
  std::string path;    // the index's own
  std::string folder;  // the index's own, with a slash at its end; empty for the present one
  std::vector<TrecEntry> entries;

  std::string FileOf(const TrecEntry& entry) const {
    return entry.path.starts_with('/') ? entry.path : folder + entry.path;
  }
};

// Reads the index `path` ("-": standard input), compressed or not. Empty lines are passed over, anything else
// that is no entry is an error that names the line.
Result<TrecIndex> ReadTrecIndex(const std::string& path);

}  // namespace thresher::pipeline
