#include "pipeline/delivery/teaching.h"

#include "pipeline/delivery/known_message.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

TeachResult ResultOf(const std::optional<KnownMessage>& before, Label label) {
  if (!before) return TeachResult::kNew;
  if (before->label != label) return TeachResult::kCorrected;
  return before->has_all ? TeachResult::kKnown : TeachResult::kChanged;
}

// is_reply: it is taught because of its verdict.
Evidence EvidenceOf(TeachResult result, const Circumstances& circumstances, bool is_reply) {
  if (result == TeachResult::kCorrected) return Evidence::kCorrection;
  if (circumstances.self_taught) return Evidence::kSelf;
  if (circumstances.streamed) return Evidence::kStream;
  return is_reply ? Evidence::kReply : Evidence::kArchive;
}

}  // namespace

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

Result<TaughtMessage> TeachMessage(Model& model, const tokenizer::Features& features, Label label,
                                   const tokenizer::MessageKeys& keys, const Circumstances& circumstances,
                                   bool is_reply, const LogEntry& entry) {
  const auto before = FindKnown(model.Messages(), keys, features);
  if (!before) return tl::unexpected(before.error());
  TaughtMessage taught{ResultOf(*before, label), *before ? (*before)->key : KeyToTeach(keys)};
  if (*before && circumstances.self_taught) taught.result = TeachResult::kKnown;
  if (taught.result == TeachResult::kKnown) return taught;
  const Evidence evidence = EvidenceOf(taught.result, circumstances, is_reply);
  if (auto learned = model.Learn(features, taught.key, {label, evidence, circumstances.turns}, entry);
      !learned)
    return tl::unexpected(learned.error());
  return taught;
}

Result<TaughtMessage> TeachOfSeveral(Model& model, const Spool& spool, const tokenizer::Features& features,
                                     Label label, const tokenizer::MessageKeys& keys,
                                     const Circumstances& circumstances) {
  std::vector<MessageKey> spooled = KeysInSpool(spool, keys, features);
  auto taught = TeachMessage(model, features, label, keys, circumstances, /*is_reply=*/!spooled.empty());
  if (!taught) return tl::unexpected(taught.error());
  taught->spooled = std::move(spooled);
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
