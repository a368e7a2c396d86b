#include "pipeline/serve/http_route.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/serve/http_answers.h"

namespace thresher::pipeline {

Whose WhoseMail(const HttpRequest& request) {
  Whose whose{.user = request.Query("user"), .model = request.Query("model")};
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
