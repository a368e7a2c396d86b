#include "pipeline/cluster/nats_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace thresher::pipeline {

NatsNames NatsNamesOf(const std::string& stream, std::string_view model) {
  std::string digits;
  for (const char c : model) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  const std::string keys = digits.empty() ? "" : digits + ".";
  return {.subject = "thresher." + stream + (digits.empty() ? "" : "." + digits),
          .keys = keys,
          .snapshots = "thresher_snapshots." + stream + "." + keys};
}

bool IsLogName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

}  // namespace thresher::pipeline
