// A stream for GMime's parser that gives whole lines.
//
// The parser reads some 4 KiB at a time and takes what a piece begins with for the beginning of a line: a
// sender who knows where pieces begin could put the boundary of a part there, in the middle of a line. Here a
// piece ends where a line does, unless the line is longer than a piece (mime_guard.h looks after those).
// Called by mime.cc. Thread-safety: that of GMime's objects.
#pragma once

#include <gmime/gmime.h>

#include "tokenizer/gobject_ptr.h"

namespace thresher::tokenizer {

// The stream owns `bytes`.
GObjectPtr<GMimeStream> MakeLineStream(GByteArray* bytes);

}  // namespace thresher::tokenizer
