#include "pipeline/teaching.h"

#include <chrono>

namespace thresher::pipeline {
namespace {

Evidence EvidenceOf(bool corrects, bool was_classified, bool streamed) {
  if (corrects) return Evidence::kCorrection;
  if (streamed) return Evidence::kStream;
  return was_classified ? Evidence::kReply : Evidence::kArchive;
}

}  // namespace

Result<Teaching> Teach(Model& model, const Spool& spool, const tokenizer::Features& features, Label label,
                       const tokenizer::MessageKey& key, bool streamed) {
  const auto before = model.TaughtLabel(key);
  if (!before) return tl::unexpected(before.error());
  if (*before != label) {
    const Evidence evidence = EvidenceOf(before->has_value(), spool.Holds(key), streamed);
    if (auto learned = model.Learn(features, label, key, evidence); !learned)
      return tl::unexpected(learned.error());
  }
  if (spool.Holds(key)) {
    if (auto done = model.Acknowledge(); !done) return tl::unexpected(done.error());
    spool.Remove(key);
  }
  if (!*before) return Teaching::kNew;
  return *before == label ? Teaching::kKnown : Teaching::kCorrected;
}

Model::WriteAccess TeachingAccess(const Settings& settings) {
  Model::WriteAccess access;
  access.durability = DurabilityOf(settings, storage::Durability::kSync);
  access.wait = std::chrono::milliseconds(static_cast<int64_t>(settings.wait_seconds * 1000));
  access.checkpoint_every = settings.checkpoint_every;
  access.memory_bytes = settings.memory_bytes;
  access.keep = settings.log_limits;
  return access;
}

Spool SpoolOf(const Settings& settings, const tokenizer::IdSpace& id_space) {
  return {ModelDirectory(settings) / "spool", settings.spool_limits, id_space};
}

}  // namespace thresher::pipeline
