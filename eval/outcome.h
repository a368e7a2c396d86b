// One classified message, as evaluation sees it, and the TREC result line it is written as.
//
// Made by the pipeline's replay and by ResultReader; consumed by everything in eval/.
// Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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

// Whose message it is and of which kind, where that is known; without blanks.
struct Tags {
  std::string_view user;
  std::string_view genre;
};

// "PATH judge=ham class=ham score=-3.21456789 probability=0.0321 user=u genre=g" and a newline; the numbers
// round-trip. What is not known is left out.
std::string FormatResultLine(std::string_view path, const Outcome& outcome, const Tags& tags = {});

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

// A word or none for each line, such as its user: every word is kept once, and nothing while all have none.
class WordColumn {
 public:
  void Add(std::string_view word);  // empty: none

  bool empty() const { return numbers_.empty(); }
  // Number 0 is none, the empty word.
  const std::vector<std::string>& words() const { return words_; }
  uint32_t operator[](size_t line) const { return line < numbers_.size() ? numbers_[line] : 0; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  std::vector<std::string> words_ = {""};
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_of_;
  std::vector<uint32_t> numbers_;
  size_t lines_ = 0;
};

struct BadLine {
  size_t number;     // from 1
  std::string what;  // what was expected
};

struct Results {
  PathList paths;
  std::vector<Outcome> outcomes;  // as long as paths
  WordColumn users;
  WordColumn genres;
  std::vector<BadLine> bad_lines;  // the first 100
  size_t bad_line_count = 0;
};

// Reads result lines one by one, with either line end. A path may hold spaces; after score= may follow
// probability=, user=, genre= and further fields, which are passed over; so are blank lines. Malformed lines
// (and scores that are not finite, and probabilities outside of 0 to 1) are noted and left out.
class ResultReader {
 public:
  void Read(std::string_view line);
  // A line that could not be handed over.
  void Reject(std::string what);

  const Results& results() const { return results_; }
  Results Take() { return std::move(results_); }

 private:
  Results results_;
  size_t lines_ = 0;
};

}  // namespace thresher::eval
