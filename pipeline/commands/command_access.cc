#include "pipeline/commands/command_access.h"

#include <fmt/format.h>

#include <string>

#include "pipeline/commands/running.h"

namespace thresher::pipeline {

WriteAccess CommandAccess(const Settings& settings) {
  WriteAccess access = TeachingAccess(settings);
  access.on_wait = [seconds = settings.wait_seconds](const std::string& what) {
    Fail({kBusy, fmt::format("{}: waiting for at most {} s (store.wait_seconds)", what, seconds)});
  };
  return access;
}

}  // namespace thresher::pipeline
