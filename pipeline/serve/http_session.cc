#include "pipeline/serve/http_session.h"

#include <fmt/format.h>

#include <utility>

namespace thresher::pipeline {
namespace {

std::string_view ReasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

// For browsers: nothing is to be kept, guessed or shown inside another page. The page runs its own scripts
// only, and asks nobody but this daemon.
constexpr std::string_view kForBrowsers =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

std::string_view HeadersForStatus(int status) {
  switch (status) {
    case 401:
      return "WWW-Authenticate: Bearer\r\n";
    case 429:
      return "Retry-After: 1\r\n";
    case 503:
      return "Retry-After: 3\r\n";
    default:
      return "";
  }
}

std::string ResponseText(const HttpResponse& response, bool keeps_alive, bool with_body) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\n{}{}{}\r\n{}",
      response.status, ReasonOf(response.status), response.type, response.body.size(),
      keeps_alive ? "keep-alive" : "close", kForBrowsers, HeadersForStatus(response.status),
      response.allow.empty() ? std::string() : "Allow: " + response.allow + "\r\n",
      with_body ? response.body : std::string());
}

}  // namespace

void HttpSession::Respond(std::function<void(Response)> done) {
  if (const auto& problem = parser_.problem()) {
    const HttpResponse response = HttpResponse::Problem(problem->status, problem->why);
    return done({ResponseText(response, false, true), true, response.refused});
  }
  const HttpRequest request = parser_.TakeRequest();
  const bool is_head = request.method == "HEAD";
  api_->Answer(request, peer_,
               [done = std::move(done), keeps = request.keeps_alive, is_head](const HttpResponse& response) {
                 done({ResponseText(response, keeps, !is_head), !keeps, response.refused});
               });
}

std::string HttpSession::TakeInterim() {
  return parser_.TakeExpectsContinue() ? "HTTP/1.1 100 Continue\r\n\r\n" : "";
}

std::string HttpSession::Refusal(Trouble trouble) {
  const HttpResponse response =
      trouble == Trouble::kTooLarge  ? HttpResponse::Problem(413, "the request is too large")
      : trouble == Trouble::kTooSlow ? HttpResponse::Problem(408, "the request did not come in time")
                                     : HttpResponse::Problem(503, "too many requests; try again later");
  return ResponseText(response, false, true);
}

}  // namespace thresher::pipeline
