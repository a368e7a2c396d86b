#include "pipeline/settings/model_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace thresher::pipeline {
namespace {

constexpr size_t kMostNameBytes = 128;

bool HasTakenEnd(std::string_view name) {
  if (name.ends_with(kSocketEnd)) return true;
  if (name.ends_with(kNextEnd)) name.remove_suffix(kNextEnd.size());
  return name.ends_with(kOutboxEnd);
}

}  // namespace

bool IsModelName(std::string_view name) {
  const auto is_wrong = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7f || c == '/';
  };
  return !name.empty() && name.size() <= kMostNameBytes && name.front() != '.' && name != kDatabaseName &&
         std::ranges::none_of(name, is_wrong) && !HasTakenEnd(name);
}

std::string ModelNameRule() {
  return fmt::format(
      "1 to {} bytes, without slashes, spaces, control characters, a dot in front and {}, {}, {}{} at its "
      "end, other than {}",
      kMostNameBytes, kSocketEnd, kOutboxEnd, kOutboxEnd, kNextEnd, kDatabaseName);
}

}  // namespace thresher::pipeline
