// What the last reply to a wrong verdict counted beyond once, so that its correction takes that back, too.
//
// A reply may count up to three times (learners/ftrl/step_length.h). If it was a slip, its correction must
// know what has to be undone. The excess is in features of all mail, too, and these learn on: each example
// that is taught meanwhile has undone a part of it. So
//
//   excess · n/(n + 80·r)
//
// is left, n being the number of examples that the model knew after the reply, and r the number of later
// ones. Another reply, or a correction, moves the same features by as much; after one of them nothing is
// known.
//
// Of a named user's reply it is in some of the user's own features only (personal_lesson.h). In one that an
// earlier program learned it may be in all features, and a correction then takes back a part only.
//
// Part of a model's globals, stored with every checkpoint. Used by Correction, and by bench/choose.
// Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thresher::pipeline {

struct LastReply {
  uint64_t message = 0;  // RehearsalMemory::HashOfMessage
  uint64_t taught = 0;   // examples that the model knew then, this one included; 0: no reply is known
  double excess = 0;     // Update::excess of its step

  // What is left of it if it was a reply to this message; `now`: examples that the model knows.
  double Left(uint64_t of_message, uint64_t now) const;

  // Writes nothing if none is known, as programs did that knew none.
  void AppendTo(std::vector<std::byte>* stored) const;
  // Becomes what AppendTo wrote at the end of `stored`, if anything, and takes it off there. False, and
  // nothing happens, for what it cannot have written.
  bool TakeFromEnd(std::span<const std::byte>* stored);

  bool operator==(const LastReply&) const = default;
};

}  // namespace thresher::pipeline
