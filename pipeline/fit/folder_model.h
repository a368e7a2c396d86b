// Which folder a message belongs to: the weights of a multiclass fit, in a file of their own.
//
// Written by `thresher fit --folders`, used by `thresher classify --folders`. Thread-safety: immutable once
// made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/fit/example_store.h"
#include "pipeline/input/byte_stream.h"
#include "pipeline/output_file.h"
#include "pipeline/settings/settings.h"
#include "tokenizer/features.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct FolderExamples {
  ExampleStore store;                // targets are places in `folders`
  std::vector<std::string> folders;  // names, sorted
};

// The messages of each folder in `dir`, with the features of `settings`: of its subfolders and mboxes, or, if
// it is a Maildir, of the Maildirs in it. At least two folders; one without messages is none. What cannot be
// read is reported to on_unreadable and passed over.
Result<FolderExamples> LoadFolders(const std::string& dir, const Settings& settings, tokenizer::Kind kind,
                                   const std::function<void(const Error&)>& on_unreadable,
                                   const std::function<void(uint64_t)>& on_progress);

class FolderModel {
 public:
  // A line of JSON with folders and features, a line "ID WEIGHT…" for each feature with a weight that is not
  // 0, ids in 16 hexadecimal digits, and "end" with the XXH3 of all before. `weights` are
  // [feature·folders + folder].
  static void Write(OutputFile& file, const Settings& settings, const FolderExamples& examples,
                    std::span<const double> weights);
  // The file's features hold, whatever `settings` say; their limits are those of `settings`. `name` is for
  // errors (kData).
  static Result<FolderModel> Read(std::unique_ptr<ByteStream> stream, const std::string& name,
                                  const Settings& settings);

  struct Choice {
    std::string folder;
    double score = 0;   // of this folder
    double margin = 0;  // above the next
  };
  Choice Choose(const tokenizer::Features& features) const;

  tokenizer::Tokenizer MakeTokenizer() const { return {features_, 0}; }

 private:
  // What is wrong with the line; empty if nothing.
  std::string TakeHead(const std::string& line);
  std::string TakeWeights(std::string_view line);

  tokenizer::Options features_;
  std::vector<std::string> folders_;
  std::unordered_map<uint64_t, size_t> places_;  // of a feature's weights
  std::vector<float> weights_;
};

}  // namespace thresher::pipeline
