#include "pipeline/delivery/marks.h"

#include <fmt/format.h>

#include <optional>

#include "pipeline/delivery/spam_score.h"
#include "pipeline/version.h"
#include "tokenizer/ascii.h"
#include "tokenizer/thresher_headers.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kMaxReason = 200;

std::string Printable(std::string_view reason) { return tokenizer::PrintableAscii(reason, kMaxReason); }

std::string Needs(std::string_view what, uint64_t count) {
  return count == 0 ? std::string() : fmt::format("needs-{}={}, ", what, count);
}

std::string Note(const Contradictions& last) {
  return last.AreMany() ? fmt::format("contradicted={}/{}, ", last.number(), last.examples) : std::string();
}

std::string Figures(const Judged& judged) {
  const std::string& key = judged.key.digest;
  return fmt::format("probability={:.6f}, margin={:.9g}, {}{}{}{}version={}", judged.score.probability,
                     judged.score.margin, Needs("ham", judged.taught.Needed(Label::kHam)),
                     Needs("spam", judged.taught.Needed(Label::kSpam)), Note(judged.contradictions),
                     key.empty() ? std::string() : fmt::format("key={}, ", key), kVersion);
}

std::string Line(std::string_view name, std::string_view value) {
  return fmt::format("{}: {}\n", name, value);
}

}  // namespace

std::string ListedMark(std::string_view entry) {
  return entry.empty() ? std::string() : fmt::format("listed={}, ", entry);
}

Marks MarksOf(const Judged& judged, const tokenizer::OwnMarks& own) {
  const bool is_spam = judged.verdict == Verdict::kSpam;
  Marks marks;
  // Above the verdict: what follows a header without a version may be a continuation of it.
  if (own.spam_headers) {
    if (is_spam) marks.lines += Line(tokenizer::kSpamFlagHeader, "YES");
    marks.lines += Line(tokenizer::kSpamStatusHeader,
                        fmt::format("{}, score={:.1f} required={:.1f}", is_spam ? "Yes" : "No",
                                    SpamScore(judged), kRequiredScore));
  }
  marks.lines += Line(own.header, fmt::format("{}, {}{}", NameOf(judged.verdict), ListedMark(judged.listed),
                                              Figures(judged)));
  if (is_spam) marks.tag = own.subject_tag;
  return marks;
}

Marks NoModelMarks(std::string_view reason, const tokenizer::OwnMarks& own) {
  Judged unknown;
  unknown.score = {0, 0.5};
  const std::string figures = Figures(unknown);
  return {Line(own.header, fmt::format("{}, {}, {}", NameOf(Verdict::kUnsure), Printable(reason), figures)),
          {}};
}

Marks ErrorMarks(std::string_view reason, const tokenizer::OwnMarks& own) {
  return {Line(own.header, fmt::format("Error, {}, version={}", Printable(reason), kVersion)), {}};
}

bool WriteMarked(std::string_view message, const Marks& marks,
                 const std::function<bool(std::string_view)>& write) {
  const tokenizer::HeaderPlace place = tokenizer::PlaceOfHeader(message);
  if (!write(message.substr(0, place.position))) return false;
  for (std::string_view lines = marks.lines; !lines.empty();) {
    if (!write(TakeMarkLine(&lines)) || !write(place.line_end)) return false;
  }
  size_t written = place.position;
  const auto subject = marks.tag.empty() ? std::nullopt : tokenizer::PlaceOfSubjectTag(message);
  if (subject && !tokenizer::HasSubjectTag(message, *subject, marks.tag)) {
    if (!write(message.substr(written, *subject - written)) || !write(marks.tag) || !write(" ")) return false;
    written = *subject;
  }
  return write(message.substr(written));
}

std::string Marked(std::string_view message, const Marks& marks, const tokenizer::OwnMarks& own) {
  std::string buffer;
  message = tokenizer::WithoutThresherHeaders(message, &buffer, own);
  std::string out;
  out.reserve(message.size() + marks.lines.size() + 64);
  WriteMarked(message, marks, [&](std::string_view piece) {
    out.append(piece);
    return true;
  });
  return out;
}

std::string_view TakeMarkLine(std::string_view* lines) {
  const std::string_view line = lines->substr(0, lines->find('\n'));
  lines->remove_prefix(line.size() + 1);
  return line;
}

}  // namespace thresher::pipeline
