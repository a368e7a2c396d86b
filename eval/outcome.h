// The outcome of one classified message, and the TREC result line that it is written as.
//
// Made by trec/experiment.cc, fusion.cc, fit/trial.cc and ResultReader; read by everything in eval/ and by
// the commands that report. Thread-safety: plain values.
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
  bool called_spam = false;  // the verdict; unsure counts as ham, because it stays in the inbox
  double score = 0;          // greater = more like spam
  // The filter's probability of spam, from 0 to 1, or kUnknown.
  double probability = kUnknown;

  static constexpr double kUnknown = -1;
};

// The user and the genre of a message; empty if unknown. They contain no blanks.
struct Tags {
  std::string_view user;
  std::string_view genre;
};

// "PATH judge=ham class=ham score=-3.21456789 probability=0.0321 user=u genre=g" and a newline. Numbers are
// read back as the same bits. Unknown fields are left out.
std::string FormatResultLine(std::string_view path, const Outcome& outcome, const Tags& tags = {});

// Paths in one string: ten million small strings would need more memory than their outcomes.
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

// One word or none per line, for example its user. Each word is stored once; a column without words stores
// nothing.
class WordColumn {
 public:
  void Add(std::string_view word);  // empty: none

  bool empty() const { return numbers_.empty(); }
  // Number 0 is the empty word: none.
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
  std::string what;  // the error
};

struct Results {
  PathList paths;
  std::vector<Outcome> outcomes;  // as long as paths
  WordColumn users;
  WordColumn genres;
  std::vector<BadLine> bad_lines;  // the first three: a wrong file has as many as it has lines
  size_t bad_line_count = 0;
};

// Reads result lines one by one, ending in LF or CR LF. A path may contain spaces. The fields probability=,
// user= and genre= may follow score=. Other fields and blank lines are ignored. Malformed lines are reported
// in bad_lines and left out, among them those with a score that is not finite or a probability outside 0
// to 1.
class ResultReader {
 public:
  void Read(std::string_view line);
  // Counts a line that the caller could not read.
  void Reject(std::string what);

  const Results& results() const { return results_; }
  Results Take() { return std::move(results_); }

 private:
  Results results_;
  size_t lines_ = 0;
};

}  // namespace thresher::eval
