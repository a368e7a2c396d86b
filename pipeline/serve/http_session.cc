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
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

// Nothing is to be kept, guessed or shown inside another page.
std::string ResponseText(const HttpResponse& response, bool keeps_alive, bool with_body) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\nCache-Control: "
      "no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n{}\r\n{}",
      response.status, ReasonOf(response.status), response.type, response.body.size(),
      keeps_alive ? "keep-alive" : "close",
      response.status == 401   ? "WWW-Authenticate: Bearer\r\n"
      : response.status == 503 ? "Retry-After: 3\r\n"
                               : "",
      with_body ? response.body : std::string());
}

}  // namespace

void HttpSession::Respond(std::function<void(Response)> done) {
  if (const auto& problem = parser_.problem())
    return done({ResponseText(HttpResponse::Problem(problem->status, problem->why), false, true), true});
  const HttpRequest request = parser_.TakeRequest();
  const bool is_head = request.method == "HEAD";
  api_->Answer(request, peer_,
               [done = std::move(done), keeps = request.keeps_alive, is_head](const HttpResponse& response) {
                 done({ResponseText(response, keeps, !is_head), !keeps});
               });
}

std::string HttpSession::TakeInterim() {
  return parser_.TakeExpectsContinue() ? "HTTP/1.1 100 Continue\r\n\r\n" : "";
}

std::string HttpSession::Refusal(Trouble trouble) const {
  const HttpResponse response =
      trouble == Trouble::kTooLarge  ? HttpResponse::Problem(413, "the request is too large")
      : trouble == Trouble::kTooSlow ? HttpResponse::Problem(408, "the request did not come in time")
                                     : HttpResponse::Problem(503, "too many requests; try again later");
  return ResponseText(response, false, true);
}

}  // namespace thresher::pipeline
