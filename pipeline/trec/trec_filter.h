// Any filter that speaks the interface of the TREC spam track, by its four executables:
//
//   initialize                            prepares an empty state
//   classify FILE                         prints class=ham|spam score=NUMBER tfile=ANYTHING
//   train ham|spam FILE CLASS TFILE       CLASS and TFILE from classify; `unknown` and nothing if it was not
//                                         called
//   finalize
//
// Called by Jig. The commands run in a copy of the filter's folder, which is removed with this object: the
// state starts empty and the folder is not changed. A command that fails is recorded, and the run continues.
// Thread-safety: as CommandRunner.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/trec/answer.h"
#include "pipeline/trec/command_runner.h"
#include "pipeline/trec/temporary_directory.h"

namespace thresher::pipeline {

enum class FilterCommand { kInitialize, kClassify, kTrain, kFinalize };
inline constexpr size_t kFilterCommands = 4;

std::string_view NameOf(FilterCommand command);

// The calls of one command.
struct CommandRecord {
  std::vector<float> seconds;                  // of each call
  std::array<uint64_t, kFailures> failures{};  // by Failure
  std::string first_failure;                   // "classify /mail/7: exit code 1: what it said", any bytes
};

class TrecFilter {
 public:
  // An error if `folder` lacks one of the four executables.
  static Result<std::unique_ptr<TrecFilter>> Open(const std::filesystem::path& folder,
                                                  const CommandLimits& limits);

  // These return errors of the run, not of the filter: an interrupt, or no process can be started.
  Result<void> Initialize();
  Result<Answer> Classify(const std::string& file);
  Result<void> Train(bool spam, const std::string& file, std::string_view verdict,
                     const std::string& auxiliary);
  // Also kills the processes that the filter left running.
  Result<void> Finalize();

  const CommandRecord& RecordOf(FilterCommand command) const {
    return records_[static_cast<size_t>(command)];
  }
  long peak_kib() const { return runner_.peak_kib(); }
  // The bytes on disk that the filter has added to its folder.
  uint64_t StateBytes() const;

 private:
  TrecFilter(std::unique_ptr<TemporaryDirectory> directory, const CommandLimits& limits);
  // The output of a command, or how it failed. `file` is the message it is about, if any.
  Result<tl::expected<std::string, Failure>> Call(FilterCommand command, const std::string& file,
                                                  const std::vector<std::string>& arguments);
  void Note(FilterCommand command, Failure failure, const std::string& what);

  std::unique_ptr<TemporaryDirectory> directory_;
  std::filesystem::path folder_;  // the copy
  CommandRunner runner_;
  std::array<CommandRecord, kFilterCommands> records_;
  uint64_t bytes_before_;
};

}  // namespace thresher::pipeline
