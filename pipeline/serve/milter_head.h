// The changes by which a mail server puts marks into a head and removes forged ones, as packets of the milter
// protocol.
//
// A milter cannot replace bytes of a head: it names a header and which one of that name it means. Called by
// MilterSession. Thread-safety: pure functions.
#pragma once

#include <string>

#include "pipeline/delivery/marks.h"
#include "pipeline/serve/milter_parser.h"
#include "tokenizer/own_marks.h"

namespace thresher::pipeline {

// As Marked does it with a whole message: removes thresher's headers, and the parts of other headers that
// some program could read as one; then puts in the tag and the lines.
std::string PacketsOfMarks(const MilterMessage& message, const Marks& marks, const tokenizer::OwnMarks& own);

}  // namespace thresher::pipeline
