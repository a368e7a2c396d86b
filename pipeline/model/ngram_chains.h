// Joins the byte 4-grams of one text, such as "zzas" and "zaso", to the text that they were cut from.
//
// A word or a header line that speaks for one class gives a weight to each of its 4-grams, and one line for
// all of them is easier to read. Used by vocab. Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/model/vocabulary.h"

namespace thresher::pipeline {

// A line of the printed vocabulary: one token, or several n-grams that were joined.
struct VocabularyLine {
  VocabularyEntry entry;  // of the heaviest
  std::string text;
  size_t weights = 1;
  double sum = entry.weight;  // of the weights
};

// Two n-grams are joined if the last three bytes of one are the first three of the other, their weights have
// the same sign, and neither has more than twice the counts of the other. Each n-gram is in one chain: from
// the heaviest on, a chain grows to the right and then to the left, always by the heaviest n-gram that fits.
// `lines`: single tokens, heaviest first. So is the result, by the heaviest weight of each line.
std::vector<VocabularyLine> JoinOverlappingNgrams(std::vector<VocabularyLine> lines);

// Heaviest first; where weights are equal, by text, for ids differ from model to model.
void SortHeaviestFirst(std::vector<VocabularyLine>* lines);

}  // namespace thresher::pipeline
