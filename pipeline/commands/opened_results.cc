#include "pipeline/commands/opened_results.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/input/result_file.h"

namespace thresher::pipeline {

Result<ResultFile> OpenResultFile(const std::string& path) {
  auto results = ReadResultFile(path);
  if (!results) return tl::unexpected(results.error());
  for (const eval::BadLine& bad : results->bad_lines)
    Fail({kData, fmt::format("{}:{}: {}", path, bad.number, bad.what)});
  if (results->bad_line_count > 0)
    fmt::print(stderr, "thresher: {}: {} malformed lines left out\n", path, results->bad_line_count);
  if (results->outcomes.empty()) return tl::unexpected(Error{kData, path + ": no result line in this file"});
  return ResultFile{path, *std::move(results)};
}

void Complain(const ResultFile& first, const ResultFile& second, const eval::Pairing& pairing) {
  if (pairing.only_in_first > 0)
    fmt::print(stderr, "thresher: {} messages are in {} only\n", pairing.only_in_first, first.path);
  if (pairing.only_in_second > 0)
    fmt::print(stderr, "thresher: {} messages are in {} only\n", pairing.only_in_second, second.path);
  if (pairing.repeated > 0)
    fmt::print(stderr, "thresher: {} lines repeat a message; its first line counts\n", pairing.repeated);
  if (pairing.judged_differently > 0)
    fmt::print(stderr, "thresher: {} messages are judged differently in {} and {}; left out\n",
               pairing.judged_differently, first.path, second.path);
}

}  // namespace thresher::pipeline
