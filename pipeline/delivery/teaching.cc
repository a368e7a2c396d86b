#include "pipeline/delivery/teaching.h"

namespace thresher::pipeline {
namespace {

Evidence EvidenceOf(bool corrects, bool was_classified, bool streamed) {
  if (corrects) return Evidence::kCorrection;
  if (streamed) return Evidence::kStream;
  return was_classified ? Evidence::kReply : Evidence::kArchive;
}

}  // namespace

Result<TaughtOfSeveral> TeachOfSeveral(Model& model, const Spool& spool, const tokenizer::Features& features,
                                       Label label, const tokenizer::MessageKey& key,
                                       const Circumstances& circumstances) {
  const auto before = model.Messages().LabelOf(key);
  if (!before) return tl::unexpected(before.error());
  TaughtOfSeveral taught;
  if (spool.Holds(key)) taught.spooled.push_back(key);
  if (*before == label) {
    taught.result = TeachResult::kKnown;
    return taught;
  }
  if (*before) taught.result = TeachResult::kCorrected;
  const Evidence evidence = EvidenceOf(before->has_value(), !taught.spooled.empty(), circumstances.streamed);
  if (auto learned = model.Learn(features, label, key, evidence, circumstances.turns); !learned)
    return tl::unexpected(learned.error());
  return taught;
}

Result<TeachResult> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKey& key, const Circumstances& circumstances) {
  const auto taught = TeachOfSeveral(model, spool, features, label, key, circumstances);
  if (!taught) return tl::unexpected(taught.error());
  if (!taught->spooled.empty()) {
    if (auto done = model.Acknowledge(); !done) return tl::unexpected(done.error());
    for (const tokenizer::MessageKey& spooled : taught->spooled) spool.Remove(spooled);
  }
  return taught->result;
}

}  // namespace thresher::pipeline
