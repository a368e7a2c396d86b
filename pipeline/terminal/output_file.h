// An output file of a command. Close reports if anything could not be written.
//
// Called by the commands. Thread-safety: one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/error.h"
#include "pipeline/file_pointer.h"

namespace thresher::pipeline {

class OutputFile {
 public:
  // Who may read the file: as the user's umask and an existing file have it, or the owner only.
  enum class Readers { kAsUsual, kOwner };

  // "-" is standard output. An existing file is emptied by the first Write, or by Close: a run that fails
  // before that leaves it as it was.
  // Messages call it `name`, or `path` if that is empty.
  static Result<OutputFile> Open(const std::string& path, Readers readers = Readers::kAsUsual,
                                 const std::string& name = {});
  // Nothing if `path` is empty: the option that names the file was not given.
  static Result<std::optional<OutputFile>> OpenIfNamed(const std::string& path,
                                                       Readers readers = Readers::kAsUsual);

  // Whether no other process that asks so has the file, and it is still the one at its path. As long as this
  // object lives no other gets it.
  bool TakeAlone();

  // Whether what was there before is gone.
  bool HasBegun() const { return begun_; }
  // Buffered; Close reports a failure.
  void Write(std::string_view bytes);
  Result<void> Close();
  // The same, and what was written survives a crash of the machine. Not for standard output.
  Result<void> CloseSynced();

 private:
  OutputFile(FilePointer file, std::string path, std::string name)
      : file_(std::move(file)), path_(std::move(path)), name_(std::move(name)) {}

  void Begin();
  void Note(bool succeeded);
  tl::unexpected<Error> Failed() const;

  FilePointer file_;
  std::string path_;
  std::string name_;
  bool begun_ = false;
  int error_ = 0;  // errno of the first failure
};

}  // namespace thresher::pipeline
