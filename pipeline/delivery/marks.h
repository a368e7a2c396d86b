// What thresher writes into a message: the verdict in a header, and by settings two headers of SpamAssassin
// and a tag before the Subject. How it is put in without a change to any other byte.
//
// Called by `filter`, the spamd protocol and the milter. The tokenizer drops all of it again
// (tokenizer/own_marks.h). Thread-safety: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "pipeline/delivery/judged.h"
#include "tokenizer/own_marks.h"

namespace thresher::pipeline {

struct Marks {
  std::string lines;  // "X-Thresher: Spam, …\n", to stand above the head
  std::string tag;    // to stand before the Subject; may be empty
};

// "listed=allow:domain, " of the entry of the lists that decided; nothing if none did.
std::string ListedMark(std::string_view entry);

// X-Thresher: Spam, probability=0.999999, margin=13.8000000, key=…, version=0.2.0
// ListedMark stands before the probability. Of a model that
// needs more examples to tell anything, "needs-ham=10, " and "needs-spam=3, " stand before the key; of one
// that contradicted many of the last ones, "contradicted=41/64, ". Above it, if they are wanted: X-Spam-Flag:
// YES, of spam; X-Spam-Status: Yes, score=11.1 required=5.0.
Marks MarksOf(const Judged& judged, const tokenizer::OwnMarks& own);

// "Unsure, REASON, probability=0.500000, …, needs-ham=10, needs-spam=10, version=0.2.0": the verdict if there
// is no model. Without a model there is no secret to make a key with, and nothing that a key could name.
Marks NoModelMarks(std::string_view reason, const tokenizer::OwnMarks& own);

// "Error, the store is corrupt: …, version=0.2.0". Here and above the reason is cut to 200 bytes, and bytes
// that are not printable ASCII become "?".
Marks ErrorMarks(std::string_view reason, const tokenizer::OwnMarks& own);

// Calls write(piece) for the pieces of `message` with the marks, until one returns false; returns whether
// none did. The lines stand after a From line and end as the message's own do; a tag that is there already is
// not written again. Allocates no memory. REQUIRES: `message` has none of thresher's headers.
bool WriteMarked(std::string_view message, const Marks& marks,
                 const std::function<bool(std::string_view)>& write);

// The same of any message: headers of these names that it had are removed (tokenizer/thresher_headers.h).
std::string Marked(std::string_view message, const Marks& marks, const tokenizer::OwnMarks& own);

// Takes the first of `*lines` off, without its end. REQUIRES: there is one.
std::string_view TakeMarkLine(std::string_view* lines);

}  // namespace thresher::pipeline
