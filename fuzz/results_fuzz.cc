// Any bytes as a result file: figures and reports are computed without a failure, and the results that were
// read can be written and read again.
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/html_report.h"
#include "eval/outcome.h"
#include "eval/pairing.h"
#include "eval/report.h"
#include "eval/report_json.h"
#include "eval/worst_errors.h"

namespace {

using namespace thresher::eval;

Results Read(std::string_view text) {
  ResultReader reader;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    reader.Read(text.substr(0, end));
    text.remove_prefix(end);
  }
  return reader.Take();
}

std::string ToText(const Results& results) {
  std::string text;
  for (size_t i = 0; i < results.outcomes.size(); ++i)
    text += FormatResultLine(
        results.paths[i], results.outcomes[i],
        {results.users.words()[results.users[i]], results.genres.words()[results.genres[i]]});
  return text;
}

void Report(const Results& results, const std::string& text, Ties ties) {
  const std::span<const Outcome> outcomes = results.outcomes;
  Summary summary =
      Summarise({{"verdicts", Tabulate(outcomes)}}, outcomes, {.ties = ties, .interval = {}, .ham_cost = 10});
  summary.groups = FiguresBy(results.users, outcomes, ties);
  summary.curve = LearningCurve(outcomes, EvenEnds(outcomes.size(), 3), 2, ties);
  static_cast<void>(FormatText(summary));
  static_cast<void>(ToJson(summary));
  std::vector<HtmlRun> runs = {DrawRun(text, summary, outcomes)};
  for (size_t i = 0; i < outcomes.size(); ++i) runs[0].worst.Add(results.paths[i], outcomes[i]);
  if (const auto score = ScoreAt(0.5, outcomes)) runs[0].thresholds = {{"p", *score}};
  if (CanFormatHtml()) static_cast<void>(FormatHtml(runs, {}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Results results = Read({reinterpret_cast<const char*>(data), size});
  const std::string text = ToText(results);
  if (ToText(Read(text)) != text) std::abort();

  const Ties ties = size % 2 == 0 ? Ties::kHalf : Ties::kTrec;
  const Comparison comparison = Compare(results.outcomes, results.outcomes, ties);
  if (comparison.all.p_value != 1) std::abort();
  if (PairUp(results, results).only_in_first != 0) std::abort();
  // It takes forty times as long as all of the above. Chosen by size, reports took nine tenths of the time:
  // libFuzzer keeps inputs that reach much, and those of the same size that it makes of them.
  if (XXH3_64bits(data, size) % 256 == 0) Report(results, text, ties);
  return 0;
}
