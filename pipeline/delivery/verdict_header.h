// The X-Thresher header, and how it is put into a message without a change to any other byte.
//
// Called by `filter`. Thread-safety: pure functions.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "pipeline/model/model.h"
#include "pipeline/verdict.h"

namespace thresher::pipeline {

// "Spam, probability=0.999999, margin=13.8000000, key=…, version=0.1.0". Of a model that needs
// more examples to tell anything, "needs-ham=10, " and "needs-spam=3, " stand before the key; of one that
// contradicted many of the last ones, "contradicted=41/64, ".
std::string VerdictHeaderValue(Verdict verdict, const Score& score, const TaughtCounts& taught,
                               const Contradictions& contradictions, std::string_view key);

// "Unsure, REASON, probability=0.500000, …, needs-ham=10, needs-spam=10, version=0.1.0": the verdict if there
// is no model. Without a model there is no secret to make a key with, and nothing that a key could name.
std::string NoModelHeaderValue(std::string_view reason);

// "Error, the store is corrupt: …, version=0.1.0". Here and above the reason is cut to 200 bytes, and bytes
// that are not printable ASCII become "?".
std::string ErrorHeaderValue(std::string_view reason);

// `message` with "X-Thresher: VALUE" after a From line and before the rest, with the message's own line ends.
// X-Thresher headers that it had are removed (tokenizer/thresher_headers.h); all other bytes stay the same.
std::string WithVerdictHeader(std::string_view message, std::string_view value);

// The same as views in order, for a message without X-Thresher headers. Allocates no memory.
std::array<std::string_view, 6> PartsWithVerdictHeader(std::string_view message, std::string_view value);

}  // namespace thresher::pipeline
