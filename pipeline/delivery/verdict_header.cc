#include "pipeline/delivery/verdict_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/version.h"
#include "tokenizer/message_head.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kHeaderName = "X-Thresher";
constexpr size_t kMaxReason = 200;
const std::vector<std::string> kOwnHeaders = {"X-Thresher*"};

std::string Printable(std::string_view reason) {
  std::string line(reason.substr(0, kMaxReason));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

std::string Needs(std::string_view what, uint64_t count) {
  return count == 0 ? std::string() : fmt::format("needs-{}={}, ", what, count);
}

std::string Figures(const Score& score, const TaughtCounts& taught, std::string_view key) {
  return fmt::format("probability={:.6f}, margin={:.9g}, {}{}{}version={}", score.probability, score.margin,
                     Needs("ham", taught.Needed(Label::kHam)), Needs("spam", taught.Needed(Label::kSpam)),
                     key.empty() ? std::string() : fmt::format("key={}, ", key), kVersion);
}

}  // namespace

std::string VerdictHeaderValue(Verdict verdict, const Score& score, const TaughtCounts& taught,
                               std::string_view key) {
  return fmt::format("{}, {}", NameOf(verdict), Figures(score, taught, key));
}

std::string NoModelHeaderValue(std::string_view reason) {
  return fmt::format("{}, {}, {}", NameOf(Verdict::kUnsure), Printable(reason),
                     Figures(Score{0, 0.5}, TaughtCounts(), /*key=*/{}));
}

std::string ErrorHeaderValue(std::string_view reason) {
  return fmt::format("Error, {}, version={}", Printable(reason), kVersion);
}

std::string WithVerdictHeader(std::string_view message, std::string_view value) {
  const tokenizer::MessageHead head = tokenizer::ParseHead(message);
  std::string out;
  out.reserve(message.size() + value.size() + 32);
  out.append(head.from_line);
  out.append(kHeaderName).append(": ").append(value).append(head.line_end);
  for (const tokenizer::HeaderField& field : head.fields) {
    if (!tokenizer::MatchesHeader(field.name, kOwnHeaders)) out.append(field.bytes);
  }
  std::string buffer;
  out.append(tokenizer::WithoutOwnLines(head.rest, &buffer));
  return out;
}

}  // namespace thresher::pipeline
