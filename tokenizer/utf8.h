// Whether bytes are UTF-8.
//
// Used by CharsetConverter, and where the pipeline writes text of mail and names of files as JSON.
// Thread-safety: a pure function.
#pragma once

#include <string_view>

namespace thresher::tokenizer {

bool IsValidUtf8(std::string_view bytes);

}  // namespace thresher::tokenizer
