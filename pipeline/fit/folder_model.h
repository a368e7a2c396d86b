// Which folder a message belongs to: the weights of a multiclass fit, in a file of their own.
//
// Written by `thresher fit --folders`, used by `thresher classify --folders`. Thread-safety: immutable once
// made.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/features.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct FolderExamples {
  ExampleStore store;                // targets are places in `folders`
  std::vector<std::string> folders;  // names, sorted
};

// The messages of each folder in `dir`, with the features of `settings`; at least two folders. What cannot be
// read is reported to on_unreadable and passed over.
Result<FolderExamples> LoadFolders(const std::string& dir, const Settings& settings, tokenizer::Kind kind,
                                   const std::function<void(const Error&)>& on_unreadable,
                                   const std::function<void(uint64_t)>& on_progress);

class FolderModel {
 public:
  // A line of JSON with folders and features, a line "ID WEIGHT…" for each feature with a weight that is not
  // 0, ids in 16 hexadecimal digits, and "end". `weights` are [feature·folders + folder].
  static Result<void> Write(const std::string& path, const Settings& settings, const FolderExamples& examples,
                            std::span<const double> weights);
  static Result<FolderModel> Read(const std::string& path, const Settings& settings);

  struct Choice {
    std::string folder;
    double score = 0;   // of this folder
    double margin = 0;  // above the next
  };
  Choice Choose(const tokenizer::Features& features) const;

  tokenizer::Tokenizer MakeTokenizer() const { return {features_, 0}; }

 private:
  tokenizer::Options features_;
  std::vector<std::string> folders_;
  std::unordered_map<uint64_t, size_t> places_;  // of a feature's weights
  std::vector<float> weights_;
};

}  // namespace thresher::pipeline
