// What was found out about one message.
//
// Made by MessageJudge, for the marks of a message and the answers of protocols. Thread-safety: a plain
// value.
#pragma once

#include <string>

#include "pipeline/model/contradictions.h"
#include "pipeline/model/score.h"
#include "pipeline/model/taught.h"
#include "pipeline/verdict.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

struct Judged {
  Verdict verdict = Verdict::kUnsure;
  Score score;
  Thresholds thresholds;          // by which the verdict was decided
  TaughtCounts taught;            // of the model that judged
  Contradictions contradictions;  // also
  tokenizer::MessageKey key;
  std::string listed = {};    // "allow:domain", …, if an entry of the lists decided (sender_lists.h)
  std::string not_kept = {};  // why later feedback by the Message-ID will not find it, if that is known
};

}  // namespace thresher::pipeline
