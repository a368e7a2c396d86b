// The libraries that have a part in what a message is tokenised to.
//
// Called by the pipeline, which records them where messages are tokenised again. Thread-safety: pure
// functions.
#pragma once

#include <string>

namespace thresher::tokenizer {

// "ICU 72.1, GMime 3.2.13".
std::string TextLibraries();

}  // namespace thresher::tokenizer
