// Posts as sparse vectors of their words, alone or in pairs.
//
// A word is two or more ASCII letters, in lower case; of the header only the subject counts. Features are
// numbered as they first occur. Used by the experiments that the papers ran on RCV1. Thread-safety: a pure
// function.
#pragma once

#include <functional>
#include <string>

#include "reproduction/sets/readers.h"

namespace thresher::reproduction {

enum class TextFeatures {
  kWords,  // log(1 + count)·log(posts/posts with it), in two posts or more; norm 1
  kPairs,  // words and pairs of neighbours, 1 if there
};

// Target +1 where `is_positive` holds of the group. Shuffled by `seed`.
DataSet MakeText(const Posts& posts, TextFeatures features, uint64_t seed,
                 const std::function<bool(const std::string&)>& is_positive);

// Stand-ins for RCV1's CCAT (47 % of it) and ECAT (15 %), in about these shares.
bool IsComputingOrScience(const std::string& group);
bool IsTalk(const std::string& group);

}  // namespace thresher::reproduction
