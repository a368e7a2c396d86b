#include "pipeline/commands/teacher.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/answers/needed.h"
#include "pipeline/commands/writing.h"
#include "pipeline/opening/opening.h"

namespace thresher::pipeline {
namespace {

tl::unexpected<Error> AskForForce(size_t contradicted, Label label) {
  return tl::unexpected(Error{
      kData,
      fmt::format("the model takes {} of the next {} messages for {}, though it was just taught {} like "
                  "them: if they are {}, `thresher learn --force` teaches them; the {} stay taught",
                  contradicted, ForceRule::kHeld - ForceRule::kTried, NameOf(OtherClass(label)),
                  ForceRule::kTried, NameOf(label), ForceRule::kTried)});
}

}  // namespace

Result<void> Teacher::Teach(std::string_view bytes, tokenizer::Kind kind, Label label,
                            const Circumstances& circumstances, Caution caution, const OnResult& on_result) {
  if (auto opened = Open(); !opened) return tl::unexpected(opened.error());
  Message message = Read(bytes, kind, label, circumstances);
  if (caution == Caution::kNone || (model_ && !CanJudge(*model_))) return TeachNow(message, on_result);
  const auto foresight = ForeseeMessage(message);
  if (!foresight) return tl::unexpected(foresight.error());
  if (!foresight->can_judge || foresight->is_known) return TeachNow(message, on_result);
  message.is_contradicted = Contradicts(foresight->margin, label);
  held_.push_back(std::move(message));
  return held_.size() < ForceRule::kHeld ? Result<void>() : TeachHeld(on_result);
}

Result<void> Teacher::TeachHeld(const OnResult& on_result) {
  const std::vector<Message> held = std::exchange(held_, {});
  const auto before = std::ranges::count(held, true, &Message::is_contradicted);
  const bool is_doubtful = ForceRule::AreDoubtful(held.size(), static_cast<size_t>(before));
  for (size_t i = 0; i < held.size(); ++i) {
    if (is_doubtful && i == ForceRule::kTried) {
      const auto contradicted = Contradicted(std::span(held).subspan(i));
      if (!contradicted) return tl::unexpected(contradicted.error());
      if (ForceRule::AreWrong(*contradicted)) return AskForForce(*contradicted, held.front().label);
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
  return counts->at("needed").at("text").get<std::string>();
}

Result<std::string> Teacher::WhatIsDoubtful(uint64_t last) {
  // Judging examples takes longer than learning a few.
  if (last < RecentExamples::kFewest) return std::string();
  if (daemon_) return daemon_->Recent(last).map(DoubtText);
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
  auto model = OpenOrCreateModel(ModelDirectory(*settings_), *settings_, CommandAccess(*settings_));
  if (!model) return tl::unexpected(model.error());
  model_ = *std::move(model);
  spool_.emplace(SpoolOf(*settings_, model_->identity().MakeIdSpace()));
  tokenizer_.emplace(model_->identity().MakeTokenizer());
  return {};
}

Teacher::Message Teacher::Read(std::string_view bytes, tokenizer::Kind kind, Label label,
                               const Circumstances& circumstances) {
  Message message{.bytes = {},
                  .kind = kind,
                  .features = {},
                  .keys = {},
                  .label = label,
                  .circumstances = circumstances,
                  .is_contradicted = false};
  if (daemon_) {
    message.bytes = bytes;
    return message;
  }
  message.keys = model_->identity().MakeKeyMaker().KeysOf(bytes, settings_->user);
  tokenizer_->Tokenize(bytes, kind, &message.features, settings_->user);
  return message;
}

Result<Foresight> Teacher::ForeseeMessage(const Message& message) {
  if (daemon_) return daemon_->Foresee(message.bytes, message.kind, message.label);
  return Foresee(*model_, message.features, message.label, message.keys);
}

Result<void> Teacher::TeachNow(const Message& message, const OnResult& on_result) {
  if (daemon_)
    return daemon_->Learn(message.bytes, message.kind, message.label, message.circumstances).map(on_result);
  return pipeline::Teach(*model_, *spool_, message.features, message.label, message.keys,
                         message.circumstances)
      .map(on_result);
}

Result<size_t> Teacher::Contradicted(std::span<const Message> messages) {
  size_t contradicted = 0;
  for (const Message& message : messages) {
    const auto foresight = ForeseeMessage(message);
    if (!foresight) return tl::unexpected(foresight.error());
    contradicted += Contradicts(foresight->margin, message.label) ? 1 : 0;
  }
  return contradicted;
}

}  // namespace thresher::pipeline
