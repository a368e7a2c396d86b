#include "pipeline/commands/teacher.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/answers/needed.h"
#include "pipeline/delivery/known_message.h"
#include "pipeline/opening/opening.h"

namespace thresher::pipeline {
namespace {

// So many new messages of one class are held back and judged. If the model contradicts most of them, it is
// taught the first few, and the others are judged again: with right labels it agrees then, even if it never
// saw such mail, and with wrong ones it does not. docs/threats.md has the measurements.
constexpr size_t kHeld = 20;
constexpr size_t kTried = 3;
constexpr size_t kMostContradicted = 8;  // of the others

tl::unexpected<Error> AskForForce(size_t contradicted, Label label) {
  return tl::unexpected(Error{
      kData,
      fmt::format("the model takes {} of the next {} messages for {}, though it was just taught {} like "
                  "them: if they are {}, `thresher learn --force` teaches them; no more were taught",
                  contradicted, kHeld - kTried, NameOf(OtherClass(label)), kTried, NameOf(label))});
}

}  // namespace

Result<void> Teacher::Learn(std::string_view bytes, tokenizer::Kind kind, Label label,
                            const Circumstances& circumstances, Caution caution, const OnResult& on_result) {
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  if (daemon_) return daemon_->Learn(bytes, kind, label, circumstances).map(on_result);
  Message message{.features = {},
                  .keys = model_->identity().MakeKeyMaker().KeysOf(bytes, settings_->user),
                  .label = label,
                  .circumstances = circumstances};
  tokenizer_->Tokenize(bytes, kind, &message.features, settings_->user);
  if (caution == Caution::kNone || !CanJudge()) return TeachNow(message, on_result);
  const auto known = FindKnown(model_->Messages(), message.keys, message.features);
  if (!known) return tl::unexpected(known.error());
  if (*known && (*known)->label == label) return TeachNow(message, on_result);
  held_.push_back(std::move(message));
  return held_.size() < kHeld ? Result<void>() : TeachHeld(on_result);
}

Result<void> Teacher::TeachHeld(const OnResult& on_result) {
  const std::vector<Message> held = std::exchange(held_, {});
  bool is_doubtful = false;
  if (held.size() == kHeld) {  // fewer say nothing
    const auto contradicted = Contradicted(held);
    if (!contradicted) return tl::unexpected(contradicted.error());
    is_doubtful = 2 * *contradicted > kHeld;
  }
  for (size_t i = 0; i < held.size(); ++i) {
    if (is_doubtful && i == kTried) {
      const auto contradicted = Contradicted(std::span(held).subspan(i));
      if (!contradicted) return tl::unexpected(contradicted.error());
      if (*contradicted > kMostContradicted) return AskForForce(*contradicted, held.front().label);
    }
    if (auto taught = TeachNow(held[i], on_result); !taught) return taught;
  }
  return {};
}

Result<size_t> Teacher::Waiting(Label label) {
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  if (!daemon_) return model_->Inspect().Waiting(label);
  const auto counts = daemon_->Counts();
  if (!counts) return tl::unexpected(counts.error());
  return counts->at("waiting").at(std::string(NameOf(label))).get<size_t>();
}

Result<std::string> Teacher::WhatIsNeeded() {
  if (model_) return NeededText(model_->Inspect().taught());
  if (!daemon_) return std::string();
  const auto counts = daemon_->Counts();
  if (!counts) return tl::unexpected(counts.error());
  const auto& needed = counts->at("needed");
  return NeededText(needed.at("ham").get<uint64_t>(), needed.at("spam").get<uint64_t>());
}

Result<std::string> Teacher::WhatIsDoubtful(uint64_t last) const {
  // Judging examples takes longer than learning a few.
  if (!model_ || last < RecentExamples::kFewest) return std::string();
  return model_->Inspect().Recent(last).map(DoubtText);
}

Result<void> Teacher::Open() {
  if (model_ || daemon_) return {};
  auto daemon = DaemonClient::Find(*settings_);
  if (!daemon) return tl::unexpected(daemon.error());
  if (*daemon) {
    daemon_.emplace(**std::move(daemon));
    return {};
  }
  auto model = OpenOrCreateModel(ModelDirectory(*settings_), *settings_, TeachingAccess(*settings_));
  if (!model) return tl::unexpected(model.error());
  model_ = *std::move(model);
  spool_.emplace(SpoolOf(*settings_, model_->identity().MakeIdSpace()));
  tokenizer_.emplace(model_->identity().MakeTokenizer());
  return {};
}

// Whether the model knows both classes, holds none of them back, and agrees with what it was taught last:
// where that was wrong, its correction is not asked about.
bool Teacher::CanJudge() const {
  const Inspection model = model_->Inspect();
  return model.taught().KnowsBoth() && model.Waiting(Label::kHam) + model.Waiting(Label::kSpam) == 0 &&
         !model.contradictions().AreMany();
}

Result<void> Teacher::TeachNow(const Message& message, const OnResult& on_result) {
  return Teach(*model_, *spool_, message.features, message.label, message.keys, message.circumstances)
      .map(on_result);
}

Result<size_t> Teacher::Contradicted(std::span<const Message> messages) {
  size_t contradicted = 0;
  for (const Message& message : messages) {
    const auto score = model_->Classify(message.features);
    if (!score) return tl::unexpected(score.error());
    contradicted += score->margin * static_cast<double>(message.label) < 0 ? 1 : 0;
  }
  return contradicted;
}

}  // namespace thresher::pipeline
