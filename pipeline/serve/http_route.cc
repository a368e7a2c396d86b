#include "pipeline/serve/http_route.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/serve/http_answers.h"

namespace thresher::pipeline {

Whose WhoseMail(const HttpRequest& request) {
  Whose whose{.user = request.Query("user"), .model = request.Query("model")};
  whose.insists = !whose.user.empty();
  if (whose.user.empty()) whose.user = request.Header("deliver-to");
  if (whose.user.empty()) whose.user = request.Header("user");
  return whose;
}

std::optional<size_t> NumberIn(const HttpRequest& request, std::string_view name, size_t otherwise) {
  const std::string_view text = request.Query(name);
  if (text.empty()) return otherwise;
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

tokenizer::Kind KindIn(const HttpRequest& request) {
  return request.Query("kind") == "document" ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
}

std::optional<HttpResponse> WrongWordIn(const HttpRequest& request) {
  const auto is_known = [&](std::string_view name, std::string_view one, std::string_view other) {
    const std::string_view word = request.Query(name);
    return word.empty() || word == one || word == other;
  };
  if (!is_known("kind", "mail", "document"))
    return HttpResponse::Problem(400, "expected ?kind=mail or ?kind=document");
  for (const std::string_view name : {"stream", "self_taught"}) {
    if (!is_known(name, "true", "false"))
      return HttpResponse::Problem(400, fmt::format("expected ?{0}=true or ?{0}=false", name));
  }
  return std::nullopt;
}

HttpResponse NoNumber(std::string_view name) {
  return HttpResponse::Problem(400, fmt::format("expected a whole number as ?{}=", name));
}

Service::OnJson Shown(const HttpApi::OnResponse& done) {
  return [done](const Result<nlohmann::ordered_json>& json) { done(PrintedResponse(json)); };
}

Service::OnExplanation Explained(const HttpApi::OnResponse& done) {
  return [done](const Result<Explanation>& explanation) { done(ExplanationResponse(explanation)); };
}

}  // namespace thresher::pipeline
