#include "pipeline/commands/opened_results.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "pipeline/commands/running.h"
#include "pipeline/trec/result_file.h"

namespace thresher::pipeline {
namespace {

void ReportBadLines(const std::string& path, const eval::Results& results) {
  for (const eval::BadLine& bad : results.bad_lines)
    Fail({kData, fmt::format("{}:{}: {}", path, bad.number, bad.what)});
  const size_t more = results.bad_line_count - results.bad_lines.size();
  if (more > 0) {
    Fail({kData, fmt::format("{}: {} more malformed line{}; all {} are left out", path, more,
                             more == 1 ? "" : "s", results.bad_line_count)});
  } else if (results.bad_line_count > 0) {
    Fail({kData, fmt::format("{}: {} malformed line{} left out", path, results.bad_line_count,
                             results.bad_line_count == 1 ? "" : "s")});
  }
}

}  // namespace

Result<ResultFile> OpenResultFile(const std::string& path) {
  auto results = ReadResultFile(path);
  if (!results) return tl::unexpected(results.error());
  ReportBadLines(path, *results);
  if (results->outcomes.empty())
    return tl::unexpected(Error{kData, path + ": expected TREC result lines, found none"});
  return ResultFile{path, *std::move(results)};
}

void ReportUnpaired(const ResultFile& first, const ResultFile& second, const eval::Pairing& pairing) {
  const auto report = [](uint64_t count, std::string_view what, const std::string& rest) {
    if (count > 0) Fail({kData, fmt::format("{} {}{} {}", count, what, count == 1 ? "" : "s", rest)});
  };
  report(pairing.only_in_first, "message", "only in " + first.path);
  report(pairing.only_in_second, "message", "only in " + second.path);
  report(pairing.repeated, "repeated line", "left out: the first line of each message counts");
  report(pairing.judged_differently, "message",
         fmt::format("judged differently in {} and {}, left out", first.path, second.path));
}

}  // namespace thresher::pipeline
