// A configuration file of a test: loading it, its error, and settings printed as a file.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include "pipeline/settings/settings.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {

inline std::string FileOf(const Settings& settings) {
  std::ostringstream out;
  PrintSettings(settings, out);
  return out.str();
}

// The same, whatever named the settings: equal texts are equal settings.
inline std::string Printed(const Settings& settings) {
  static const std::regex place("  # from .*");
  static const std::regex commented("\\n( *)#(?=[a-z])");
  return std::regex_replace(std::regex_replace(FileOf(settings), place, ""), commented, "\n$1");
}

class SettingsFile : public testing::Test {
 protected:
  Result<Settings> Load(std::string_view yaml) {
    Result<Settings> settings = LoadSettings(folder_.Write("config.yaml", yaml));
    if (!settings) return settings;
    const Result<void> valid = settings->Validate();
    if (!valid) return tl::unexpected(valid.error());
    return settings;
  }

  // The error of a file without the file's name: "2: unknown …"; empty if there is none.
  std::string ErrorOf(std::string_view yaml) {
    const Result<Settings> settings = Load(yaml);
    if (settings) return "";
    EXPECT_EQ(settings.error().exit_code, kConfig);
    EXPECT_EQ(settings.error().message.find('\n'), std::string::npos);
    const std::string file = (folder_ / "config.yaml") + ":";
    EXPECT_THAT(settings.error().message, testing::StartsWith(file));
    return settings.error().message.substr(file.size());
  }

  TestDirectory folder_;
};

}  // namespace thresher::pipeline
