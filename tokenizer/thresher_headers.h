// Finds the headers that thresher writes (X-Thresher…, and others that OwnMarks names) in a message, so that
// they can be removed: those of an earlier run, and forged ones. And the tag that it puts before a Subject.
//
// Mail programs disagree about where a line ends, what a header's name is and where the head ends. A sender
// who knows that could write a header that thresher takes for text and the next program for thresher's
// verdict. So a header is removed here if any program could read it as one:
// - a line ends at LF, CRLF or CR (Python's email takes all of them; most programs only LF and CRLF);
// - CR and NUL in a name do not count (maildrop removes CR before it matches), letter case does not, and what
//   follows the name need not be a colon (procmail joins "X-Thresher" and a folded " : Ham");
// - the head ends where it ends for every program: at the first empty line that ends as the first line of the
//   message does. Its first lines are those of the last mail server, not of the sender. Lines that are no
//   headers do not end it, nor does "CR LF" in a message that begins with LF (procmail reads on).
//
// Called by `filter` and the milter, whose output has thresher's header instead, and by the tokenizer and
// KeyMaker, for which a message is the same before and after `filter`: before anything else reads it.
// Thread-safety: pure functions. Accepts any bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/own_marks.h"

namespace thresher::tokenizer {

// Removes thresher's headers, with their continuation lines and line ends, from *message. All other bytes
// stay. Allocates no memory.
void RemoveThresherHeaders(std::string* message, const OwnMarks& marks);

// Whether the head of `message` ends in it for every program: what follows has no header of thresher's. Where
// this is only the beginning of a message, headers of thresher's may still follow if not.
bool HasWholeHead(std::string_view message, const OwnMarks& marks);

// `message` without thresher's headers: a view of it, or of *buffer if something was removed.
std::string_view WithoutThresherHeaders(std::string_view message, std::string* buffer, const OwnMarks& marks);

// The same, also without the tag at the beginning of the Subject.
std::string_view WithoutMarks(std::string_view message, std::string* buffer, const OwnMarks& marks);

// The first `most` of thresher's headers, names included, as they stand in `message`.
std::vector<std::string_view> ThresherHeaders(std::string_view message, size_t most, const OwnMarks& marks);

// Where a tag goes, followed by a space: in the first line of the first Subject, behind the blanks after the
// colon. Nothing if there is no Subject. REQUIRES: `message` has none of thresher's headers.
std::optional<size_t> PlaceOfSubjectTag(std::string_view message);
// Whether the tag is there already.
bool HasSubjectTag(std::string_view message, size_t place, std::string_view tag);

// Where thresher's header goes, and how its line ends there.
struct HeaderPlace {
  size_t position;            // after From lines
  std::string_view line_end;  // "\r\n" or "\n", as the message's first line; "\n" if it has none
};

// REQUIRES: `message` has none of thresher's headers.
HeaderPlace PlaceOfHeader(std::string_view message);

}  // namespace thresher::tokenizer
