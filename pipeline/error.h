// What goes wrong in the pipeline: one line for a person and the exit code that the program ends with.
//
// Returned by everything in pipeline/; printed once, by the command line. Thread-safety: plain values.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace thresher::pipeline {

// The codes of sysexits.h, as mail software expects them.
inline constexpr int kUsage = 64;       // the command line is wrong
inline constexpr int kData = 65;        // the input is not what it should be
inline constexpr int kNoInput = 66;     // the input does not exist or cannot be read
inline constexpr int kInternal = 70;    // a fault of ours
inline constexpr int kCantCreate = 73;  // an output cannot be made
inline constexpr int kIo = 74;          // reading or writing failed
inline constexpr int kBusy = 75;        // another process holds the store; try again later
inline constexpr int kConfig = 78;      // the configuration is wrong

struct Error {
  int exit_code;
  std::string message;      // one line, without a line end
  std::string reason = {};  // of FileError: the message without the file's name
};

// "FILE: REASON". Whoever reads many files can count those with the same reason.
inline Error FileError(int exit_code, const std::string& file, const std::string& reason) {
  return {exit_code, (file.empty() ? "''" : file) + ": " + reason, reason};
}

template <class T>
using Result = tl::expected<T, Error>;

}  // namespace thresher::pipeline
