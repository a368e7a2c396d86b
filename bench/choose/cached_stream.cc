#include "bench/choose/cached_stream.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <unordered_map>

#include "bench/must.h"
#include "pipeline/input/file_reader.h"
#include "pipeline/input/trec_index.h"
#include "pipeline/model/rehearsal_rule.h"
#include "tokenizer/features.h"

namespace thresher::bench {
namespace {

// Any seed will do: ids become indices in the order in which they are met.
constexpr uint64_t kSeed = 1;

template <class T>
void WriteAll(std::ostream& out, const std::vector<T>& numbers) {
  const uint64_t size = numbers.size();
  out.write(reinterpret_cast<const char*>(&size), sizeof(size));
  out.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(size * sizeof(T)));
}

template <class T>
std::vector<T> ReadAll(std::istream& in, uint64_t most_bytes) {
  uint64_t size = 0;
  in.read(reinterpret_cast<char*>(&size), sizeof(size));
  if (!in || size > most_bytes / sizeof(T)) GiveUp("not a cached stream; remove it to make it again");
  std::vector<T> numbers(size);
  in.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(size * sizeof(T)));
  return numbers;
}

}  // namespace

CachedStream CachedStream::Tokenised(const std::string& index, tokenizer::Kind kind, size_t most) {
  const pipeline::TrecIndex entries = Must(pipeline::ReadTrecIndex(index));
  tokenizer::Tokenizer tokenizer(tokenizer::Options(), kSeed);
  std::unordered_map<uint64_t, uint32_t> index_of;
  CachedStream stream;
  tokenizer::Features features;
  std::string bytes;
  for (size_t i = 0; i < std::min(most, entries.entries.size()); ++i) {
    const pipeline::TrecEntry& entry = entries.entries[i];
    Must(pipeline::ReadFile(entries.FileOf(entry), &bytes));
    tokenizer.Tokenize(bytes, kind, &features);
    for (const uint64_t id : features.ids)
      stream.indices_.push_back(
          index_of.try_emplace(id, static_cast<uint32_t>(index_of.size())).first->second);
    stream.values_.insert(stream.values_.end(), features.values.begin(), features.values.end());
    stream.ends_.push_back(stream.indices_.size());
    stream.bytes_.push_back(pipeline::RehearsedBytes(features));
    stream.spam_.push_back(entry.is_spam ? 1 : 0);
  }
  if (stream.size() == 0) GiveUp(index + ": no messages");
  stream.width_ = index_of.size();
  return stream;
}

CachedStream CachedStream::Read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) GiveUp(path + ": cannot be read");
  const uint64_t bytes = std::filesystem::file_size(path);
  CachedStream stream;
  stream.spam_ = ReadAll<uint8_t>(in, bytes);
  stream.ends_ = ReadAll<uint64_t>(in, bytes);
  stream.bytes_ = ReadAll<uint32_t>(in, bytes);
  stream.indices_ = ReadAll<uint32_t>(in, bytes);
  stream.values_ = ReadAll<float>(in, bytes);
  if (!in || stream.ends_.size() != stream.size() || stream.bytes_.size() != stream.size() ||
      stream.values_.size() != stream.indices_.size() || stream.size() == 0 ||
      stream.ends_.back() != stream.values_.size() || stream.values_.empty())
    GiveUp(path + ": not a cached stream; remove it to make it again");
  stream.width_ = uint64_t{1} + *std::ranges::max_element(stream.indices_);
  return stream;
}

void CachedStream::Write(const std::string& path) const {
  const std::string unfinished = path + ".unfinished";
  std::ofstream out(unfinished, std::ios::binary);
  WriteAll(out, spam_);
  WriteAll(out, ends_);
  WriteAll(out, bytes_);
  WriteAll(out, indices_);
  WriteAll(out, values_);
  out.close();
  if (!out) GiveUp(unfinished + ": cannot be written");
  std::filesystem::rename(unfinished, path);
}

Message CachedStream::At(size_t message) const {
  const uint64_t begin = message == 0 ? 0 : ends_[message - 1];
  const uint64_t size = ends_[message] - begin;
  return {.indices = std::span(indices_).subspan(begin, size),
          .values = std::span(values_).subspan(begin, size),
          .bytes = bytes_[message]};
}

void CachedStream::MoveLastBits(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::unordered_map<float, float> moved;  // of one message
  uint64_t at = 0;
  for (const uint64_t end : ends_) {
    moved.clear();
    for (; at < end; ++at) {
      float& value = values_[at];
      if (value == 0) continue;
      const auto [known, is_new] = moved.try_emplace(value);
      if (is_new) {
        const auto move = static_cast<uint32_t>(random() % 3);
        known->second = std::bit_cast<float>(std::bit_cast<uint32_t>(value) + move - 1);
      }
      value = known->second;
    }
  }
}

}  // namespace thresher::bench
