// For tests of a spool in a directory of its own. Thread-safety: one thread changes it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/delivery/spool.h"
#include "tests/pipeline/messages.h"
#include "tests/test_directory.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

class SpoolFixture : public testing::Test {
 protected:
  static constexpr uint64_t kSeed = 5;

  Spool Open(const SpoolLimits& limits = {}) const {
    return {directory_.path() / "spool", limits, {{}, kSeed}};
  }
  static tokenizer::Features FeaturesOf(int i) {
    tokenizer::Features features;
    tokenizer::Tokenizer(tokenizer::Options{}, kSeed)
        .Tokenize(SpamMessage(i), tokenizer::Kind::kMail, &features);
    return features;
  }
  static tokenizer::MessageKey KeyOf(int i) { return {"m" + std::to_string(i), "0123456789abcdef"}; }
  // As many tokens as make a file of some `bytes`.
  static tokenizer::Features Large(size_t bytes) {
    tokenizer::Features features;
    const std::string text(200, 'x');
    for (size_t i = 0; i < bytes / 212; ++i) {
      const std::string token = "body:" + std::to_string(i) + text;
      features.Add(tokenizer::IdSpace(kSeed).Token(token), 0.01F, token);
    }
    return features;
  }
  static bool IsKept(const Spool& spool, const tokenizer::MessageKey& key) {
    const auto found = spool.Find(key);
    return found && found->has_value();
  }
  std::vector<std::filesystem::path> Files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path() / "spool")) {
      if (!entry.path().filename().native().starts_with('.')) files.push_back(entry.path());
    }
    return files;
  }
  uint64_t Bytes() const {
    uint64_t bytes = 0;
    for (const std::filesystem::path& file : Files()) bytes += std::filesystem::file_size(file);
    return bytes;
  }
  void MakeOlder(std::chrono::minutes by) const {
    for (const std::filesystem::path& file : Files())
      std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - by);
  }

  TestDirectory directory_;
};

}  // namespace thresher::pipeline
