// The files of the project, as they stand in its source.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace thresher {

struct ProjectFile {
  std::filesystem::path path;  // from the top of the project
  std::string text;
};

// All regular files below these folders.
inline std::vector<ProjectFile> FilesBelow(std::span<const char* const> folders) {
  std::vector<ProjectFile> files;
  const std::filesystem::path root = THRESHER_SOURCE_DIR;
  for (const char* const folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files.push_back({entry.path().lexically_relative(root), {std::istreambuf_iterator<char>(file), {}}});
    }
  }
  return files;
}

}  // namespace thresher
