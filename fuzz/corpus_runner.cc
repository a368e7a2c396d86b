// A main for fuzz entry points without libFuzzer: `NAME_fuzz DIRECTORY [ROUNDS]` runs the entry point over
// every file in DIRECTORY and over ROUNDS seeded random mutations of them, the same ones every time. It ends
// with 0 unless the entry point aborts.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

std::vector<Bytes> ReadSeeds(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(std::vector<Bytes> seeds) : seeds_(std::move(seeds)) {}

  Bytes Next() {
    Bytes bytes = seeds_[Below(seeds_.size())];
    for (size_t edits = 1 + Below(8); edits > 0; --edits) Edit(bytes);
    return bytes;
  }

 private:
  size_t Below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  static Bytes::difference_type Offset(size_t position) {
    return static_cast<Bytes::difference_type>(position);
  }

  void Edit(Bytes& bytes) {
    const size_t at = Below(bytes.size() + 1);
    const size_t length = std::min(bytes.size() - at, 1 + Below(32));
    switch (Below(6)) {
      case 0:  // flip a bit
        if (at < bytes.size()) bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1u << Below(8)));
        break;
      case 1:  // insert a byte that has a meaning in mail or HTML
        bytes.insert(bytes.begin() + Offset(at), kSyntaxBytes[Below(std::size(kSyntaxBytes))]);
        break;
      case 2:  // remove a piece
        bytes.erase(bytes.begin() + Offset(at), bytes.begin() + Offset(at + length));
        break;
      case 3: {  // repeat a piece
        const Bytes piece(bytes.begin() + Offset(at), bytes.begin() + Offset(at + length));
        for (size_t times = 1 + Below(16); times > 0; --times) {
          bytes.insert(bytes.begin() + Offset(at), piece.begin(), piece.end());
        }
        break;
      }
      case 4:  // cut off the end
        bytes.resize(at);
        break;
      default: {  // continue with the end of another seed
        const Bytes& other = seeds_[Below(seeds_.size())];
        bytes.resize(at);
        bytes.insert(bytes.end(), other.begin() + Offset(Below(other.size() + 1)), other.end());
      }
    }
  }

  static constexpr uint8_t kSyntaxBytes[] = {0,   '\n', '\r', ' ', '\t', '"', '<',  '>',
                                             '=', '-',  ':',  ';', '&',  '%', 0x80, 0xff};
  std::vector<Bytes> seeds_;
  std::mt19937_64 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  size_t rounds = 10000;
  if (arguments.size() == 2) {
    std::from_chars(arguments[1].data(), arguments[1].data() + arguments[1].size(), rounds);
  }
  std::vector<Bytes> seeds;
  if (!arguments.empty()) seeds = ReadSeeds(arguments[0]);
  if (seeds.empty()) {
    std::fprintf(stderr, "usage: %s DIRECTORY-WITH-SEEDS [ROUNDS]\n", argv[0]);
    return 2;
  }
  for (const Bytes& seed : seeds) LLVMFuzzerTestOneInput(seed.data(), seed.size());
  const size_t seed_count = seeds.size();
  Mutator mutator(std::move(seeds));
  for (size_t round = 0; round < rounds; ++round) {
    const Bytes bytes = mutator.Next();
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu seeds, %zu mutations\n", seed_count, rounds);
  return 0;
}
