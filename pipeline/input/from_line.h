// The "From " line at the start of each message in an mbox.
//
// Called by file_messages.cc and fit/folder_model.cc. Thread-safety: a pure function.
#pragma once

#include <string_view>

namespace thresher::pipeline {

// Strict: "From joe@example.com Thu Aug 22 12:36:23 2002", which is one address (a quoted local part may
// contain spaces) and a date in the form of ctime(); seconds may be missing, and a time zone may come before
// or after the year. A paragraph of text that starts with "From " does not match.
bool IsFromLine(std::string_view line);

}  // namespace thresher::pipeline
