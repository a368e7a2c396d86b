#include "pipeline/delivery/teaching.h"

#include "pipeline/delivery/known_message.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

// The keys under which the spool has the message. What is kept under the unkeyed one may be another message.
std::vector<MessageKey> KeysInSpool(const Spool& spool, const tokenizer::MessageKeys& keys,
                                    const tokenizer::Features& features) {
  std::vector<MessageKey> held;
  if (keys.delivered && spool.Holds(*keys.delivered)) held.push_back(*keys.delivered);
  if (spool.Holds(keys.own)) held.push_back(keys.own);
  if (keys.unkeyed && spool.Holds(*keys.unkeyed)) {
    const auto kept = spool.Find(*keys.unkeyed);
    if (kept && *kept && AreAlike(**kept, features)) held.push_back(*keys.unkeyed);
  }
  return held;
}

TeachResult ResultOf(const std::optional<KnownMessage>& before, Label label) {
  if (!before) return TeachResult::kNew;
  if (before->label != label) return TeachResult::kCorrected;
  return before->is_alike ? TeachResult::kKnown : TeachResult::kChanged;
}

}  // namespace

Result<TaughtOfSeveral> TeachOfSeveral(Model& model, const Spool& spool, const tokenizer::Features& features,
                                       Label label, const tokenizer::MessageKeys& keys,
                                       const Circumstances& circumstances) {
  const auto before = FindKnown(model.Messages(), keys, features);
  if (!before) return tl::unexpected(before.error());
  TaughtOfSeveral taught{.result = ResultOf(*before, label),
                         .key = *before ? (*before)->key : KeyToTeach(keys),
                         .spooled = KeysInSpool(spool, keys, features)};
  if (taught.result == TeachResult::kKnown) return taught;
  const Evidence evidence =
      EvidenceOf(taught.result == TeachResult::kCorrected, circumstances.streamed, !taught.spooled.empty());
  if (auto learned = model.Learn(features, label, taught.key, evidence, circumstances.turns); !learned)
    return tl::unexpected(learned.error());
  return taught;
}

Result<TeachResult> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKeys& keys, const Circumstances& circumstances) {
  const auto taught = TeachOfSeveral(model, spool, features, label, keys, circumstances);
  if (!taught) return tl::unexpected(taught.error());
  if (!taught->spooled.empty()) {
    if (auto done = model.Acknowledge(); !done) return tl::unexpected(done.error());
    for (const MessageKey& spooled : taught->spooled) spool.Remove(spooled);
  }
  return taught->result;
}

}  // namespace thresher::pipeline
