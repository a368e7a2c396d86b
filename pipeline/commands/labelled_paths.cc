#include "pipeline/commands/labelled_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "pipeline/input/folder_walk.h"

namespace thresher::pipeline {
namespace {

Result<void> CheckIsThere(const std::string& path) {
  std::error_code error;
  if (path == "-" || exists(std::filesystem::status(path, error))) return {};
  return tl::unexpected(FileError(
      kNoInput, path, fmt::format("{}; with --spam and --ham all paths must be there", error.message())));
}

}  // namespace

std::vector<std::string> PlacesOf(const std::vector<std::string>& paths) {
  std::vector<std::string> places;
  std::ranges::transform(paths, std::back_inserter(places), PlaceOf);
  return places;
}

Result<void> CheckLabelledPaths(const std::vector<std::string>& spam, const std::vector<std::string>& ham) {
  if (spam.empty() || ham.empty()) return {};
  const std::vector<std::string> places = PlacesOf(spam);
  for (const std::string& path : ham) {
    if (std::ranges::find(places, PlaceOf(path)) != places.end())
      return tl::unexpected(FileError(kUsage, path, "named after --spam and after --ham"));
  }
  for (const auto* const paths : {&spam, &ham}) {
    for (const std::string& path : *paths) {
      if (auto there = CheckIsThere(path); !there) return there;
    }
  }
  return {};
}

}  // namespace thresher::pipeline
