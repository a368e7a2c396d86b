#include "pipeline/delivery/teaching.h"

namespace thresher::pipeline {

Result<TeachResult> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                          const tokenizer::MessageKey& key, const Circumstances& circumstances) {
  const auto before = model.Messages().LabelOf(key);
  if (!before) return tl::unexpected(before.error());
  if (*before != label) {
    const Evidence evidence = EvidenceOf(before->has_value(), circumstances.streamed, spool.Holds(key));
    if (auto learned = model.Learn(features, label, key, evidence, circumstances.turns); !learned)
      return tl::unexpected(learned.error());
  }
  if (spool.Holds(key)) {
    if (auto done = model.Acknowledge(); !done) return tl::unexpected(done.error());
    spool.Remove(key);
  }
  if (!*before) return TeachResult::kNew;
  return *before == label ? TeachResult::kKnown : TeachResult::kCorrected;
}

}  // namespace thresher::pipeline
