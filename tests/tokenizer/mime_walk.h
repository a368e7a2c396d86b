// The parts of a message as values, for tests.
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/message_head.h"
#include "tokenizer/mime.h"

namespace thresher::tokenizer {

inline constexpr MimeLimits kLimits = {.depth = 32, .parts = 256, .decoded_bytes = 1 << 20};

// A MimePart that owns its strings.
struct Part {
  std::string type;
  std::string charset;
  std::string encoding;
  std::string disposition;
  std::string filename;
  size_t depth = 0;
  std::string bytes;

  friend bool operator==(const Part&, const Part&) = default;
  friend void PrintTo(const Part& part, std::ostream* out) {
    *out << part.type << '|' << part.charset << '|' << part.encoding << '|' << part.disposition << '|'
         << part.filename << '|' << part.depth << '|' << part.bytes;
  }
};

struct Walk {
  std::vector<Part> parts;
  bool is_cut = false;
};

inline Walk WalkAll(std::string_view message, const MimeLimits& limits = kLimits,
                    size_t header_bytes = std::string_view::npos) {
  Walk walk;
  MessageHead head;
  ParseHead(message, header_bytes, &head);
  const MimeCut cut = WalkMime(head, limits, [&](const MimePart& part) {
    walk.parts.push_back({std::string(part.type), std::string(part.charset), std::string(part.encoding),
                          std::string(part.disposition), std::string(part.filename), part.depth,
                          std::string(part.bytes)});
  });
  walk.is_cut = cut != MimeCut::kNothing;
  return walk;
}

inline std::vector<Part> Parts(std::string_view message) { return WalkAll(message).parts; }

inline testing::Matcher<Part> Is(const std::string& type, size_t depth, const std::string& bytes) {
  return testing::AllOf(testing::Field(&Part::type, type), testing::Field(&Part::depth, depth),
                        testing::Field(&Part::bytes, bytes));
}

inline std::string Repeat(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

}  // namespace thresher::tokenizer
