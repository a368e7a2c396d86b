// A model, its export, and what importing it gives: for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/export/model_import.h"
#include "pipeline/model/model.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {

std::unique_ptr<Model> OpenToTeach(const std::filesystem::path& dir, const Settings& settings);

// Teaches the messages with the numbers `from` to `to` - 1; returns their margins before learning.
std::vector<double> TeachNumbered(Model& model, int from, int to);

std::string ExportOf(const std::filesystem::path& dir, const Settings& settings);
std::vector<std::string> LinesOf(const std::string& text);

class ExportTest : public testing::Test {
 protected:
  Result<Imported> Import(const std::string& text) {
    return ImportModel(directory_.Write("export", text), Copy(), settings_);
  }
  std::filesystem::path Whole() const { return directory_ / "whole"; }
  std::filesystem::path Copy() const { return directory_ / "copy"; }

  TestDirectory directory_;
  Settings settings_;
};

}  // namespace thresher::pipeline
