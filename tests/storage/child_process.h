// A process of the program storage_child (see storage_child.cc), which a test can kill.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace thresher::storage {

class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  // The next line it prints; empty when it has ended.
  std::string ReadLine();
  // Kills it with SIGKILL and waits; returns the lines it printed that were not read.
  std::vector<std::string> KillAndDrain();

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

}  // namespace thresher::storage
