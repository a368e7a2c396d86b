#include "pipeline/serve/http_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "pipeline/serve/http_answers.h"
#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

using tokenizer::EqualsIgnoringCase;
using OnResponse = HttpApi::OnResponse;

// Over TCP: everybody, or who knows the token. Over a Unix socket its permissions say who may.
enum class Access { kOpen, kToken };

struct Route {
  std::string_view method;
  std::string_view path;
  Access access;
  void (*answer)(Service&, const HttpRequest&, const DaemonFigures&, OnResponse);
};

// Of thresher's clients, or of rspamd's.
std::string_view NamedUser(const HttpRequest& request) {
  const std::string_view user = request.Query("user");
  if (!user.empty()) return user;
  const std::string_view delivered = request.Header("deliver-to");
  return delivered.empty() ? request.Header("user") : delivered;
}

std::optional<Label> LabelNamed(std::string_view name) {
  if (name == "spam") return Label::kSpam;
  if (name == "ham") return Label::kHam;
  return std::nullopt;
}

// Nothing if it is there and no whole number.
std::optional<size_t> Number(const HttpRequest& request, std::string_view name, size_t otherwise) {
  const std::string_view text = request.Query(name);
  if (text.empty()) return otherwise;
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Service::OnTaught Told(OnResponse done) {
  return [done = std::move(done)](const Result<Taught>& taught) { done(TaughtResponse(taught)); };
}

void Classify(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  done(JudgedResponse(service.Classify(request.body, NamedUser(request))));
}

void Learn(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  const auto label = LabelNamed(request.Query("label"));
  if (!label) return done(HttpResponse::Problem(400, "expected ?label=spam or ?label=ham"));
  const auto turns = Number(request, "turns", 1);
  if (!turns || *turns > kMostTurns)
    return done(HttpResponse::Problem(400, fmt::format("expected a number up to {} as ?turns=", kMostTurns)));
  const Instruction how{
      .label = *label,
      .kind = request.Query("kind") == "document" ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail,
      .circumstances = {.streamed = request.Query("stream") == "true",
                        .turns = static_cast<uint8_t>(*turns)}};
  service.Learn(request.body, NamedUser(request), how, Told(std::move(done)));
}

void Forget(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  service.Forget(request.body, NamedUser(request), [done = std::move(done)](const Result<bool>& forgotten) {
    done(ForgottenResponse(forgotten));
  });
}

void Feedback(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  const auto json = nlohmann::json::parse(request.body, nullptr, false);
  const auto text = [&](const char* name) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto label = LabelNamed(text("label"));
  const std::string id = text("id");
  if (!label || id.empty()) {
    return done(HttpResponse::Problem(
        400,
        R"(expected {"label": "spam" or "ham", "id": MESSAGE-ID, "key": KEY, "user": USER}; key and user)"
        " may be left out"));
  }
  const std::string user = text("user");
  service.Feedback({*label, tokenizer::CleanMessageId(id), text("key")},
                   user.empty() ? NamedUser(request) : user, Told(std::move(done)));
}

constexpr char kWrongTop[] = "expected a whole number as ?top=";

Service::OnJson Shown(OnResponse done) {
  return [done = std::move(done)](const Result<std::string>& json) { done(TextResponse(json)); };
}

void Explain(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  const auto top = Number(request, "top", 30);
  if (!top) return done(HttpResponse::Problem(400, kWrongTop));
  service.Explain(request.body, NamedUser(request), *top, Shown(std::move(done)));
}

void Vocabulary(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  const auto top = Number(request, "top", 40);
  if (!top) return done(HttpResponse::Problem(400, kWrongTop));
  service.Vocabulary(request.Query("field"), *top, Shown(std::move(done)));
}

void Statistics(Service& service, const HttpRequest&, const DaemonFigures&, OnResponse done) {
  service.Statistics(Shown(std::move(done)));
}

void Counts(Service& service, const HttpRequest&, const DaemonFigures&, OnResponse done) {
  service.Counts(Shown(std::move(done)));
}

void Metrics(Service&, const HttpRequest&, const DaemonFigures& figures, OnResponse done) {
  done({.type = "text/plain; version=0.0.4", .body = MetricsText(figures)});
}

void Health(Service&, const HttpRequest&, const DaemonFigures&, OnResponse done) {
  done({.body = "{\"alive\":true}\n"});
}

void Ready(Service& service, const HttpRequest&, const DaemonFigures&, OnResponse done) {
  const Result<void> ready = service.Ready();
  done(ready ? HttpResponse{.body = "{\"ready\":true}\n"} : ErrorResponse({kBusy, ready.error().message}));
}

void Ping(Service&, const HttpRequest&, const DaemonFigures&, OnResponse done) {
  done({.type = "text/plain", .body = "pong\r\n"});
}

void CheckForRspamc(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  done(RspamdVerdict(service.Classify(request.body, NamedUser(request))));
}

template <Label kLabel>
void LearnForRspamc(Service& service, const HttpRequest& request, const DaemonFigures&, OnResponse done) {
  service.Learn(request.body, NamedUser(request), {.label = kLabel},
                [done = std::move(done)](const Result<Taught>& taught) { done(RspamdLearned(taught)); });
}

void StatisticsForRspamc(Service& service, const HttpRequest&, const DaemonFigures& figures,
                         OnResponse done) {
  service.Statistics([figures, done = std::move(done)](const Result<std::string>& json) {
    done(RspamdStatistics(figures, json));
  });
}

constexpr auto kRoutes = std::to_array<Route>({
    {"POST", "/classify", Access::kOpen, Classify},
    {"POST", "/learn", Access::kToken, Learn},
    {"POST", "/forget", Access::kToken, Forget},
    {"POST", "/feedback", Access::kToken, Feedback},
    {"POST", "/explain", Access::kToken, Explain},
    {"GET", "/vocab", Access::kToken, Vocabulary},
    {"GET", "/stats", Access::kToken, Statistics},
    {"GET", "/counts", Access::kToken, Counts},
    {"GET", "/metrics", Access::kOpen, Metrics},
    {"GET", "/health", Access::kOpen, Health},
    {"GET", "/ready", Access::kOpen, Ready},
    // Of rspamd.
    {"POST", "/checkv2", Access::kOpen, CheckForRspamc},
    {"POST", "/learnspam", Access::kToken, LearnForRspamc<Label::kSpam>},
    {"POST", "/learnham", Access::kToken, LearnForRspamc<Label::kHam>},
    {"GET", "/ping", Access::kOpen, Ping},
    {"GET", "/stat", Access::kToken, StatisticsForRspamc},
});

// In a time that does not tell how much of it is right.
bool AreSame(std::string_view a, std::string_view b) {
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    differences |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differences == 0;
}

// "localhost:8080" without the port.
std::string_view HostOnly(std::string_view host) {
  const size_t bracket = host.find(']');
  const size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return host.substr(0, colon);
}

// A page from elsewhere could have a browser of this machine ask: by a form or script (Origin), or by a name
// of its own that leads to this machine (Host).
bool IsFromElsewhere(const HttpRequest& request, const Peer& peer, bool remote) {
  const std::string_view host = request.Header("host");
  const std::string_view origin = request.Header("origin");
  const size_t scheme = origin.find("://");
  const bool is_own_page = scheme != std::string_view::npos && origin.substr(scheme + 3) == host;
  if (!origin.empty() && !is_own_page) return true;
  if (const std::string_view site = request.Header("sec-fetch-site");
      !site.empty() && site != "same-origin" && site != "none")
    return true;
  if (!peer.over_tcp || remote) return false;
  const std::string_view name = HostOnly(host);
  return !name.empty() && !EqualsIgnoringCase(name, "localhost") && !name.starts_with("127.") &&
         name != "[::1]";
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

void HttpApi::Answer(const HttpRequest& request, const Peer& peer, OnResponse done) {
  if (IsFromElsewhere(request, peer, rules_.remote))
    return done(HttpResponse::Problem(403, "this page may not ask here"));
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  const auto route =
      std::ranges::find_if(kRoutes, [&](const Route& each) { return each.path == request.path; });
  if (route == kRoutes.end())
    return done(HttpResponse::Problem(404, "there is no such path; see docs/serve.md"));
  if (route->method != method)
    return done(
        HttpResponse::Problem(405, std::string(route->path) + " takes " + std::string(route->method)));
  if (peer.over_tcp && route->access == Access::kToken && !KnowsToken(request)) {
    return done(HttpResponse::Problem(
        401, "over TCP this needs the token of serve.token_file: Authorization: Bearer TOKEN"));
  }
  route->answer(*service_, request, rules_.figures(), std::move(done));
}

}  // namespace thresher::pipeline
