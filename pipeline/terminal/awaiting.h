// What a command says before it reads from a terminal, where it would else seem to hang.
//
// Called by the commands that read standard input. Thread-safety: any thread.
#pragma once

#include <string_view>

namespace thresher::pipeline {

// If `path` is "-" and standard input is a terminal, says on standard error that `what` is awaited there.
void SayAwaited(std::string_view path, std::string_view what);

}  // namespace thresher::pipeline
