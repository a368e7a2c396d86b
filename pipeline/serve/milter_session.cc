#include "pipeline/serve/milter_session.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/delivery/marks.h"
#include "pipeline/serve/milter_head.h"
#include "pipeline/serve/milter_packet.h"
#include "pipeline/serve/milter_user.h"
#include "pipeline/serve/model_name.h"

namespace thresher::pipeline {
namespace {

constexpr uint32_t kNeeded = kMilterMayAddHeaders | kMilterMayChangeHeaders;

std::string Packet(char letter, std::string_view data = {}) {
  std::string packet;
  AppendMilterPacket(letter, data, &packet);
  return packet;
}

// Text with its NUL.
std::string Text(std::string_view text) { return std::string(text) + '\0'; }

// Who blocks a sender wants that whatever the model says.
bool Reaches(const Judged& judged, double probability) {
  return probability > 0 && judged.verdict == Verdict::kSpam &&
         (judged.score.probability >= probability || !judged.listed.empty());
}

}  // namespace

void MilterSession::Respond(std::function<void(Response)> done) {
  switch (parser_.request()) {
    case MilterParser::Request::kOptions:
      return done(Agree());
    case MilterParser::Request::kMessage: {
      const bool is_too_large = parser_.message().too_large;
      std::string answer = Judge();
      parser_.Next();
      return done({std::move(answer), false, is_too_large ? refused::kTooLarge : std::string_view()});
    }
    default:
      return done({.bytes = {}, .refused = parser_.is_broken() ? refused::kMalformed : std::string_view()});
  }
}

// A server that lacks something is one of before 2009.
Response MilterSession::Agree() {
  const MilterOptions& offered = parser_.options();
  const bool is_enough = offered.version >= kMilterVersion && (offered.actions & kNeeded) == kNeeded &&
                         (offered.steps & kMilterSteps) == kMilterSteps;
  if (!is_enough) return {.bytes = {}, .refused = refused::kMalformed};
  may_quarantine_ = rules_now_()->settings.quarantine > 0 && (offered.actions & kMilterMayQuarantine) != 0;
  std::string data;
  AppendMilterNumber(kMilterVersion, &data);
  AppendMilterNumber(kNeeded | (may_quarantine_ ? kMilterMayQuarantine : 0), &data);
  AppendMilterNumber(kMilterSteps, &data);
  parser_.Next();
  return {Packet(kMilterOptions, data), false};
}

std::string MilterSession::Judge() {
  const std::shared_ptr<const Rules> rules = rules_now_();
  const MilterMessage& message = parser_.message();
  const auto unjudged = [&](std::string_view why) {
    return PacketsOfMarks(message, ErrorMarks(why, rules->marks), rules->marks) + Packet(kMilterAccept);
  };
  // It would not be smaller at the next attempt.
  if (message.too_large)
    return unjudged(fmt::format("the message has more than {} bytes", rules->message_bytes));
  std::string user;
  std::string model;
  if (!message.has_more_recipients) {
    user = UserOfRecipients(message.recipients, rules->settings.user);
    model = ModelOfRecipients(message.recipients, rules->models);
  }
  const Result<Judged> judged = service_->Classify(message.text, {.user = user, .model = model});
  if (judged) return AnswerTo(*judged, *rules);
  return rules->tempfail ? Packet(kMilterTryAgain) : unjudged(judged.error().message);
}

std::string MilterSession::AnswerTo(const Judged& judged, const Rules& rules) const {
  if (Reaches(judged, rules.settings.reject))
    return Packet(kMilterReply, Text("550 5.7.1 This message looks like spam"));
  std::string packets = PacketsOfMarks(parser_.message(), MarksOf(judged, rules.marks), rules.marks);
  if (may_quarantine_ && Reaches(judged, rules.settings.quarantine))
    packets += Packet(kMilterQuarantine, Text("thresher: spam"));
  return packets + Packet(kMilterAccept);
}

}  // namespace thresher::pipeline
