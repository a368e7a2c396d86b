// What the daemon's page for people asks for: its own files, and what it shows.
//
// Called by http_api.cc. Thread-safety: any threads.
#pragma once

#include <optional>
#include <string_view>

#include "pipeline/serve/http_route.h"

namespace thresher::pipeline {

// A file of the page; nothing if there is none at this path. They contain nothing of mail or model.
std::optional<HttpResponse> PageFile(std::string_view path);

void ShowRecent(const HttpAsked& asked, const HttpApi::OnResponse& done);
void ShowHistory(const HttpAsked& asked, const HttpApi::OnResponse& done);
void ShowWeights(const HttpAsked& asked, const HttpApi::OnResponse& done);
void ShowVocabulary(const HttpAsked& asked, const HttpApi::OnResponse& done);
void ExplainKept(const HttpAsked& asked, const HttpApi::OnResponse& done);
void ShowDoubt(const HttpAsked& asked, const HttpApi::OnResponse& done);
void StartDoubt(const HttpAsked& asked, const HttpApi::OnResponse& done);

}  // namespace thresher::pipeline
