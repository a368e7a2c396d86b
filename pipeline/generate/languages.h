// Phrases in other languages, and the charsets people write them in.
//
// Used for mail, wanted and not, from abroad. Thread-safety: immutable after first use.
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

// All phrases can be written in all the charsets. They hold only slots that are not English.
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
