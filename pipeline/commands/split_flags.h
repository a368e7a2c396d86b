// The flags that say which messages are learned from and which judged, the same in replay and grid.
//
// Used by replay.cc and grid.cc. Thread-safety: a plain value.
#pragma once

#include "pipeline/commands/command_line.h"
#include "pipeline/trec/split.h"

namespace thresher::pipeline {

class SplitFlags {
 public:
  void AddTo(Command command);
  const Split& Value() const { return split_; }

 private:
  Split split_;
};

}  // namespace thresher::pipeline
