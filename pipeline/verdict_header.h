// The header thresher puts into a message, and how it is put there without touching any other byte.
//
// Used by `filter`. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/model.h"
#include "pipeline/verdict.h"

namespace thresher::pipeline {

// "Spam, probability=0.999999, margin=13.8000000, key=0123456789abcdef, version=0.1.0"
std::string VerdictHeaderValue(Verdict verdict, const Score& score, std::string_view key);

// "Unsure, REASON, probability=0.500000, …": the verdict of no model.
std::string NoModelHeaderValue(std::string_view reason, std::string_view key);

// "Error, the store is corrupt: …, version=0.1.0": printable ASCII on one line, at most 200 bytes of reason,
// as above.
std::string ErrorHeaderValue(std::string_view reason);

// `message` with "X-Thresher: VALUE" after a From line and before the rest, in the message's own line ends;
// X-Thresher headers that were there are gone; every other byte stands as it stood.
std::string WithVerdictHeader(std::string_view message, std::string_view value);

}  // namespace thresher::pipeline
