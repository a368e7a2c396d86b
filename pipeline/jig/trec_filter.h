// Any filter that speaks the interface of the TREC spam track, by its four executables:
//
//   initialize                            prepares an empty state
//   classify FILE                         prints class=ham|spam score=NUMBER tfile=ANYTHING
//   train ham|spam FILE CLASS TFILE       CLASS and TFILE as classify said; `unknown` and nothing if it was
//                                         never asked
//   finalize
//
// Used by Jig. They run in a fresh copy of the filter's folder, which goes away with this object, so that the
// state begins empty and the folder stays as it is. A command that fails is noted, and the run goes on.
// Thread-safety: as CommandRunner.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/jig/answer.h"
#include "pipeline/jig/command_runner.h"
#include "pipeline/temporary_directory.h"

namespace thresher::pipeline {

enum class FilterCommand { kInitialize, kClassify, kTrain, kFinalize };
inline constexpr size_t kFilterCommands = 4;

std::string_view NameOf(FilterCommand command);

// How the calls of one command went.
struct CommandRecord {
  std::vector<float> seconds;                  // of each call
  std::array<uint64_t, kFailures> failures{};  // by Failure
  std::string first_failure;                   // "classify /mail/7: exit code 1: what it said"
};

class TrecFilter {
 public:
  // An error if `folder` has not all four executables.
  static Result<std::unique_ptr<TrecFilter>> Open(const std::filesystem::path& folder,
                                                  const CommandLimits& limits);

  // Errors of these are the run's, not the filter's: an interrupt, a system without processes.
  Result<void> Initialize();
  Result<Answer> Classify(const std::string& file);
  Result<void> Train(bool spam, const std::string& file, std::string_view verdict,
                     const std::string& auxiliary);
  // Also ends what the filter left running.
  Result<void> Finalize();

  const CommandRecord& RecordOf(FilterCommand command) const {
    return records_[static_cast<size_t>(command)];
  }
  long peak_kib() const { return runner_.peak_kib(); }
  // On disk, of what the filter has added to its folder.
  uint64_t StateBytes() const;

 private:
  TrecFilter(std::unique_ptr<TemporaryDirectory> directory, const CommandLimits& limits);
  // The output of a command that ended well. `file` is the message it is about, if any.
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
