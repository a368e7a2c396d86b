// An output file that is there whole or not at all: what was at its path before stays until all is written.
//
// Written beside its place, as PATH.new, which an interrupted run leaves and the next one uses again. Called
// for exports, weights, plots and the states of solvers. Thread-safety: one thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/terminal/output_file.h"

namespace thresher::pipeline {

class WholeFile {
 public:
  // kBusy if another process is writing the file. "-" is standard output, which is written as it is, and so
  // are pipes and devices. Where `path` is a link, the file that it names is replaced; a link to nothing is
  // refused. Readers::kAsUsual: the file gets the owner, the group and the permissions of one that is there,
  // as far as this user may give them.
  static Result<WholeFile> Open(const std::string& path,
                                OutputFile::Readers readers = OutputFile::Readers::kAsUsual);
  // Where it is written until it is complete; nothing for what is written as it is.
  static std::optional<std::filesystem::path> Beside(const std::string& path);
  // Nothing if `path` is empty: the option that names the file was not given.
  static Result<std::optional<WholeFile>> OpenIfNamed(
      const std::string& path, OutputFile::Readers readers = OutputFile::Readers::kAsUsual);
  // Removes what is not complete, but for a PATH.new that was there and was not written to.
  ~WholeFile();
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;

  // Buffered; Close reports a failure.
  void Write(std::string_view bytes) { file_.Write(bytes); }
  // The file is in its place, and on disk. If it cannot take its place, PATH.new stays.
  Result<void> Close();

 private:
  WholeFile(OutputFile file, std::filesystem::path path, bool was_there)
      : file_(std::move(file)), path_(std::move(path)), was_there_(was_there) {}

  OutputFile file_;
  std::filesystem::path path_;  // empty for what is written as it is, and when it is complete
  bool was_there_;              // the file beside it
};

}  // namespace thresher::pipeline
