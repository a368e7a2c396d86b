#include "reproduction/sets/text_features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

namespace thresher::reproduction {
namespace {

using Counts = std::map<uint32_t, int>;  // feature → number of occurrences

// Returns the body and sets `*subject`.
std::string_view Content(const std::string& post, std::string* subject) {
  const std::string_view text = post;
  const size_t end = std::min(text.find("\n\n"), text.size());
  const size_t begin = text.starts_with("Subject:") ? 0 : text.find("\nSubject:");
  if (begin < end) *subject = text.substr(begin + 9, text.find('\n', begin + 1) - begin - 9);
  return text.substr(end);
}

// Calls visit(word) for each word.
template <class Visit>
void ForEachWord(std::string_view text, Visit visit) {
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const int c =
        i < text.size() ? text[i] | 0x20 : ' ';  // makes letters lower case, and no other character a letter
    if (c >= 'a' && c <= 'z') {
      word += static_cast<char>(c);
    } else {
      if (word.size() > 1) visit(word);
      word.clear();
    }
  }
}

class Dictionary {
 public:
  uint32_t NumberOf(const std::string& text) {
    return numbers_.emplace(text, static_cast<uint32_t>(numbers_.size())).first->second;
  }
  uint32_t size() const { return static_cast<uint32_t>(numbers_.size()); }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

Counts Count(const std::string& post, TextFeatures features, Dictionary* dictionary) {
  Counts counts;
  std::string previous;
  const auto add = [&](const std::string& word) {
    ++counts[dictionary->NumberOf(word)];
    if (features == TextFeatures::kPairs && !previous.empty()) {
      ++counts[dictionary->NumberOf(previous + ' ' + word)];
    }
    previous = word;
  };
  std::string subject;
  const std::string_view body = Content(post, &subject);
  ForEachWord(subject, add);
  previous.clear();
  ForEachWord(body, add);
  return counts;
}

std::vector<double> PostsWith(const std::vector<Counts>& all, uint32_t features) {
  std::vector<double> posts_with(features);
  for (const Counts& counts : all) {
    for (const auto& [feature, count] : counts) ++posts_with[feature];
  }
  return posts_with;
}

}  // namespace

DataSet MakeText(const Posts& posts, TextFeatures features, uint64_t seed,
                 const std::function<bool(const std::string&)>& is_positive) {
  Dictionary dictionary;
  std::vector<Counts> all;
  for (const std::string& text : posts.texts) all.push_back(Count(text, features, &dictionary));
  const std::vector<double> posts_with = PostsWith(all, dictionary.size());
  const auto least = features == TextFeatures::kWords ? 2.0 : 1.0;
  std::vector<uint32_t> numbers(dictionary.size());  // new numbers of the features that are kept
  DataSet data;
  for (size_t f = 0; f < numbers.size(); ++f) numbers[f] = posts_with[f] < least ? 0 : data.width++;
  const auto n = static_cast<double>(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    for (const auto& [feature, count] : all[i]) {
      if (posts_with[feature] < least) continue;
      const double weight =
          features == TextFeatures::kPairs ? 1 : std::log(1 + count) * std::log(n / posts_with[feature]);
      data.AddEntry(numbers[feature], static_cast<float>(weight));
    }
    data.EndExample(is_positive(posts.groups[i]) ? 1 : -1);
  }
  if (features == TextFeatures::kWords) NormaliseExamples(&data);
  return Shuffled(data, seed);
}

bool IsComputingOrScience(const std::string& group) {
  return group.starts_with("comp.") || group.starts_with("sci.");
}

bool IsTalk(const std::string& group) { return group.starts_with("talk."); }

}  // namespace thresher::reproduction
