#include "pipeline/fit/solver_state.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "pipeline/terminal/whole_file.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kFirstWords = "thresher-fit 2 ";

std::string_view BytesOf(std::span<const double> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::string_view BytesOf(const uint64_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

tl::unexpected<Error> Wrong(const std::string& path, std::string_view what) {
  return tl::unexpected(Error{kData, fmt::format("{}: {}", path, what)});
}

}  // namespace

Result<void> SaveSolver(const std::string& path, const std::string& of_what,
                        const std::vector<std::span<double>>& memory) {
  auto file = WholeFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  file->Write(fmt::format("{}{}\n", kFirstWords, of_what));
  uint64_t digest = 0;
  for (const std::span<double> part : memory) {
    file->Write(BytesOf(part));
    digest = XXH3_64bits_withSeed(part.data(), part.size_bytes(), digest);
  }
  file->Write(BytesOf(digest));
  return file->Close();
}

Result<bool> RestoreSolver(const std::string& path, const std::string& of_what,
                           const std::vector<std::span<double>>& memory) {
  const FilePointer file(std::fopen(path.c_str(), "re"));
  if (file == nullptr && errno == ENOENT) return false;
  if (file == nullptr)
    return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", path, std::strerror(errno))});
  const std::string expected = fmt::format("{}{}\n", kFirstWords, of_what);
  std::string head(expected.size(), '\0');
  const bool is_whole = std::fread(head.data(), 1, head.size(), file.get()) == head.size();
  if (!head.starts_with(kFirstWords)) return Wrong(path, "this is not the state of a fit by this release");
  if (!is_whole || head != expected)
    return Wrong(path, fmt::format("it is not the state of the fit \"{}\"", of_what));

  std::vector<std::vector<double>> parts;
  uint64_t digest = 0;
  for (const std::span<double> part : memory) {
    std::vector<double>& read = parts.emplace_back(part.size());
    if (std::fread(read.data(), sizeof(double), read.size(), file.get()) != read.size())
      return Wrong(path, "the state is incomplete");
    digest = XXH3_64bits_withSeed(read.data(), read.size() * sizeof(double), digest);
  }
  uint64_t written = 0;
  const bool has_digest = std::fread(&written, sizeof(written), 1, file.get()) == 1;
  if (!has_digest || written != digest || std::fgetc(file.get()) != EOF)
    return Wrong(path, "the state is damaged");
  for (size_t i = 0; i < memory.size(); ++i) std::copy(parts[i].begin(), parts[i].end(), memory[i].begin());
  return true;
}

}  // namespace thresher::pipeline
