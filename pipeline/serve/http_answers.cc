#include "pipeline/serve/http_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/answers/json_text.h"
#include "pipeline/answers/needed.h"
#include "pipeline/delivery/spam_score.h"
#include "pipeline/terminal/token_text.h"
#include "pipeline/version.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

// The message's own, whose copy it may be. It may have bytes that JSON cannot have.
std::string MessageIdOf(const tokenizer::MessageKey& key) {
  return Listable(tokenizer::UserAndMessageId(key.message_id).message_id);
}

ordered_json LogJson(const LogFigures& log) {
  return {{"stream", log.stream},
          {"model", log.identity},
          {"followed", log.trouble.empty()},
          {"trouble", log.trouble},
          {"differs", log.differs},
          {"position", log.position},
          {"last", log.last},
          {"digest_record", log.digest_record},
          {"snapshot", log.snapshot},
          {"snapshot_trouble", log.snapshot_trouble},
          {"outbox", log.outbox},
          {"outbox_bytes", log.outbox_bytes},
          {"applied", log.applied},
          {"duplicates", log.duplicates},
          {"foreign", log.foreign}};
}

ordered_json NodesJson(const SeenNodes& seen) {
  const std::vector<NodeEntry>& nodes = seen.nodes;
  const int64_t newest_us = NewestOf(nodes);
  uint64_t last = 0;
  for (const NodeEntry& node : nodes) last = std::max({last, node.last, node.position});
  ordered_json all = ordered_json::array();
  for (const NodeEntry& node : nodes) {
    const ModelDigest digest = node.digests.empty() ? ModelDigest{} : node.digests.back();
    all.push_back({{"id", fmt::format("{:016x}", node.id)},
                   {"name", node.name},
                   {"state", IsAway(node, newest_us) ? "away" : NameOf(node.state)},
                   {"trouble", node.trouble},
                   {"position", node.position},
                   {"lag", last - node.position},
                   {"outbox", node.outbox},
                   {"digest_record", digest.record},
                   {"digest", digest.digest},
                   {"version", node.version},
                   {"seconds_ago", seen.seconds_ago + (newest_us - node.seen_us) / 1'000'000}});
  }
  return all;
}

std::string_view RefusedBy(int status) {
  switch (status) {
    case 401:
      return refused::kNoToken;
    case 403:
      return refused::kElsewhere;
    case 404:
    case 405:
      return refused::kUnknown;
    case 413:
    case 431:
      return refused::kTooLarge;
    case 429:
      return refused::kTooFast;
    default:
      return refused::kMalformed;
  }
}

}  // namespace

HttpResponse HttpResponse::Problem(int status, std::string_view why) {
  return {.status = status,
          .body = JsonText({{"error", std::string(why)}}, kOneLine),
          .refused = RefusedBy(status)};
}

HttpResponse ErrorResponse(const Error& error) {
  const int status = error.exit_code == kBusy                                ? 503
                     : error.exit_code == kNoInput                           ? 404
                     : error.exit_code == kData || error.exit_code == kUsage ? 400
                                                                             : 500;
  HttpResponse response = HttpResponse::Problem(status, error.message);
  response.refused = {};  // the service was asked, and logs it
  return response;
}

HttpResponse JudgedResponse(const Result<Judged>& judged) {
  if (!judged) return ErrorResponse(judged.error());
  nlohmann::ordered_json json = {
      {"verdict", NameOf(judged->verdict)}, {"probability", judged->score.probability},
      {"margin", judged->score.margin},     {"id", MessageIdOf(judged->key)},
      {"key", judged->key.digest},          {"needed", NeededJson(judged->taught)}};
  if (!judged->listed.empty()) json["listed"] = judged->listed;
  return OneLine(json);
}

HttpResponse TaughtResponse(const Result<TaughtMessage>& taught) {
  if (!taught) return ErrorResponse(taught.error());
  return OneLine({{"result", NameOf(taught->result)}, {"key", taught->key.digest}});
}

HttpResponse ForgottenResponse(const Result<ForgottenMessage>& forgotten) {
  if (!forgotten) return ErrorResponse(forgotten.error());
  return OneLine({{"result", forgotten->was_taught ? "forgotten" : "unknown"}});
}

HttpResponse ForgottenResponse(const Result<ForgottenMessages>& forgotten) {
  if (!forgotten) return ErrorResponse(forgotten.error());
  return OneLine({{"messages", forgotten->messages},
                  {"examples", forgotten->examples},
                  {"spooled", forgotten->spooled}});
}

HttpResponse KeyResponse(const Result<tokenizer::MessageKey>& key) {
  if (!key) return ErrorResponse(key.error());
  return OneLine({{"id", MessageIdOf(*key)}, {"key", key->digest}});
}

HttpResponse ExplanationResponse(const Result<Explanation>& explanation) {
  if (!explanation) return ErrorResponse(explanation.error());
  return {.body = JsonText(ExplanationJson(*explanation))};
}

HttpResponse CountsResponse(const Result<ModelCounts>& counts) {
  if (!counts) return ErrorResponse(counts.error());
  return {.body = JsonText({{"ham", counts->taught.ham},
                            {"spam", counts->taught.spam},
                            {"waiting", {{"ham", counts->waiting_ham}, {"spam", counts->waiting_spam}}},
                            {"needed", NeededJson(counts->taught)}})};
}

HttpResponse OneLine(const ordered_json& json) { return {.body = JsonText(json, kOneLine)}; }

HttpResponse PrintedResponse(const Result<ordered_json>& json) {
  if (!json) return ErrorResponse(json.error());
  return {.body = JsonText(*json)};
}

// A node that is cut off from its log judges all the same.
HttpResponse ReadyResponse(const Result<void>& ready, const std::optional<LogFigures>& log) {
  if (!ready) return ErrorResponse({kBusy, ready.error().message});
  ordered_json json = {{"ready", true}};
  if (log) json["log"] = LogJson(*log);
  return OneLine(json);
}

HttpResponse LogResponse(const Result<LogDescription>& described) {
  if (!described) return ErrorResponse(described.error());
  ordered_json json = LogJson(described->figures);
  json["digest"] = described->digest;
  json["nodes"] = NodesJson(described->seen);
  return OneLine(json);
}

HttpResponse StatisticsResponse(Result<ordered_json> json, const std::optional<LogFigures>& log) {
  if (json && log) (*json)["log"] = LogJson(*log);
  return PrintedResponse(json);
}

// rspamc prints symbols in any order of its own, and the action as it is.
HttpResponse RspamdVerdict(const Result<Judged>& judged) {
  if (!judged) return ErrorResponse(judged.error());
  const bool is_spam = judged->verdict == Verdict::kSpam;
  const std::string symbol(SymbolOf(judged->verdict));
  const double score = SpamScore(*judged);
  ordered_json options = {"probability=" + ordered_json(judged->score.probability).dump(),
                          "key=" + judged->key.digest};
  if (!judged->listed.empty()) options.push_back("listed=" + judged->listed);
  return OneLine(
      {{"is_skipped", false},
       {"score", score},
       {"required_score", kRequiredScore},
       {"action", is_spam ? "add header" : "no action"},
       {"thresholds", {{"add header", kRequiredScore}}},
       {"symbols",
        {{symbol,
          {{"name", symbol}, {"score", score}, {"metric_score", score}, {"options", std::move(options)}}}}},
       {"messages", ordered_json::object()},
       {"message-id", MessageIdOf(judged->key)}});
}

HttpResponse RspamdStatistics(const DaemonFigures& figures, const Result<ModelCounts>& counts) {
  if (!counts) return ErrorResponse(counts.error());
  const uint64_t spam = figures.Judged(Verdict::kSpam);
  const uint64_t others = figures.Judged(Verdict::kHam) + figures.Judged(Verdict::kUnsure);
  const uint64_t learned = counts->taught.ham + counts->taught.spam;
  return OneLine({{"version", kVersion},
                  {"scanned", spam + others},
                  {"learned", learned},
                  {"spam_count", spam},
                  {"ham_count", others},
                  {"actions", {{"add header", spam}, {"no action", others}}},
                  {"connections", figures.connections},
                  {"control_connections", 0},
                  {"total_learns", learned}});
}

HttpResponse RspamdLearned(const Result<TaughtMessage>& taught) {
  if (!taught) return ErrorResponse(taught.error());
  return OneLine({{"success", true}, {"result", NameOf(taught->result)}, {"key", taught->key.digest}});
}

}  // namespace thresher::pipeline
