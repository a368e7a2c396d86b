// Real messages for tests, if THRESHER_CORPORA names a folder that contains spamassassin/.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace thresher::tokenizer {

// Every `step`-th message; nothing without a corpus.
inline std::vector<std::string> SpamassassinMessages(size_t step) {
  std::vector<std::string> messages;
  const char* corpora = std::getenv("THRESHER_CORPORA");
  if (corpora == nullptr) return messages;
  const std::filesystem::path folder = std::filesystem::path(corpora) / "spamassassin";
  std::ifstream index(folder / "full" / "index");
  size_t count = 0;
  for (std::string judge, path; index >> judge >> path;) {
    if (count++ % step != 0) continue;
    std::ifstream file(folder / "full" / path, std::ios::binary);
    messages.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return messages;
}

}  // namespace thresher::tokenizer
