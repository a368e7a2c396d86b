#include "pipeline/commands/teacher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/answers/needed.h"
#include "pipeline/delivery/foresight.h"

namespace thresher::pipeline {
namespace {

tl::unexpected<Error> AskForForce(size_t contradicted, Label label) {
  return tl::unexpected(Error{
      kData,
      fmt::format("the model takes {1} of the next {2} messages for {4}, though it was just taught {3} like "
                  "them: if they are {0}, `thresher learn --force` teaches them; the {3} stay taught, and "
                  "`thresher learn --{4}` of the same corrects them",
                  NameOf(label), contradicted, ForceRule::kHeld - ForceRule::kTried, ForceRule::kTried,
                  NameOf(OtherClass(label)))});
}

}  // namespace

Result<void> Teacher::Teach(std::string_view bytes, tokenizer::Kind kind, Label label,
                            const Circumstances& circumstances, Caution caution, OnResult on_result) {
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  Held held{.message = model_->Read(bytes, kind),
            .label = label,
            .circumstances = circumstances,
            .on_result = std::move(on_result),
            .is_contradicted = false};
  if (caution == Caution::kNone) return TeachNow(held);
  const auto foresight = model_->Foresee(held.message, label);
  if (!foresight) return Report(held, tl::unexpected(foresight.error()));
  if (!could_judge_) could_judge_ = foresight->can_judge;
  // The model agrees with corrections, so that it can judge again before all are made.
  const bool is_correction = foresight->corrects && !*could_judge_;
  if (!foresight->can_judge || foresight->is_known || is_correction) return TeachNow(held);
  held.is_contradicted = Contradicts(foresight->margin, label);
  held_.push_back(std::move(held));
  return held_.size() < ForceRule::kHeld ? Result<void>() : TeachHeld();
}

Result<void> Teacher::TeachHeld() {
  const std::vector<Held> held = std::exchange(held_, {});
  const auto before = std::ranges::count(held, true, &Held::is_contradicted);
  const bool is_doubtful = ForceRule::AreDoubtful(held.size(), static_cast<size_t>(before));
  for (size_t i = 0; i < held.size(); ++i) {
    if (is_doubtful && i == ForceRule::kTried) {
      const auto contradicted = Contradicted(std::span(held).subspan(i));
      if (!contradicted) return tl::unexpected(contradicted.error());
      if (ForceRule::AreWrong(*contradicted)) return AskForForce(*contradicted, held.front().label);
    }
    if (auto taught = TeachNow(held[i]); !taught) return taught;
  }
  return {};
}

Result<size_t> Teacher::Waiting(Label label) {
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  return model_->Waiting(label);
}

Result<std::string> Teacher::WhatIsNeeded() { return model_ ? model_->WhatIsNeeded() : std::string(); }

Result<std::string> Teacher::WhatIsDoubtful(uint64_t last) {
  // Judging examples takes longer than learning a few.
  if (last < RecentExamples::kFewest) return std::string();
  return model_->Recent(last).map(DoubtText);
}

Result<void> Teacher::Open() {
  if (model_) return {};
  auto model = ModelToChange::Open(*settings_, ModelToChange::IfMissing::kMake);
  if (!model) return tl::unexpected(model.error());
  model_ = *std::move(model);
  return {};
}

Result<void> Teacher::TeachNow(const Held& held) {
  return Report(held, model_->Teach(held.message, held.label, held.circumstances));
}

Result<void> Teacher::Report(const Held& held, const Result<TeachResult>& taught) {
  if (!taught && !model_->IsOfOneMessage(taught.error())) return tl::unexpected(taught.error());
  held.on_result(taught);
  return {};
}

Result<size_t> Teacher::Contradicted(std::span<const Held> messages) {
  size_t contradicted = 0;
  for (const Held& held : messages) {
    const auto foresight = model_->Foresee(held.message, held.label);
    if (!foresight) return tl::unexpected(foresight.error());
    contradicted += Contradicts(foresight->margin, held.label) ? 1 : 0;
  }
  return contradicted;
}

}  // namespace thresher::pipeline
