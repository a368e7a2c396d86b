// Standard output that waits where it cannot take more: who starts a program may give it a pipe, socket or
// terminal that is non-blocking, and a plain write then fails after 64 KB.
//
// Called by main() before anything is printed; everything that prints to stdout afterwards goes through it.
// `filter` writes its message by the same function, storage::WriteAll. Thread-safety: one thread.
#pragma once

namespace thresher::pipeline {

// From now on `stdout` is a stream whose writes wait for room. If there is no memory for it, it stays as it
// was.
void WaitOnStandardOutput();

}  // namespace thresher::pipeline
