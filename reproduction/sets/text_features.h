// Turns posts into sparse vectors of their words, or of their words and word pairs.
//
// A word is two or more ASCII letters, in lower case. Of the header only the subject is used. Features are
// numbered in the order of their first occurrence. Used by the experiments that the papers ran on RCV1.
// Thread-safety: a pure function.
#pragma once

#include <functional>
#include <string>

#include "reproduction/sets/readers.h"

namespace thresher::reproduction {

enum class TextFeatures {
  kWords,  // log(1 + count)·log(posts/posts with it), if in at least two posts; norm 1
  kPairs,  // words and pairs of adjacent words; 1 if present
};

// The target is +1 if is_positive(group), else −1. `seed` determines the order of the examples.
DataSet MakeText(const Posts& posts, TextFeatures features, uint64_t seed,
                 const std::function<bool(const std::string&)>& is_positive);

// Replace RCV1's classes CCAT (47 % of it) and ECAT (15 %); their shares of the posts are about the same.
bool IsComputingOrScience(const std::string& group);
bool IsTalk(const std::string& group);

}  // namespace thresher::reproduction
