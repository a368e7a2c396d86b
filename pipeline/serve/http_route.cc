#include "pipeline/serve/http_route.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "pipeline/serve/http_answers.h"

namespace thresher::pipeline {

std::string_view NamedUser(const HttpRequest& request) {
  const std::string_view user = request.Query("user");
  if (!user.empty()) return user;
  const std::string_view delivered = request.Header("deliver-to");
  return delivered.empty() ? request.Header("user") : delivered;
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
  return [done](const Result<std::string>& json) { done(TextResponse(json)); };
}

Service::OnExplanation Explained(const HttpApi::OnResponse& done) {
  return [done](const Result<Explanation>& explanation) { done(ExplanationResponse(explanation)); };
}

}  // namespace thresher::pipeline
