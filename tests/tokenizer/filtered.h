// A message as `filter` writes it, for tests.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/thresher_headers.h"

namespace thresher::tokenizer {

inline std::string Filtered(std::string message) {
  RemoveThresherHeaders(&message, {});
  const HeaderPlace place = PlaceOfHeader(message);
  std::string header(kThresherHeader);
  header.append(": Unsure, probability=0.5, margin=0, key=, version=0.1.0").append(place.line_end);
  return message.insert(place.position, header);
}

}  // namespace thresher::tokenizer
