// thresher fuse: combines the results of several filters into those of one.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "eval/pairing.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/opened_results.h"
#include "pipeline/terminal/output_file.h"
#include "pipeline/trec/fusion.h"

namespace thresher::pipeline {
namespace {

struct FuseFlags {
  std::vector<std::string> paths;
  std::string out = "-";
  std::string method = "average";
};

constexpr uint32_t kMissing = std::numeric_limits<uint32_t>::max();

// For each file, the line of each message of the first file; kMissing if a file lacks the message.
using Lines = std::vector<std::vector<uint32_t>>;

Lines LinesOf(const std::vector<ResultFile>& files, bool* flawless) {
  const size_t lines = files[0].results.outcomes.size();
  Lines line_in = {std::vector<uint32_t>(lines, kMissing)};
  for (size_t other = 1; other < files.size(); ++other) {
    const eval::Pairing pairing = eval::PairUp(files[0].results, files[other].results);
    ReportUnpaired(files[0], files[other], pairing);
    *flawless &= pairing.IsWhole();
    line_in.emplace_back(lines, kMissing);
    for (const auto [one, two] : pairing.pairs) {
      line_in[0][one] = one;
      line_in[other][one] = two;
    }
  }
  return line_in;
}

void WriteFused(const std::vector<ResultFile>& files, const Lines& line_in, FusionMethod method,
                OutputFile* out) {
  const eval::Results& first = files[0].results;
  Fusion fusion(files.size(), method);
  std::vector<eval::Outcome> said(files.size());
  for (size_t line = 0; line < first.outcomes.size(); ++line) {
    const bool in_all = std::none_of(line_in.begin(), line_in.end(),
                                     [&](const auto& lines) { return lines[line] == kMissing; });
    if (!in_all) continue;
    for (size_t file = 0; file < files.size(); ++file)
      said[file] = files[file].results.outcomes[line_in[file][line]];
    out->Write(eval::FormatResultLine(
        first.paths[line], fusion.Fuse(said),
        {.user = first.users.words()[first.users[line]], .genre = first.genres.words()[first.genres[line]]}));
  }
}

Result<int> FuseFiles(const FuseFlags& flags) {
  bool flawless = true;
  std::vector<ResultFile> files;
  for (const std::string& path : flags.paths) {
    auto file = OpenResultFile(path);
    if (!file) return tl::unexpected(file.error());
    flawless &= file->IsFlawless();
    files.push_back(*std::move(file));
  }
  const Lines line_in = LinesOf(files, &flawless);
  auto out = OutputFile::Open(flags.out);
  if (!out) return tl::unexpected(out.error());
  WriteFused(files, line_in, flags.method == "average" ? FusionMethod::kAverage : FusionMethod::kStacking,
             &*out);
  if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  return flawless ? 0 : kData;
}

}  // namespace

void AddFuse(CommandLine& line) {
  Command command =
      line.Add("fuse", "Combine the scores of several filters for the same messages into one score");
  command.Footer(
      "Writes result lines that `thresher eval` reads: the messages that all files have, in the order of\n"
      "the first file. Each message is scored before the method learns from its judgement.\n"
      "Exit code: 0; 65 if a line is malformed or a message is not in all files (both are reported and\n"
      "left out); 66 if a file cannot be read.");
  FuseFlags& flags = command.Runs(FuseFiles);
  command.Add("RESULTS", &flags.paths, "Two result files or more, plain or compressed")
      .Require()
      .AtLeast(2)
      .Reads();
  command
      .Add("--method", &flags.method,
           "average: the mean of the log-odds of spam; stacking: online logistic regression on the log-odds")
      .Check(OneOf({"average", "stacking"}))
      .ShowDefault();
  command.Add("--out", &flags.out, "Write the result lines to this file; - is standard output")
      .ShowDefault()
      .Writes();
}

}  // namespace thresher::pipeline
