// Reads a request of the spamd protocol, as spamc sends it, from bytes that come in any portions.
//
// A request is a line "CHECK SPAMC/1.5", header lines, an empty line, and a message of Content-length bytes
// (without that header: up to the end). Lines end with CR LF or LF. Called by SpamdSession and the fuzzer.
// Any bytes give a request or a problem, the same one however they are split. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/error.h"
#include "pipeline/model/evidence.h"

namespace thresher::pipeline {

enum class SpamdVerb { kCheck, kSymbols, kReport, kReportIfSpam, kProcess, kHeaders, kPing, kSkip, kTell };

struct SpamdRequest {
  SpamdVerb verb = SpamdVerb::kCheck;
  std::string user;
  std::optional<Label> message_class;
  bool set_local = false;
  bool remove_local = false;
  bool compressed = false;  // by zlib
  std::string message;
};

// The protocol's codes are those of sysexits.h, of which error.h has the others, and SpamAssassin's own for a
// timeout.
inline constexpr int kSpamdUnavailable = 69;
inline constexpr int kSpamdProtocol = 76;
inline constexpr int kSpamdTimeout = 79;

struct SpamdProblem {
  int code;
  std::string why;
};

class SpamdParser {
 public:
  // A message may have so many bytes.
  explicit SpamdParser(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Takes bytes up to the end of the request; returns how many.
  size_t Take(std::string_view bytes);
  void TakeEnd();

  bool is_done() const { return part_ == Part::kDone; }
  // Set if the request is not well-formed. REQUIRES: is_done(), for both.
  const std::optional<SpamdProblem>& problem() const { return problem_; }
  const SpamdRequest& request() const { return request_; }
  SpamdRequest TakeRequest() { return std::move(request_); }

 private:
  enum class Part { kCommand, kHeaders, kMessage, kDone };

  void TakeLine(std::string_view line);
  void TakeCommand(std::string_view line);
  void TakeHeader(std::string_view line);
  void TakeLength(std::string_view text);
  void EndHeaders();
  void Fail(std::string why);
  void FailTooLarge();

  size_t most_bytes_;
  Part part_ = Part::kCommand;
  std::string line_;  // its bytes so far
  size_t headers_ = 0;
  std::optional<size_t> length_;
  SpamdRequest request_;
  std::optional<SpamdProblem> problem_;
};

}  // namespace thresher::pipeline
