// Sentences from templates, and new words.
//
// Slots of a template: {thing} {act} {quality} of the topic; {name} {surname} {place} {day} {month} {time}
// {number} {money} {percent}; {coined} a word in fashion in the period, {rare} one from a long tail,
// {ticker} a stock symbol in fashion; {url} the scene's. Used by everything in generate/ that writes
// sentences. Thread-safety: pure but for the Random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/generate/random.h"
#include "pipeline/generate/topics.h"

namespace thresher::pipeline::synthetic {

// The data that a template is filled from.
struct Scene {
  const Topic& topic;
  uint64_t fashion;  // the seed of the words in fashion, different for each sender
  uint64_t period;   // the words in fashion depend on it
  std::string_view url;
};

// Appends the filled template; its first letter becomes a capital.
void Say(std::string_view line, const Scene& scene, Random& random, std::string& out);
std::string Said(std::string_view line, const Scene& scene, Random& random);

// `sentences` sentences on one line, each of the topic with probability `own`, otherwise of `shared`.
std::string Paragraph(const Scene& scene, const Phrases& shared, size_t sentences, double own,
                      Random& random);

// A pronounceable word; equal hashes give equal words.
std::string CoinWord(uint64_t hash);

// Common words without meaning.
std::string Filler(size_t words, Random& random);

// `length` letters and digits, lower case.
std::string Code(size_t length, Random& random);

// Breaks lines at spaces into at most `width` bytes; keeps existing line ends.
std::string Wrap(std::string_view text, size_t width);

}  // namespace thresher::pipeline::synthetic
