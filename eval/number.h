// Reading a number from text.
//
// Called by ResultReader, by jig for the answers of other filters, and by fit for the values of features.
// Thread-safety: a pure function.
#pragma once

#include <optional>
#include <string_view>

namespace thresher::eval {

// Nothing unless all of `text` is one number; "nan" and "inf" are numbers. A number too large for a double is
// infinite and one too small is 0: a filter that multiplies probabilities may print 1e-400.
std::optional<double> ReadNumber(std::string_view text);

}  // namespace thresher::eval
