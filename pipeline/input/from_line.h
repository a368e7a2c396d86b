// The "From " line that begins a message in an mbox.
//
// Used by the message source. Thread-safety: a pure function.
#pragma once

#include <string_view>

namespace thresher::pipeline {

// Strict: "From joe@example.com Thu Aug 22 12:36:23 2002", that is one address (a quoted local part may hold
// spaces) and a date as ctime() writes it; seconds may lack, a zone may stand before or after the year. What
// people write at the beginning of a paragraph is none.
bool IsFromLine(std::string_view line);

}  // namespace thresher::pipeline
