// Phrases in other languages, and the charsets in use for them.
//
// Used for ham and spam from abroad. Thread-safety: immutable after first use.
#pragma once

#include <string>
#include <vector>

#include "pipeline/generate/part.h"
#include "pipeline/generate/topics.h"

namespace thresher::pipeline::synthetic {

struct Charset {
  std::string name;
  Transfer transfer;
};

// Every charset has all characters of the phrases. Their slots are filled without English words.
struct Language {
  std::vector<Charset> charsets;
  Phrases names;
  Phrases ham_subjects;
  Phrases ham_lines;
  Phrases spam_subjects;
  Phrases spam_lines;
};

const std::vector<Language>& Languages();

}  // namespace thresher::pipeline::synthetic
