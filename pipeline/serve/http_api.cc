#include "pipeline/serve/http_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/serve/http_answers.h"
#include "pipeline/serve/http_json.h"
#include "pipeline/serve/http_origin.h"
#include "pipeline/serve/http_route.h"
#include "pipeline/serve/page_requests.h"
#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

using tokenizer::EqualsIgnoringCase;
using OnResponse = HttpApi::OnResponse;

enum class Access {
  kOpen,   // everybody
  kToken,  // over TCP, who knows the token; over a Unix socket its permissions say who may
  kOwner,  // who knows the token; over a Unix socket, the daemon's own user and root as well
};

struct Route {
  std::string_view method;
  std::string_view path;
  Access access;
  void (*answer)(const HttpAsked&, const OnResponse&);
  bool changes = false;  // the model, or what the daemon does
};

std::optional<Label> LabelNamed(std::string_view name) {
  if (name == "spam") return Label::kSpam;
  if (name == "ham") return Label::kHam;
  return std::nullopt;
}

// Of {"messages": [{"id": …, "key": …}, …]}.
std::optional<std::vector<tokenizer::MessageKey>> KeysIn(const nlohmann::json& json) {
  const auto list = json.is_object() ? json.find("messages") : json.end();
  if (list == json.end() || !list->is_array()) return std::nullopt;
  std::vector<tokenizer::MessageKey> keys;
  for (const nlohmann::json& each : *list) {
    const auto text = [&](const char* name) {
      const auto found = each.is_object() ? each.find(name) : each.end();
      return found != each.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    keys.push_back({ListedMessageId(text("id")), text("key")});
    if (keys.back().digest.empty()) return std::nullopt;
  }
  return keys;
}

Service::OnTaught Told(const OnResponse& done) {
  return [done](const Result<TaughtMessage>& taught) { done(TaughtResponse(taught)); };
}

void Classify(const HttpAsked& asked, const OnResponse& done) {
  done(JudgedResponse(asked.service.Classify(asked.request.body, WhoseMail(asked.request))));
}

HttpResponse NoLabel() { return HttpResponse::Problem(400, "expected ?label=spam or ?label=ham"); }

void Learn(const HttpAsked& asked, const OnResponse& done) {
  const auto label = LabelNamed(asked.request.Query("label"));
  if (!label) return done(NoLabel());
  if (const auto wrong = WrongWordIn(asked.request)) return done(*wrong);
  const auto turns = NumberIn(asked.request, "turns", 1);
  if (!turns || *turns > kMostTurns)
    return done(HttpResponse::Problem(400, fmt::format("expected a number up to {} as ?turns=", kMostTurns)));
  const Instruction how{.label = *label,
                        .kind = KindIn(asked.request),
                        .circumstances = {.streamed = asked.request.Query("stream") == "true",
                                          .turns = static_cast<uint8_t>(*turns),
                                          .self_taught = asked.request.Query("self_taught") == "true"}};
  asked.service.Learn(asked.request.body, WhoseMail(asked.request), how, Told(done));
}

void Foresee(const HttpAsked& asked, const OnResponse& done) {
  const auto label = LabelNamed(asked.request.Query("label"));
  if (!label) return done(NoLabel());
  if (const auto wrong = WrongWordIn(asked.request)) return done(*wrong);
  asked.service.Foresee(asked.request.body, WhoseMail(asked.request),
                        {.label = *label, .kind = KindIn(asked.request)}, Shown(done));
}

void Forget(const HttpAsked& asked, const OnResponse& done) {
  asked.service.Forget(
      asked.request.body, WhoseMail(asked.request),
      [done](const Result<ForgottenMessage>& forgotten) { done(ForgottenResponse(forgotten)); });
}

Service::OnKey ToldKey(const OnResponse& done) {
  return [done](const Result<tokenizer::MessageKey>& key) { done(KeyResponse(key)); };
}

void FindTaught(const HttpAsked& asked, const OnResponse& done) {
  if (const auto wrong = WrongWordIn(asked.request)) return done(*wrong);
  asked.service.FindTaught(asked.request.body, WhoseMail(asked.request), KindIn(asked.request),
                           ToldKey(done));
}

void FindTaughtByName(const HttpAsked& asked, const OnResponse& done) {
  const std::string id = ListedMessageId(asked.request.Query("id"));
  asked.service.FindTaught(tokenizer::MessageKey{id, std::string(asked.request.Query("key"))},
                           WhoseMail(asked.request), ToldKey(done));
}

void ForgetTaught(const HttpAsked& asked, const OnResponse& done) {
  const auto read = JsonIn(asked.request);
  if (!read) return done(read.error());
  const nlohmann::json& json = *read;
  const auto told = [done](const Result<ForgottenMessages>& forgotten) {
    done(ForgottenResponse(forgotten));
  };
  if (json.is_object() && json.value("all", nlohmann::json()) == true)
    return asked.service.ForgetAllOf(WhoseMail(asked.request), told);
  const auto keys = KeysIn(json);
  if (!keys) {
    return done(HttpResponse::Problem(
        400, R"(expected {"messages": [{"id": MESSAGE-ID, "key": KEY}, …]} or {"all": true} and ?user=)"));
  }
  asked.service.ForgetThese(*keys, WhoseMail(asked.request), told);
}

void Feedback(const HttpAsked& asked, const OnResponse& done) {
  const auto read = JsonIn(asked.request);
  if (!read) return done(read.error());
  const nlohmann::json& json = *read;
  bool are_texts = json.is_object();
  const auto text = [&](const char* name) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    if (found == json.end()) return std::string();
    are_texts = are_texts && found->is_string();
    return found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto label = LabelNamed(text("label"));
  const std::string id = text("id");
  const std::string key = text("key");
  const std::string user = text("user");
  // An empty id is that of a message without one.
  const bool names_one = json.is_object() && (json.contains("id") || !key.empty());
  if (!are_texts || !label || !names_one) {
    return done(HttpResponse::Problem(
        400,
        R"(expected {"label": "spam" or "ham", "id": MESSAGE-ID, "key": KEY, "user": USER}; user, and id or key,)"
        " may be left out"));
  }
  Whose whose = WhoseMail(asked.request);
  if (!user.empty()) {
    whose.user = user;
    whose.insists = true;
  }
  asked.service.Feedback({*label, ListedMessageId(id), key}, whose, Told(done));
}

void Explain(const HttpAsked& asked, const OnResponse& done) {
  const auto top = NumberIn(asked.request, "top", 30);
  if (!top) return done(NoNumber("top"));
  asked.service.Explain(asked.request.body, WhoseMail(asked.request), *top, Explained(done));
}

void Statistics(const HttpAsked& asked, const OnResponse& done) {
  const auto recent = NumberIn(asked.request, "recent", RecentExamples::kMost);
  if (!recent) return done(NoNumber("recent"));
  asked.service.Statistics(
      *recent, WhoseMail(asked.request),
      [log = asked.rules.figures().log, done](const Result<nlohmann::ordered_json>& json) {
        done(StatisticsResponse(json, log));
      });
}

void DescribeLog(const HttpAsked& asked, const OnResponse& done) {
  asked.rules.describe_log(WhoseMail(asked.request),
                           [done](const Result<LogDescription>& described) { done(LogResponse(described)); });
}

void Counts(const HttpAsked& asked, const OnResponse& done) {
  asked.service.Counts(WhoseMail(asked.request),
                       [done](const Result<ModelCounts>& counts) { done(CountsResponse(counts)); });
}

void Metrics(const HttpAsked& asked, const OnResponse& done) {
  done({.type = "text/plain; version=0.0.4", .body = MetricsText(asked.rules.figures())});
}

void Health(const HttpAsked&, const OnResponse& done) { done(OneLine({{"alive", true}})); }

void Ready(const HttpAsked& asked, const OnResponse& done) {
  done(ReadyResponse(asked.service.Ready(), asked.rules.figures().log));
}

void Ping(const HttpAsked&, const OnResponse& done) { done({.type = "text/plain", .body = "pong\r\n"}); }

void CheckForRspamc(const HttpAsked& asked, const OnResponse& done) {
  done(RspamdVerdict(asked.service.Classify(asked.request.body, WhoseMail(asked.request))));
}

template <Label kLabel>
void LearnForRspamc(const HttpAsked& asked, const OnResponse& done) {
  asked.service.Learn(asked.request.body, WhoseMail(asked.request), {.label = kLabel},
                      [done](const Result<TaughtMessage>& taught) { done(RspamdLearned(taught)); });
}

void StatisticsForRspamc(const HttpAsked& asked, const OnResponse& done) {
  asked.service.Counts(WhoseMail(asked.request),
                       [figures = asked.rules.figures(), done](const Result<ModelCounts>& counts) {
                         done(RspamdStatistics(figures, counts));
                       });
}

void Reload(const HttpAsked& asked, const OnResponse& done) {
  const Result<void> reloaded = asked.rules.reload();
  done(reloaded ? OneLine({{"result", "reloaded"}}) : ErrorResponse(reloaded.error()));
}

constexpr bool kChanges = true;

constexpr auto kRoutes = std::to_array<Route>({
    {"POST", "/classify", Access::kOpen, Classify},
    {"POST", "/learn", Access::kToken, Learn, kChanges},
    {"POST", "/foresee", Access::kToken, Foresee},
    {"POST", "/forget", Access::kToken, Forget, kChanges},
    {"POST", "/taught", Access::kToken, FindTaught},
    {"GET", "/taught", Access::kToken, FindTaughtByName},
    {"POST", "/forget-taught", Access::kToken, ForgetTaught, kChanges},
    {"POST", "/feedback", Access::kToken, Feedback, kChanges},
    {"POST", "/explain", Access::kToken, Explain},
    {"GET", "/explain", Access::kOwner, ExplainKept},
    {"GET", "/vocab", Access::kToken, ShowVocabulary},
    {"GET", "/weights", Access::kToken, ShowWeights},
    {"GET", "/stats", Access::kToken, Statistics},
    {"GET", "/counts", Access::kToken, Counts},
    {"GET", "/log", Access::kToken, DescribeLog},
    {"GET", "/recent", Access::kOwner, ShowRecent},
    {"GET", "/history", Access::kToken, ShowHistory},
    {"GET", "/doubt", Access::kOwner, ShowDoubt},
    {"POST", "/doubt", Access::kOwner, StartDoubt, kChanges},
    {"POST", "/reload", Access::kOwner, Reload, kChanges},
    {"GET", "/metrics", Access::kOpen, Metrics},
    {"GET", "/health", Access::kOpen, Health},
    {"GET", "/ready", Access::kOpen, Ready},
    // Of rspamd.
    {"POST", "/checkv2", Access::kOpen, CheckForRspamc},
    {"POST", "/learnspam", Access::kToken, LearnForRspamc<Label::kSpam>, kChanges},
    {"POST", "/learnham", Access::kToken, LearnForRspamc<Label::kHam>, kChanges},
    {"GET", "/ping", Access::kOpen, Ping},
    {"GET", "/stat", Access::kToken, StatisticsForRspamc},
});

// The route, or why there is none.
tl::expected<const Route*, HttpResponse> RouteOf(std::string_view method, std::string_view path) {
  std::string others;
  for (const Route& route : kRoutes) {
    if (route.path != path) continue;
    if (route.method == method) return &route;
    others += (others.empty() ? "" : ", ") + std::string(route.method == "GET" ? "GET, HEAD" : route.method);
  }
  if (others.empty())
    return tl::unexpected(HttpResponse::Problem(404, "there is no such path; see docs/serve.md"));
  HttpResponse refusal = HttpResponse::Problem(405, std::string(path) + " takes " + others);
  refusal.allow = std::move(others);
  return tl::unexpected(std::move(refusal));
}

bool NeedsToken(Access access, const Peer& peer) {
  switch (access) {
    case Access::kOpen:
      return false;
    case Access::kToken:
      return peer.over_tcp;
    case Access::kOwner:
      return !peer.is_owner;
  }
  return true;
}

// In a time that does not tell how much of it is right.
bool AreSame(std::string_view a, std::string_view b) {
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    differences |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differences == 0;
}

}  // namespace

void HttpApi::SetToken(std::string token) {
  const std::lock_guard lock(mutex_);
  token_ = std::move(token);
}

bool HttpApi::KnowsToken(const HttpRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  std::string_view given = request.Header("authorization");
  if (EqualsIgnoringCase(given.substr(0, kBearer.size()), kBearer)) {
    given.remove_prefix(kBearer.size());
  } else {
    given = request.Header("password");  // rspamc's
  }
  const std::lock_guard lock(mutex_);
  return !token_.empty() && AreSame(given, token_);
}

void HttpApi::Answer(const HttpRequest& request, const Peer& peer, const OnResponse& done) {
  if (const std::string_view sign = SignOfElsewhere(request, rules_.remote && peer.over_tcp); !sign.empty())
    return done(HttpResponse::Problem(403, sign));
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  if (auto file = PageFile(request.path); file && method == "GET") return done(*file);
  const auto found = RouteOf(method, request.path);
  if (!found) return done(found.error());
  const Route& route = **found;
  const bool is_allowed = !NeedsToken(route.access, peer) || KnowsToken(request);
  // Apart from each other: others at the same address may have no token.
  ChangeRate* const rate = !is_allowed ? rules_.guesses : route.changes ? rules_.changes : nullptr;
  if (rate != nullptr && !rate->Allow(peer))
    return done(HttpResponse::Problem(429, "too many requests from here; see serve.changes_per_second"));
  if (!is_allowed) {
    return done(HttpResponse::Problem(
        401, "this needs the token of serve.token_file: Authorization: Bearer TOKEN; see docs/serve.md"));
  }
  route.answer({*service_, request, rules_}, done);
}

}  // namespace thresher::pipeline
