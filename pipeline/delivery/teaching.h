// Teaching one message to a model.
//
// Called by whoever teaches messages of users: `learn`, `feedback`, the daemon, a shared log. The caller
// writes the checkpoint that acknowledges them. Thread-safety: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pipeline/delivery/spool.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"

namespace thresher::pipeline {

enum class TeachResult {
  kNew,        // taught for the first time
  kCorrected,  // was taught under the other label before; now under this one
  kKnown,      // was taught under this label before; nothing is done
  kChanged,    // the same, but with other features, and more: most of its headers were others; learned again
  kWaiting,    // kept on disk, and taught when the log that several machines share has it (pipeline/cluster)
};

struct TeachResultWords {
  std::string_view name;          // for programs
  std::string_view one, several;  // for people: what became of a message, and of messages
  bool is_told_of_none = false;   // a tally has it even if it became of none
};
inline constexpr auto kTeachResults = std::to_array<TeachResultWords>({
    {"new", "learned", "learned", true},
    {"corrected", "corrected", "corrected", true},
    {"known", "known already", "known already", true},
    {"changed", "known with other headers, learned again", "known with other headers, learned again"},
    {"waiting", "kept until the shared log has it, then learned", "kept until the shared log has them"},
});
static_assert(kTeachResults.size() == static_cast<size_t>(TeachResult::kWaiting) + 1);

constexpr const TeachResultWords& WordsOf(TeachResult result) {
  return kTeachResults[static_cast<size_t>(result)];
}
constexpr std::string_view NameOf(TeachResult result) { return WordsOf(result).name; }

struct TaughtMessage {
  TeachResult result = TeachResult::kNew;
  tokenizer::MessageKey key;                        // under which the model has it
  std::vector<tokenizer::MessageKey> spooled = {};  // under which the spool has it, until it is acknowledged
};

// What the caller knows of how a message came to be taught. A client's Instruction (serve/service.h) holds it
// beside the label; with what TeachMessage finds out, whether the message was taught before and whether it
// had a verdict, it becomes the Teaching (model/evidence.h) that is logged.
struct Circumstances {
  bool streamed = false;  // every message of the stream is taught, whatever its verdict was
  uint8_t turns = 1;      // evidence.h
  // By the model's own verdict, not by a user: a message that was taught before stays as it was taught.
  bool self_taught = false;
};

// Idempotent per message and label. Removes this message's features from the spool, if there are any.
Result<TeachResult> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKeys& keys, const Circumstances& circumstances = {});

// Teaches, but does not acknowledge: the caller acknowledges several messages together, and then removes the
// features of each from the spool.
Result<TaughtMessage> TeachOfSeveral(Model& model, const Spool& spool, const tokenizer::Features& features,
                                     Label label, const tokenizer::MessageKeys& keys,
                                     const Circumstances& circumstances = {});

// The keys under which the spool has the message. What is kept under the unkeyed one may be another message.
std::vector<tokenizer::MessageKey> KeysInSpool(const Spool& spool, const tokenizer::MessageKeys& keys,
                                               const tokenizer::Features& features);

// Teaches without a spool. is_reply: the spool had the message, so it is taught because of its verdict.
Result<TaughtMessage> TeachMessage(Model& model, const tokenizer::Features& features, Label label,
                                   const tokenizer::MessageKeys& keys, const Circumstances& circumstances,
                                   bool is_reply, const LogEntry& entry = {});

}  // namespace thresher::pipeline
