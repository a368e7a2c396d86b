// Tells which folder a message belongs to, by the weights of a multiclass fit, which have their own file.
//
// Written by `thresher fit --folders`, read by `thresher classify --folders`. Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/input/byte_stream.h"
#include "pipeline/input/input_reader.h"
#include "pipeline/settings/settings.h"
#include "pipeline/terminal/whole_file.h"
#include "tokenizer/features.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct FolderExamples {
  ExampleStore store;                // targets are indexes into `folders`
  std::vector<std::string> folders;  // names, sorted
  InputTally tally = {};
};

// The messages of each folder in `dir`, with the features of `settings`. Folders are the subfolders and
// mboxes of `dir` or, if it is a Maildir, the Maildirs in it; those without messages are ignored, and at
// least two must remain. What cannot be read, is no mail, or is a symbolic link in `dir`, is reported to
// on_unreadable, each by itself, and skipped.
Result<FolderExamples> LoadFolders(const std::string& dir, const Settings& settings, tokenizer::Kind kind,
                                   const std::function<void(const Error&)>& on_unreadable,
                                   const std::function<void(uint64_t)>& on_progress);

class FolderModel {
 public:
  // Writes a line of JSON with folders and features, a line "ID WEIGHT…" for each feature with a non-zero
  // weight (ids in 16 hexadecimal digits), and "end" with the XXH3 of all lines before. `weights` are
  // [feature·folders + folder].
  static void Write(WholeFile& file, const Settings& settings, const FolderExamples& examples,
                    std::span<const double> weights);
  // Which features a message has is decided by the file; the limits are those of `settings`. `name` is used
  // in errors (kData).
  static Result<FolderModel> Read(std::unique_ptr<ByteStream> stream, const std::string& name,
                                  const Settings& settings);

  struct Choice {
    std::string folder;
    double score = 0;   // of this folder
    double margin = 0;  // above the second best
  };
  Choice Choose(const tokenizer::Features& features) const;

  tokenizer::Tokenizer MakeTokenizer() const { return {features_, 0}; }

 private:
  // What is wrong with the line; empty if nothing.
  std::string TakeHead(const std::string& line);
  std::string TakeWeights(std::string_view line);

  tokenizer::Options features_;
  std::vector<std::string> folders_;
  std::unordered_map<uint64_t, size_t> places_;  // where a feature's weights start
  std::vector<float> weights_;
};

}  // namespace thresher::pipeline
