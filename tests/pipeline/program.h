// Runs the built thresher as a user would: arguments, standard input, exit code, what it printed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

// A started thresher whose standard input stays open until Finish.
class RunningThresher {
 public:
  explicit RunningThresher(const std::vector<std::string>& arguments, As user = As::kSelf);
  RunningThresher(RunningThresher&& other) noexcept;
  RunningThresher& operator=(RunningThresher&&) = delete;
  ~RunningThresher();

  // Writes `input`, closes standard input, waits.
  Ran Finish(std::string_view input = "");
  void Kill();
  int pid() const { return pid_; }

 private:
  int pid_ = -1;
  int in_ = -1;
  std::filesystem::path out_;
  std::filesystem::path err_;
};

// A fresh directory that goes away with the object. XDG folders of programs run by RunThresher lie in a
// directory of this process, so that no configuration of the user's is read.
class TestDirectory {
 public:
  TestDirectory();
  ~TestDirectory();
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  // Writes a file, making its folder; returns its path.
  std::string Write(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

std::string ReadBytes(const std::filesystem::path& path);

}  // namespace thresher::pipeline
