// A TREC spam track index: which messages a filter sees, in which order, and what it may do with them.
//
// Called by replay, grid, jig and fit. Lines are `JUDGE PATH [USER [GENRE]]`, with `-` for a missing user.
// JUDGE is
//   ham  spam   classify, then train        HAM SPAM   train only
//   Ham  Spam   classify only
// so one list can express delayed and partial feedback. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

struct TrecEntry {
  bool is_spam;
  bool classify;
  bool train;
  bool taught_spam;  // the label it is trained with: is_spam, unless the label is made wrong (stress.h)
  std::string path;  // as in the index; names the message in result lines
  size_t line;       // in the index, from 1
  std::string user;  // the recipient, and below the kind of message; empty if the index does not say
  std::string genre;
  size_t answers = 0;  // of late feedback: the line of the message, classified before, that it is on; 0: none
};

struct TrecIndex {
  std::string path;    // of the index
  std::string folder;  // of the index, with a slash at its end; empty for the working directory
  std::vector<TrecEntry> entries;

  std::string FileOf(const TrecEntry& entry) const {
    return entry.path.starts_with('/') ? entry.path : folder + entry.path;
  }
};

// Whether the first line of a file begins as that of an index does: with a judgement.
bool BeginsTrecIndex(std::string_view line);

// Finds what late feedback answers: an entry that only trains is on the last message before it that was
// classified for its user under its path.
void NoteAnswers(std::vector<TrecEntry>* entries);

// Reads the index `path` ("-": standard input), compressed or not. Skips a byte order mark and empty lines;
// any other line that is not an entry is an error (kData) that names the line.
Result<TrecIndex> ReadTrecIndex(const std::string& path);

// An error if none of the index's messages can be read, for example because the index was copied to another
// folder. Reads messages until it finds one.
Result<void> CheckAnyReadable(const TrecIndex& index);

}  // namespace thresher::pipeline
