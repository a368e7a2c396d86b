#include "pipeline/commands/json_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace thresher::pipeline {

void WriteJson(const nlohmann::ordered_json& json, int indent, std::FILE* to) {
  fmt::print(to, "{}", JsonText(json, indent));
}

}  // namespace thresher::pipeline
