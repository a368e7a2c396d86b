// What the functions that answer HTTP requests have in common: what they are given, and how they read a
// query.
//
// Used by http_api.cc and page_requests.cc. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pipeline/serve/http_api.h"

namespace thresher::pipeline {

struct HttpAsked {
  Service& service;
  const HttpRequest& request;
  const HttpApi::Rules& rules;
};

// As thresher's clients say it, or rspamd's.
Whose WhoseMail(const HttpRequest& request);
// Nothing if it is there and no whole number.
std::optional<size_t> NumberIn(const HttpRequest& request, std::string_view name, size_t otherwise);
HttpResponse NoNumber(std::string_view name);
tokenizer::Kind KindIn(const HttpRequest& request);
// Of the parameters that say how a message is read and taught: what to answer if one has a word that means
// nothing.
std::optional<HttpResponse> WrongWordIn(const HttpRequest& request);
// Both send what they are given.
Service::OnJson Shown(const HttpApi::OnResponse& done);
Service::OnExplanation Explained(const HttpApi::OnResponse& done);

}  // namespace thresher::pipeline
