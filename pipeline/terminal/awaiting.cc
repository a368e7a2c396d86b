#include "pipeline/terminal/awaiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace thresher::pipeline {

void SayAwaited(std::string_view path, std::string_view what) {
  if (path != "-" || ::isatty(STDIN_FILENO) == 0) return;
  const std::string line = fmt::format(
      "thresher: waiting for {} from the terminal; Ctrl-D at the start of a line ends it\n", what);
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

}  // namespace thresher::pipeline
