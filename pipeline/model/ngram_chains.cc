#include "pipeline/model/ngram_chains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tokenizer/id_space.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kPrefix = "raw:";

// An n-gram as its text shows it: a byte is one character, or \xHH.
struct Ngram {
  std::array<std::string, 4> bytes;
  std::string First() const { return bytes[0] + bytes[1] + bytes[2]; }
  std::string Last() const { return bytes[1] + bytes[2] + bytes[3]; }
};

Ngram Cut(std::string_view text) {
  text.remove_prefix(kPrefix.size());
  Ngram ngram;
  for (std::string& byte : ngram.bytes) {
    byte = text.substr(0, text.starts_with('\\') ? std::string_view("\\xHH").size() : 1);
    text.remove_prefix(byte.size());
  }
  return ngram;
}

bool FitTogether(const VocabularyEntry& a, const VocabularyEntry& b) {
  const auto sum = [](const VocabularyEntry& entry) {
    return uint64_t{entry.counts.ham} + entry.counts.spam;
  };
  return (a.weight > 0) == (b.weight > 0) && sum(a) <= 2 * sum(b) && sum(b) <= 2 * sum(a);
}

class Chains {
 public:
  explicit Chains(std::vector<VocabularyLine> lines)
      : lines_(std::move(lines)), ngrams_(lines_.size()), is_taken_(lines_.size()) {
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!IsNgram(i)) continue;
      ngrams_[i] = Cut(lines_[i].text);
      by_first_[ngrams_[i].First()].push_back(i);
      by_last_[ngrams_[i].Last()].push_back(i);
    }
  }

  std::vector<VocabularyLine> Join() {
    std::vector<VocabularyLine> joined;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (!is_taken_[i]) joined.push_back(IsNgram(i) ? Grow(i) : std::move(lines_[i]));
    }
    return joined;
  }

 private:
  using Places = std::unordered_map<std::string, std::vector<size_t>>;

  bool IsNgram(size_t i) const { return tokenizer::IdSpace::IsNgram(lines_[i].entry.id); }

  VocabularyLine Grow(size_t seed) {
    is_taken_[seed] = true;
    VocabularyLine chain = lines_[seed];
    const auto add = [&](size_t i) {
      chain.sum += lines_[i].entry.weight;
      ++chain.weights;
    };
    for (auto i = Take(by_first_, ngrams_[seed].Last(), seed); i;
         i = Take(by_first_, ngrams_[*i].Last(), *i)) {
      chain.text += ngrams_[*i].bytes[3];
      add(*i);
    }
    for (auto i = Take(by_last_, ngrams_[seed].First(), seed); i;
         i = Take(by_last_, ngrams_[*i].First(), *i)) {
      chain.text.insert(kPrefix.size(), ngrams_[*i].bytes[0]);
      add(*i);
    }
    return chain;
  }

  // The heaviest n-gram of these places that is in no chain and fits to the one at the end of this chain.
  std::optional<size_t> Take(const Places& places, const std::string& overlap, size_t end) {
    const auto found = places.find(overlap);
    if (found == places.end()) return std::nullopt;
    for (const size_t i : found->second) {
      if (is_taken_[i] || !FitTogether(lines_[i].entry, lines_[end].entry)) continue;
      is_taken_[i] = true;
      return i;
    }
    return std::nullopt;
  }

  std::vector<VocabularyLine> lines_;
  std::vector<Ngram> ngrams_;   // empty for a token
  std::vector<bool> is_taken_;  // whether it is in a chain
  Places by_first_;             // n-grams by their first three bytes, heaviest first
  Places by_last_;
};

}  // namespace

std::vector<VocabularyLine> JoinOverlappingNgrams(std::vector<VocabularyLine> lines) {
  return Chains(std::move(lines)).Join();
}

void SortHeaviestFirst(std::vector<VocabularyLine>* lines) {
  std::sort(lines->begin(), lines->end(), [](const VocabularyLine& a, const VocabularyLine& b) {
    const double heavier = std::abs(a.entry.weight) - std::abs(b.entry.weight);
    return heavier != 0 ? heavier > 0 : a.text < b.text;
  });
}

}  // namespace thresher::pipeline
