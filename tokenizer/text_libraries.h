// What decides how a message is tokenised, beside the model's own options: the tokenizer and its libraries.
//
// Called by the pipeline, which records them where messages are tokenised again. Thread-safety: pure
// functions.
#pragma once

#include <string>

namespace thresher::tokenizer {

// "tokens 2, ICU 72.1, GMime 3.2.13".
std::string TextLibraries();

}  // namespace thresher::tokenizer
