// What was found out about one message.
//
// Made by `classify`, `filter` and the daemon, for the marks of a message and the answers of protocols.
// Thread-safety: a plain value; Judge as its scorer.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/model/contradictions.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/taught.h"
#include "pipeline/verdict.h"
#include "tokenizer/message_key.h"

namespace thresher::tokenizer {
struct Features;
}

namespace thresher::pipeline {

class Scorer;
class SenderLists;
struct Settings;

struct Judged {
  Verdict verdict = Verdict::kUnsure;
  Score score;
  Thresholds thresholds;          // by which the verdict was decided
  TaughtCounts taught;            // of the model that judged
  Contradictions contradictions;  // also
  tokenizer::MessageKey key;
  std::string listed = {};  // "allow:domain", …, if an entry of the lists decided (sender_lists.h)
};

// By the model behind `scorer`, the thresholds of `settings`, and the lists. features and key: of `message`.
Result<Judged> Judge(Scorer& scorer, const tokenizer::Features& features, std::string_view message,
                     const tokenizer::MessageKey& key, const Settings& settings, const SenderLists& lists);

}  // namespace thresher::pipeline
