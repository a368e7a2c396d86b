// A file that a command writes lines to, and that says so when they did not all get there.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

class OutputFile {
 public:
  // "-" is standard output. What a file held goes with the first write, or with Close: a run that fails
  // before costs nothing.
  static Result<OutputFile> Open(const std::string& path);

  // Buffered; a failure shows at Close.
  void Write(std::string_view bytes);
  Result<void> Close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  OutputFile(std::FILE* file, std::string path) : file_(file), path_(std::move(path)) {}

  void Begin();

  std::unique_ptr<std::FILE, CloseFile> file_;
  std::string path_;
  bool begun_ = false;
  int error_ = 0;  // errno of what failed
};

}  // namespace thresher::pipeline
