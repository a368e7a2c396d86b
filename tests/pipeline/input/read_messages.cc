#include "tests/pipeline/input/read_messages.h"

#include <gtest/gtest.h>

#include <random>

namespace thresher::pipeline {

Messages ReadMessages(const std::string& path, Format format, size_t limit) {
  Messages all;
  auto source = OpenSource(path, format, limit);
  if (!source) {
    all.errors.push_back(source.error());
    return all;
  }
  RawMessage message;
  for (int calls = 0; calls < 10000; ++calls) {
    const Result<bool> more = (*source)->Next(&message);
    if (!more) {
      all.errors.push_back(more.error());
      continue;
    }
    if (!*more) return all;
    all.names.push_back(message.name);
    all.bytes.push_back(message.bytes);
  }
  ADD_FAILURE() << path << " does not end";
  return all;
}

std::string RandomBytes(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() % 64 + (random() % 16 == 0 ? 0 : 32));
  return bytes;
}

}  // namespace thresher::pipeline
