// Runs the built thresher as a user would: arguments, standard input, exit code, what it printed. Its XDG
// folders lie in a directory of the test's process, so that no configuration of the user's is read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/test_directory.h"  // IWYU pragma: export

namespace thresher::pipeline {

struct Ran {
  int exit_code = -1;  // 128 + signal if it died of one
  std::string out;
  std::string err;
};

enum class As {
  kSelf,
  kNobody,  // where this process is root, which may write anywhere; else as kSelf
};

Ran RunThresher(const std::vector<std::string>& arguments, std::string_view input = "", As user = As::kSelf);
// With a terminal as its standard input, at which somebody types `input` and then Ctrl-D.
Ran RunAtTerminal(const std::vector<std::string>& arguments, std::string_view input);

// A started thresher whose standard input stays open until Finish.
class RunningThresher {
 public:
  enum class Input { kPipe, kTerminal };
  explicit RunningThresher(const std::vector<std::string>& arguments, As user = As::kSelf,
                           Input input = Input::kPipe);
  RunningThresher(RunningThresher&& other) noexcept;
  RunningThresher& operator=(RunningThresher&&) = delete;
  ~RunningThresher();

  // Writes `input`, ends standard input, waits.
  Ran Finish(std::string_view input = "");
  // When it returns, the program has ended, and its files and locks are free. Finish tells the rest.
  void Kill();
  int pid() const { return pid_; }
  // What it has written to standard error so far.
  std::string Complaints() const;

 private:
  int pid_ = -1;
  int in_ = -1;
  Input input_;
  std::filesystem::path out_;
  std::filesystem::path err_;
};

std::string ReadBytes(const std::filesystem::path& path);

}  // namespace thresher::pipeline
