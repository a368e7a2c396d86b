// Reads HTTP/1 requests from bytes that come in any portions, by Boost.Beast.
//
// Called by HttpSession. Any bytes give a request or a problem, the same one however they are split.
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace thresher::pipeline {

struct HttpRequest {
  std::string method;
  std::string path;                                         // decoded, without what follows a question mark
  std::map<std::string, std::string, std::less<>> query;    // decoded
  std::map<std::string, std::string, std::less<>> headers;  // names in lower case; the last of several
  std::string body;                                         // decompressed
  bool keeps_alive = false;

  // Empty if it is not there.
  std::string_view Header(std::string_view lower_case_name) const;
  std::string_view Query(std::string_view name) const;
};

// Why there is no request: the status of the response.
struct HttpProblem {
  int status;
  std::string why;
};

class HttpParser {
 public:
  // A body may have so many bytes.
  explicit HttpParser(size_t most_bytes);
  ~HttpParser();

  // Takes bytes up to the end of the request; returns how many.
  size_t Take(std::string_view bytes);
  void TakeEnd();
  bool is_done() const { return is_done_; }
  // Whether no request has begun.
  bool IsAtRest() const { return !is_done_ && reading_ == nullptr && waiting_.empty(); }
  // True once, after a header that waits to be told to go on.
  bool TakeExpectsContinue();

  // Bytes of the body so far; at the end, of what it decompresses to.
  size_t body_bytes() const;

  const std::optional<HttpProblem>& problem() const { return problem_; }
  // The request, and begins anew. REQUIRES: is_done() and no problem.
  HttpRequest TakeRequest();

 private:
  struct Reading;

  bool Begins();
  bool InflateBody();
  void Fail(int status, std::string why);

  size_t most_bytes_;
  std::unique_ptr<Reading> reading_;  // Beast stays in one file
  std::string waiting_;               // bytes of a header that is not complete
  HttpRequest request_;               // what its target says, once it is complete
  bool is_done_ = false;
  bool told_to_continue_ = false;
  std::optional<HttpProblem> problem_;
};

}  // namespace thresher::pipeline
