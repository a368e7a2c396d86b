// JSON in the body of a request, read within a bounded memory.
//
// Used by http_api.cc. Thread-safety: a pure function.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "pipeline/serve/http_api.h"

namespace thresher::pipeline {

// A discarded value if it is no JSON, or nests more deeply than any request does. The error is the response
// to a body that is too long, or has an object with a name twice.
tl::expected<nlohmann::json, HttpResponse> JsonIn(const HttpRequest& request);

}  // namespace thresher::pipeline
