// Files of the source tree and of the documentation that tests compare the registries with.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

namespace thresher::learners {

inline std::string FileText(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The name that a learner's or a solver's file gives it: `constexpr std::string_view kSdcaName = "sdca"`.
// Nothing if the file has none.
inline std::optional<std::string> NameInFile(const std::filesystem::path& path) {
  static const std::regex kNameLine("\nconstexpr std::string_view k[A-Za-z0-9]+Name = \"([^\"]+)\"");
  const std::string text = FileText(path);
  std::smatch match;
  if (path.extension() != ".cc" || !std::regex_search(text, match, kNameLine)) return std::nullopt;
  return match[1].str();
}

}  // namespace thresher::learners
