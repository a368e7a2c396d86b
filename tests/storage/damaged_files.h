// For tests that change bytes of a toy model's files and then read it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"

namespace thresher::storage {

// The names of the files that are not empty, in order.
inline std::vector<std::filesystem::path> Files(const std::filesystem::path& dir) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(dir / "db")) {
    if (entry.file_size() > 0) files.push_back(entry.path().filename());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Reads everything; succeeds only if it is the state after some number of examples.
inline Result<uint64_t> ReadAll(const std::filesystem::path& dir) {
  const auto reader = ToyModel::OpenForReading(dir);
  if (!reader) return tl::unexpected(reader.error());
  ToyTwin twin;
  twin.LearnUpTo((*reader)->applied_seq());
  const auto rows = (*reader)->Rows();
  if (!rows) return tl::unexpected(rows.error());
  EXPECT_EQ(*rows, twin.rows());
  std::vector<uint64_t> ids;
  for (const auto& [id, row] : twin.rows()) ids.push_back(id);
  const auto texts = (*reader)->weights().Texts(ids);
  if (!texts) return tl::unexpected(texts.error());
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ((*texts)[i], ToyText(ids[i]));
  uint64_t seen = 0;
  auto read = (*reader)->log().Read(0, [&](const Example& example) {
    EXPECT_EQ(example.seq, ++seen);
    EXPECT_EQ(example.features, ToyExample(seen).features);
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  EXPECT_GE(seen, twin.seq());
  return twin.seq();
}

inline void FlipAt(const std::filesystem::path& file, uint64_t at) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekg(static_cast<std::streamoff>(at));
  const auto flipped = static_cast<char>(bytes.get() ^ 16);
  bytes.seekp(static_cast<std::streamoff>(at));
  bytes.put(flipped);
}

}  // namespace thresher::storage
