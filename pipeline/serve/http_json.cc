#include "pipeline/serve/http_json.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace thresher::pipeline {
namespace {

// JSON takes up to thirty times its bytes in memory, and what nests deeply a hundred times.
constexpr size_t kMostJsonBytes = size_t{4} << 20;
constexpr int kDeepestJson = 3;  // {"messages": [{…}]}

bool NestsTooDeeply(std::string_view json) {
  int depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == '[' || c == '{')) {
      if (++depth > kDeepestJson) return true;
    } else if (!in_text && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

}  // namespace

tl::expected<nlohmann::json, HttpResponse> JsonIn(const HttpRequest& request) {
  if (request.body.size() > kMostJsonBytes)
    return tl::unexpected(
        HttpResponse::Problem(413, fmt::format("expected at most {} bytes of JSON", kMostJsonBytes)));
  if (NestsTooDeeply(request.body)) return nlohmann::json(nlohmann::json::value_t::discarded);
  return nlohmann::json::parse(request.body, nullptr, false);
}

}  // namespace thresher::pipeline
