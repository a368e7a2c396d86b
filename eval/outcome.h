// One classified message, as evaluation sees it, and the TREC result line it is written as.
//
// Made by the pipeline's replay and by ReadResults; consumed by everything in eval/.
// Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::eval {

struct Outcome {
  bool judged_spam = false;  // the gold standard
  bool called_spam = false;  // the verdict; unsure counts as ham, for it stays in the inbox
  double score = 0;          // greater = more like spam
};

// "PATH judge=ham class=ham score=-3.21456789" and a newline; the score round-trips.
std::string FormatResultLine(std::string_view path, const Outcome& outcome);

struct BadLine {
  size_t number;     // from 1
  std::string what;  // what was expected
};

struct Results {
  std::vector<std::string> paths;
  std::vector<Outcome> outcomes;   // as long as paths
  std::vector<BadLine> bad_lines;  // the first 100
  size_t bad_line_count = 0;
};

// Reads result lines; further fields after score= are allowed and passed over. Malformed lines (and scores
// that are not finite) are reported and skipped.
Results ReadResults(std::istream& in);

}  // namespace thresher::eval
