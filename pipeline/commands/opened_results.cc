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
    Fail({kData, fmt::format("{}: {} malformed lines left out", path, results->bad_line_count)});
  if (results->outcomes.empty()) return tl::unexpected(Error{kData, path + ": no result line in this file"});
  return ResultFile{path, *std::move(results)};
}

void Complain(const ResultFile& first, const ResultFile& second, const eval::Pairing& pairing) {
  const auto say = [](uint64_t count, const std::string& what) {
    if (count > 0) Fail({kData, fmt::format("{} {}", count, what)});
  };
  say(pairing.only_in_first, fmt::format("messages are in {} only", first.path));
  say(pairing.only_in_second, fmt::format("messages are in {} only", second.path));
  say(pairing.repeated, "lines repeat a message; its first line counts");
  say(pairing.judged_differently,
      fmt::format("messages are judged differently in {} and {}; left out", first.path, second.path));
}

}  // namespace thresher::pipeline
