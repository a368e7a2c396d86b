// A number as filters and people write it.
//
// Called by ResultReader, by the pipeline's jig, and for the command line. Thread-safety: a pure function.
#pragma once

#include <optional>
#include <string_view>

namespace thresher::eval {

// The number that is all of `text`, which may be "nan" or "inf"; nothing if it is none. What is too large is
// infinite, and what is too small 0: a filter that multiplies probabilities prints 1e-400.
std::optional<double> ReadNumber(std::string_view text);

}  // namespace thresher::eval
