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
  // Of spam, as the filter sees it: from 0 to 1, or kUnknown.
  double probability = kUnknown;

  static constexpr double kUnknown = -1;
};

// "PATH judge=ham class=ham score=-3.21456789 probability=0.0321" and a newline; the numbers round-trip. An
// unknown probability is left out.
std::string FormatResultLine(std::string_view path, const Outcome& outcome);

// Paths end to end in one string: ten million small strings would cost more memory than their outcomes.
class PathList {
 public:
  void Add(std::string_view path) {
    text_.append(path);
    ends_.push_back(text_.size());
  }
  size_t size() const { return ends_.size(); }
  // Valid until the next Add. REQUIRES: index < size().
  std::string_view operator[](size_t index) const {
    const size_t start = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(start, ends_[index] - start);
  }

 private:
  std::string text_;
  std::vector<size_t> ends_;
};

struct BadLine {
  size_t number;     // from 1
  std::string what;  // what was expected
};

struct Results {
  PathList paths;
  std::vector<Outcome> outcomes;   // as long as paths
  std::vector<BadLine> bad_lines;  // the first 100
  size_t bad_line_count = 0;
};

// Reads result lines, with either line end. A path may hold spaces; probability= may follow score=, and
// further fields, which are passed over; so are blank lines. Malformed lines (and scores that are not finite,
// and probabilities outside of 0 to 1) are reported and skipped.
Results ReadResults(std::istream& in);

}  // namespace thresher::eval
