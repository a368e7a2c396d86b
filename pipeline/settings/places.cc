// The default paths of configuration and store, by the XDG base directories.
#include "pipeline/settings/places.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

#include "pipeline/settings/settings.h"

namespace thresher::pipeline {
namespace {

// Relative paths are ignored, as the XDG specification requires.
std::string AbsoluteVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] == '/' ? value : "";
}

// $NAME, or else that folder below the home.
std::string XdgFolder(const char* name, const char* below_home) {
  const std::string folder = AbsoluteVariable(name);
  return folder.empty() ? HomeFolder() + below_home : folder;
}

}  // namespace

std::string HomeFolder() {
  std::string home = AbsoluteVariable("HOME");
  if (!home.empty()) return home;
  const passwd* const user = getpwuid(geteuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "/";
}

std::string DefaultStorePath() { return XdgFolder("XDG_DATA_HOME", "/.local/share") + "/thresher"; }

std::vector<std::string> ConfigurationFiles() {
  return {XdgFolder("XDG_CONFIG_HOME", "/.config") + "/thresher/config.yaml", "/etc/thresher/config.yaml"};
}

}  // namespace thresher::pipeline
