#include "pipeline/serve/spamd_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

using tokenizer::EqualsIgnoringCase;
using tokenizer::Trim;

constexpr size_t kMostLine = 1024;
constexpr size_t kMostHeaders = 32;

constexpr auto kVerbs = std::to_array<std::pair<std::string_view, SpamdVerb>>({
    {"CHECK", SpamdVerb::kCheck},
    {"SYMBOLS", SpamdVerb::kSymbols},
    {"REPORT", SpamdVerb::kReport},
    {"REPORT_IFSPAM", SpamdVerb::kReportIfSpam},
    {"PROCESS", SpamdVerb::kProcess},
    {"HEADERS", SpamdVerb::kHeaders},
    {"PING", SpamdVerb::kPing},
    {"SKIP", SpamdVerb::kSkip},
    {"TELL", SpamdVerb::kTell},
});

// For a message about it.
std::string Shown(std::string_view line) { return tokenizer::PrintableAscii(line, 80); }

// "SPAMC/1.5": any version, as all are alike to us.
bool IsVersion(std::string_view word) {
  constexpr std::string_view kName = "SPAMC/";
  if (!word.starts_with(kName)) return false;
  const std::string_view number = word.substr(kName.size());
  return !number.empty() && std::all_of(number.begin(), number.end(),
                                        [](char c) { return tokenizer::IsAsciiDigit(c) || c == '.'; });
}

// "local", "local, remote", …
bool NamesLocal(std::string_view list) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (EqualsIgnoringCase(Trim(list.substr(0, comma)), "local")) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

size_t SpamdParser::Take(std::string_view bytes) {
  const size_t all = bytes.size();
  while (part_ != Part::kDone && !bytes.empty()) {
    if (part_ == Part::kMessage) {
      const size_t wanted = length_ ? *length_ - request_.message.size() : bytes.size();
      const size_t count = std::min(wanted, bytes.size());
      request_.message.append(bytes.substr(0, count));
      bytes.remove_prefix(count);
      if (length_ && request_.message.size() == *length_) part_ = Part::kDone;
      if (request_.message.size() > most_bytes_) FailTooLarge();
      continue;
    }
    const size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line_.size() > kMostLine) {
      Fail("a line of the header is too long");
    } else if (end != std::string_view::npos) {
      if (line_.ends_with('\r')) line_.pop_back();
      TakeLine(std::exchange(line_, {}));
    }
  }
  return all - bytes.size();
}

void SpamdParser::TakeEnd() {
  if (part_ == Part::kDone) return;
  if (part_ != Part::kMessage) return Fail("the request ends before the empty line after its header");
  if (length_) {
    return Fail(
        fmt::format("Content-length mismatch: expected {} bytes, got {}", *length_, request_.message.size()));
  }
  part_ = Part::kDone;
}

void SpamdParser::TakeLine(std::string_view line) {
  if (part_ == Part::kCommand) return TakeCommand(line);
  if (line.empty()) return EndHeaders();
  TakeHeader(line);
}

void SpamdParser::TakeCommand(std::string_view line) {
  const size_t space = std::min(line.find(' '), line.size());
  const auto verb = std::ranges::find(kVerbs, line.substr(0, space), &decltype(kVerbs)::value_type::first);
  const bool has_version = space < line.size() && IsVersion(line.substr(space + 1));
  if (verb == kVerbs.end() || !has_version) return Fail(fmt::format("Bad header line: ({})", Shown(line)));
  request_.verb = verb->second;
  // Clients of these may send nothing more.
  const bool is_alone = request_.verb == SpamdVerb::kPing || request_.verb == SpamdVerb::kSkip;
  part_ = is_alone ? Part::kDone : Part::kHeaders;
}

void SpamdParser::TakeHeader(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0 || ++headers_ > kMostHeaders)
    return Fail(fmt::format("Bad header line: ({})", Shown(line)));
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = Trim(line.substr(colon + 1));
  if (EqualsIgnoringCase(name, "Content-length")) {
    TakeLength(value);
  } else if (EqualsIgnoringCase(name, "User")) {
    request_.user = value;
  } else if (EqualsIgnoringCase(name, "Message-class")) {
    const bool is_spam = EqualsIgnoringCase(value, "spam");
    if (!is_spam && !EqualsIgnoringCase(value, "ham")) return Fail("Message-class: expected spam or ham");
    request_.message_class = is_spam ? Label::kSpam : Label::kHam;
  } else if (EqualsIgnoringCase(name, "Set")) {
    request_.set_local |= NamesLocal(value);
  } else if (EqualsIgnoringCase(name, "Remove")) {
    request_.remove_local |= NamesLocal(value);
  } else if (EqualsIgnoringCase(name, "Compress")) {
    if (!EqualsIgnoringCase(value, "zlib")) return Fail("Compress: expected zlib");
    request_.compressed = true;
  }
  // Others are for other versions of the protocol.
}

void SpamdParser::TakeLength(std::string_view text) {
  size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size() || (length_ && *length_ != length))
    return Fail("Content-length: expected one number");
  length_ = length;
}

void SpamdParser::EndHeaders() {
  if (request_.verb == SpamdVerb::kTell && request_.set_local && !request_.message_class)
    return Fail("TELL with Set needs the header Message-class");
  if (length_ && *length_ > most_bytes_) return FailTooLarge();
  part_ = length_ == 0U ? Part::kDone : Part::kMessage;
}

void SpamdParser::Fail(std::string why) {
  part_ = Part::kDone;
  problem_ = SpamdProblem{kSpamdProtocol, std::move(why)};
}

void SpamdParser::FailTooLarge() {
  part_ = Part::kDone;
  problem_ = SpamdProblem{kData, fmt::format("the message has more than {} bytes", most_bytes_)};
}

}  // namespace thresher::pipeline
