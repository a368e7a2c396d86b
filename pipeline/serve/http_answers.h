// Results of the service as JSON: thresher's own, and in the form that clients of rspamd expect.
//
// Called by HttpApi. Thread-safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "pipeline/serve/http_api.h"
#include "pipeline/serve/service.h"

namespace thresher::pipeline {

// The status that says what went wrong.
HttpResponse ErrorResponse(const Error& error);

HttpResponse JudgedResponse(const Result<Judged>& judged);
HttpResponse TaughtResponse(const Result<TaughtMessage>& taught);
HttpResponse ForgottenResponse(const Result<ForgottenMessage>& forgotten);
HttpResponse ForgottenResponse(const Result<ForgottenMessages>& forgotten);
HttpResponse KeyResponse(const Result<tokenizer::MessageKey>& key);
HttpResponse ExplanationResponse(const Result<Explanation>& explanation);
HttpResponse CountsResponse(const Result<ModelCounts>& counts);
// In one line, as programs read it.
HttpResponse OneLine(const nlohmann::ordered_json& json);
// As commands print it with --json.
HttpResponse PrintedResponse(const Result<nlohmann::ordered_json>& json);

// `log`: of the model, if it follows one.
HttpResponse ReadyResponse(const Result<void>& ready, const std::optional<LogFigures>& log);
HttpResponse LogResponse(const Result<LogDescription>& described);
HttpResponse StatisticsResponse(Result<nlohmann::ordered_json> json, const std::optional<LogFigures>& log);

HttpResponse RspamdVerdict(const Result<Judged>& judged);
HttpResponse RspamdStatistics(const DaemonFigures& figures, const Result<ModelCounts>& counts);
HttpResponse RspamdLearned(const Result<TaughtMessage>& taught);

}  // namespace thresher::pipeline
