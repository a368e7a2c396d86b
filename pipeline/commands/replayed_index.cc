#include "pipeline/commands/replayed_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "pipeline/commands/running.h"
#include "pipeline/trec/experiment.h"

namespace thresher::pipeline {
namespace {

void SayWhatIsMissing(const TrecIndex& index) {
  const auto say = [&](std::string_view what) { Fail({kData, fmt::format("{}: {}", index.path, what)}); };
  if (std::ranges::none_of(index.entries, &TrecEntry::classify))
    say("no line is classified: messages are only taught, no figure is defined and there are no result "
        "lines");
  if (std::ranges::none_of(index.entries, &TrecEntry::train))
    say("nothing is taught: all messages are classified by a filter that has learned nothing");
}

}  // namespace

Result<TrecIndex> OpenReplayedIndex(const std::string& path, const Split& split, const Stress& stress) {
  auto read = ReadTrecIndex(path);
  if (!read) return tl::unexpected(read.error());
  const auto can = read->entries.empty() ? Result<void>() : CheckStress(*read, stress);
  if (!can) return tl::unexpected(can.error());
  if (auto readable = CheckAnyReadable(*read); !readable) return tl::unexpected(readable.error());
  TrecIndex index = Arranged(*std::move(read), split, stress);
  if (index.entries.empty()) return tl::unexpected(Error{kData, path + ": no message in this index"});
  SayWhatIsMissing(index);
  return index;
}

}  // namespace thresher::pipeline
