#include "pipeline/serve/milter_session.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/delivery/verdict_header.h"
#include "pipeline/serve/milter_head.h"
#include "pipeline/serve/milter_packet.h"
#include "pipeline/serve/milter_user.h"
#include "tokenizer/thresher_headers.h"

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

bool Reaches(const Judged& judged, double probability) {
  return probability > 0 && judged.verdict == Verdict::kSpam && judged.score.probability >= probability;
}

}  // namespace

void MilterSession::Respond(std::function<void(Response)> done) {
  switch (parser_.request()) {
    case MilterParser::Request::kOptions:
      return done(Agree());
    case MilterParser::Request::kMessage: {
      std::string answer = Judge();
      parser_.Next();
      return done({std::move(answer), false});
    }
    default:
      return done({});
  }
}

// A server that lacks something is one of before 2009.
Response MilterSession::Agree() {
  const MilterOptions& offered = parser_.options();
  const bool is_enough = offered.version >= kMilterVersion && (offered.actions & kNeeded) == kNeeded &&
                         (offered.steps & kMilterSteps) == kMilterSteps;
  if (!is_enough) return {};
  may_quarantine_ = rules_.settings.quarantine > 0 && (offered.actions & kMilterMayQuarantine) != 0;
  std::string data;
  AppendMilterNumber(kMilterVersion, &data);
  AppendMilterNumber(kNeeded | (may_quarantine_ ? kMilterMayQuarantine : 0), &data);
  AppendMilterNumber(kMilterSteps, &data);
  parser_.Next();
  return {Packet(kMilterOptions, data), false};
}

std::string MilterSession::Judge() {
  const MilterMessage& message = parser_.message();
  const auto unjudged = [&](std::string_view why) {
    return PacketsWithoutForgedHeaders(message) +
           PacketOfHeader(tokenizer::kThresherHeader, ErrorHeaderValue(why)) + Packet(kMilterAccept);
  };
  // It would not be smaller at the next attempt.
  if (message.too_large)
    return unjudged(fmt::format("the message has more than {} bytes", rules_.message_bytes));
  const Result<Judged> judged =
      service_->Classify(message.text, UserOfRecipients(message.recipients, rules_.settings.user));
  if (judged) return Marked(*judged);
  return rules_.tempfail ? Packet(kMilterTryAgain) : unjudged(judged.error().message);
}

std::string MilterSession::Marked(const Judged& judged) const {
  if (Reaches(judged, rules_.settings.reject))
    return Packet(kMilterReply, Text("550 5.7.1 This message looks like spam"));
  std::string packets =
      PacketsWithoutForgedHeaders(parser_.message()) +
      PacketOfHeader(tokenizer::kThresherHeader,
                     VerdictHeaderValue(judged.verdict, judged.score, judged.taught, judged.key.digest));
  if (may_quarantine_ && Reaches(judged, rules_.settings.quarantine))
    packets += Packet(kMilterQuarantine, Text("thresher: spam"));
  return packets + Packet(kMilterAccept);
}

}  // namespace thresher::pipeline
