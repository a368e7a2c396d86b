// The lines by which an mbox is split into messages.
//
// Called by file_messages.cc, and by fit/folder_model.cc for what begins a message. Thread-safety: pure
// functions.
#pragma once

#include <string_view>

namespace thresher::pipeline {

// "From joe@example.com Thu Aug 22 12:36:23 2002": anything, as programs write no address, "joe at
// example.com" or "<joe>", and then a date in the form of ctime(), or of ISO 8601; seconds may be missing,
// there may be a time zone, and "remote from HOST" may follow. So most lines of text that start with "From "
// do not match.
bool IsFromLine(std::string_view line);

// Whether a message goes on so after its From line: "Name: value", or ">From " with a date, which UUCP
// writes. Where a body has a From line, as when it shows one, mostly text follows.
bool BeginsHead(std::string_view line);

// ">From ": what an mbox has for a line of a body that starts with "From ".
bool IsQuotedFrom(std::string_view line);

}  // namespace thresher::pipeline
