#include "pipeline/serve/spamd_session.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "pipeline/delivery/marks.h"
#include "pipeline/delivery/spam_score.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kReportedTokens = 15;

std::string_view CodeName(int code) {
  switch (code) {
    case 0:
      return "EX_OK";
    case kUsage:
      return "EX_USAGE";
    case kData:
      return "EX_DATAERR";
    case kNoInput:
      return "EX_NOINPUT";
    case kSpamdUnavailable:
      return "EX_UNAVAILABLE";
    case kBusy:
      return "EX_TEMPFAIL";
    case kSpamdProtocol:
      return "EX_PROTOCOL";
    case kSpamdTimeout:
      return "EX_TIMEOUT";
    default:
      return "EX_SOFTWARE";
  }
}

// A well-formed answer. `headers` are whole lines.
std::string Answer(std::string_view headers, std::string_view body) {
  return fmt::format("SPAMD/1.1 0 EX_OK\r\nContent-length: {}\r\n{}\r\n{}", body.size(), headers, body);
}

// As spamd says it: the reason follows on the same line.
std::string ErrorAnswer(int code, std::string_view why) {
  const bool is_known = CodeName(code) != "EX_SOFTWARE";
  return fmt::format("SPAMD/1.0 {} {} {}\r\n", is_known ? code : kInternal, CodeName(code), why);
}

// For a request that is refused before the service is asked.
Response Denial(int code, std::string_view why, std::string_view word_for_log) {
  return {.bytes = ErrorAnswer(code, why), .refused = word_for_log};
}

std::string SpamLine(const Judged& judged) {
  return fmt::format("Spam: {} ; {:.1f} / {:.1f}\r\n", judged.verdict == Verdict::kSpam ? "True" : "False",
                     SpamScore(judged), kRequiredScore);
}

std::string ReportText(const Judged& judged) {
  return fmt::format("{}, {}probability {:.6f}, margin {:.9g}\n{:.1f} points, {:.1f} required\nkey {}\n",
                     NameOf(judged.verdict), ListedMark(judged.listed), judged.score.probability,
                     judged.score.margin, SpamScore(judged), kRequiredScore, judged.key.digest);
}

// The heaviest tokens of the message, or why they are not known.
std::string TokensText(const Result<Explanation>& explanation) {
  if (!explanation) return "contributions of its tokens: " + explanation.error().message + "\n";
  std::string text = "contribution  token\n";
  for (const ExplainedToken& token : explanation->listed)
    text += fmt::format("{:>+12.5f}  {}\n", token.contribution(), Printable(token.text));
  return text;
}

// What spamc puts behind the answer to HEADERS: its own copy of the message from behind the first empty line
// on, if that ends as the line before it does. Mail programs also know other empty lines, which may come
// before that one.
std::string_view BodyThatSpamcHas(std::string_view message) {
  const size_t lf = message.find("\n\n");
  const size_t crlf = message.find("\r\n\r\n");
  if (lf == std::string_view::npos && crlf == std::string_view::npos) return {};
  return message.substr(lf < crlf ? lf + 2 : crlf + 4);
}

// The message with the marks, but for what spamc adds. REQUIRES: marks change nothing behind the header.
std::string_view HeadForSpamc(std::string_view marked, std::string_view message) {
  return marked.substr(0, marked.size() - BodyThatSpamcHas(message).size());
}

}  // namespace

size_t SpamdSession::Take(std::string_view bytes) {
  const size_t taken = parser_.Take(bytes);
  if (parser_.is_done()) ReadyRequest();
  return taken;
}

void SpamdSession::TakeEnd() {
  parser_.TakeEnd();
  if (parser_.is_done()) ReadyRequest();
}

// Not with the response only: so that what the message takes is counted first, and may be refused.
void SpamdSession::ReadyRequest() {
  request_ = parser_.TakeRequest();
  if (!request_.compressed) return;
  auto message = Inflate(request_.message, rules_.message_bytes);
  std::string().swap(request_.message);
  if (message) {
    request_.message = *std::move(message);
  } else {
    not_inflated_ = message.error();
  }
}

void SpamdSession::Respond(std::function<void(Response)> done) {
  if (const auto& problem = parser_.problem()) {
    return done(Denial(problem->code, problem->why,
                       problem->code == kData ? refused::kTooLarge : refused::kMalformed));
  }
  const SpamdRequest request = std::move(request_);
  switch (request.verb) {
    case SpamdVerb::kPing:
      return done({"SPAMD/1.5 0 PONG\r\n"});
    case SpamdVerb::kSkip:
      return done({});
    default:
      break;
  }
  if (not_inflated_ == NotInflated::kTooLarge) {
    return done(Denial(kData, fmt::format("the message has more than {} bytes", rules_.message_bytes),
                       refused::kTooLarge));
  }
  if (not_inflated_) return done(Denial(kData, "the message is not compressed by zlib", refused::kMalformed));
  if (request.verb == SpamdVerb::kTell) return Tell(request, std::move(done));
  Classify(request, std::move(done));
}

void SpamdSession::Classify(const SpamdRequest& request, std::function<void(Response)> done) {
  const Result<Judged> judged = service_->Classify(request.message, {request.user});
  if (!judged) return done({ErrorAnswer(judged.error().exit_code, judged.error().message)});
  const std::string headers = SpamLine(*judged);
  const auto marked = [&] { return Marked(request.message, MarksOf(*judged, rules_.marks), rules_.marks); };
  switch (request.verb) {
    case SpamdVerb::kSymbols:
      return done({Answer(headers, SymbolOf(judged->verdict))});
    case SpamdVerb::kReport:
      return Report(request, *judged, std::move(done));
    case SpamdVerb::kReportIfSpam:
      if (judged->verdict == Verdict::kSpam) return Report(request, *judged, std::move(done));
      break;
    case SpamdVerb::kProcess:
      return done({Answer(headers, marked())});
    case SpamdVerb::kHeaders:
      return done({Answer(headers, HeadForSpamc(marked(), request.message))});
    default:
      break;
  }
  done({Answer(headers, "")});
}

void SpamdSession::Report(const SpamdRequest& request, const Judged& judged,
                          std::function<void(Response)> done) {
  service_->Explain(request.message, {request.user}, kReportedTokens,
                    [judged, done = std::move(done)](const Result<Explanation>& explanation) {
                      done({Answer(SpamLine(judged), ReportText(judged) + "\n" + TokensText(explanation))});
                    });
}

// What did nothing new does not say DidSet or DidRemove; spamc then prints that it was done already.
void SpamdSession::Tell(const SpamdRequest& request, std::function<void(Response)> done) {
  if (!rules_.may_teach) {
    return done(Denial(kSpamdUnavailable,
                       "TELL over TCP is switched off: use a Unix socket, or set serve.tell_over_tcp",
                       refused::kNotAllowed));
  }
  if ((request.set_local || request.remove_local) && !rules_.may_change_now()) {
    return done(Denial(kBusy, "too many changes from here; see serve.changes_per_second", refused::kTooFast));
  }
  if (request.set_local) {
    return service_->Learn(
        request.message, {request.user}, {.label = *request.message_class},
        [done = std::move(done)](const Result<TaughtMessage>& taught) {
          if (!taught) return done({ErrorAnswer(taught.error().exit_code, taught.error().message)});
          done({Answer(taught->result == TeachResult::kKnown ? "" : "DidSet: local\r\n", "")});
        });
  }
  if (!request.remove_local) return done({Answer("", "")});
  service_->Forget(request.message, {request.user},
                   [done = std::move(done)](const Result<ForgottenMessage>& forgotten) {
                     if (!forgotten)
                       return done({ErrorAnswer(forgotten.error().exit_code, forgotten.error().message)});
                     done({Answer(forgotten->was_taught ? "DidRemove: local\r\n" : "", "")});
                   });
}

std::string SpamdSession::Refusal(Trouble trouble) {
  switch (trouble) {
    case Trouble::kTooLarge:
      return ErrorAnswer(kData, "the request is too large");
    case Trouble::kTooSlow:
      return ErrorAnswer(kSpamdTimeout, "the request did not come in time");
    case Trouble::kCrowded:
      break;
  }
  return ErrorAnswer(kBusy, "too many requests; try again later");
}

}  // namespace thresher::pipeline
