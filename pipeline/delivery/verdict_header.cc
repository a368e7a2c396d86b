#include "pipeline/delivery/verdict_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/version.h"
#include "tokenizer/thresher_headers.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kMaxReason = 200;

std::string Printable(std::string_view reason) {
  std::string line(reason.substr(0, kMaxReason));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

std::string Needs(std::string_view what, uint64_t count) {
  return count == 0 ? std::string() : fmt::format("needs-{}={}, ", what, count);
}

std::string Note(const Contradictions& last) {
  return last.AreMany() ? fmt::format("contradicted={}/{}, ", last.number(), last.examples) : std::string();
}

std::string Figures(const Score& score, const TaughtCounts& taught, const Contradictions& contradictions,
                    std::string_view key) {
  return fmt::format("probability={:.6f}, margin={:.9g}, {}{}{}{}version={}", score.probability, score.margin,
                     Needs("ham", taught.Needed(Label::kHam)), Needs("spam", taught.Needed(Label::kSpam)),
                     Note(contradictions), key.empty() ? std::string() : fmt::format("key={}, ", key),
                     kVersion);
}

}  // namespace

std::string VerdictHeaderValue(Verdict verdict, const Score& score, const TaughtCounts& taught,
                               const Contradictions& contradictions, std::string_view key) {
  return fmt::format("{}, {}", NameOf(verdict), Figures(score, taught, contradictions, key));
}

std::string NoModelHeaderValue(std::string_view reason) {
  return fmt::format("{}, {}, {}", NameOf(Verdict::kUnsure), Printable(reason),
                     Figures(Score{0, 0.5}, TaughtCounts(), Contradictions(), /*key=*/{}));
}

std::string ErrorHeaderValue(std::string_view reason) {
  return fmt::format("Error, {}, version={}", Printable(reason), kVersion);
}

std::string WithVerdictHeader(std::string_view message, std::string_view value) {
  std::string buffer;
  message = tokenizer::WithoutThresherHeaders(message, &buffer);
  std::string out;
  out.reserve(message.size() + value.size() + 32);
  for (const std::string_view part : PartsWithVerdictHeader(message, value)) out.append(part);
  return out;
}

std::array<std::string_view, 6> PartsWithVerdictHeader(std::string_view message, std::string_view value) {
  const tokenizer::HeaderPlace place = tokenizer::PlaceOfHeader(message);
  return {message.substr(0, place.position), tokenizer::kThresherHeader, ": ", value, place.line_end,
          message.substr(place.position)};
}

}  // namespace thresher::pipeline
