#include "pipeline/serve/http_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <iterator>
#include <limits>
#include <utility>

#include "pipeline/serve/inflate.h"
#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;
using tokenizer::AppendHexByte;
using tokenizer::EqualsIgnoringCase;
using tokenizer::StartsWithIgnoringCase;

constexpr uint32_t kHeaderBytes = uint32_t{16} << 10;
constexpr size_t kLastChunkBytes = 5;  // 0 CRLF CRLF

// %41 as A, and + as a blank. False if a % is not followed by two hexadecimal digits.
bool Decode(std::string_view text, std::string* decoded) {
  decoded->clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded->push_back(text[i] == '+' ? ' ' : text[i]);
    } else if (AppendHexByte(text, i + 1, decoded)) {
      i += 2;
    } else {
      return false;
    }
  }
  return true;
}

// Takes the first two parts of "http://localhost:8080/health", as it is sent to proxies, and returns the
// second. Nothing of another form: it mostly begins with the path.
std::optional<std::string_view> TakeAuthority(std::string_view* target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!StartsWithIgnoringCase(*target, scheme)) continue;
    const std::string_view rest = target->substr(scheme.size());
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    if (authority.empty() || authority.find('@') != std::string_view::npos) return std::nullopt;
    *target = rest.substr(authority.size());
    return authority;
  }
  return std::nullopt;
}

// What is wrong with it; empty if nothing is.
std::string_view ReadTarget(std::string_view target, HttpRequest* request) {
  constexpr std::string_view kNotEncoded = "a % in the target is not followed by two hexadecimal digits";
  if (const auto authority = TakeAuthority(&target)) request->headers["host"] = *authority;
  const size_t mark = std::min(target.find('?'), target.size());
  if (!Decode(target.substr(0, mark), &request->path)) return kNotEncoded;
  if (request->path.empty()) request->path = "/";
  std::string_view query = target.substr(std::min(mark + 1, target.size()));
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const size_t equals = std::min(pair.find('='), pair.size());
    std::string name;
    std::string value;
    if (!Decode(pair.substr(0, equals), &name) ||
        !Decode(pair.substr(std::min(equals + 1, pair.size())), &value))
      return kNotEncoded;
    // Of two labels or users nobody knows which one is meant.
    if (!pair.empty() && !request->query.emplace(std::move(name), std::move(value)).second)
      return "the query has a name twice";
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

std::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

// Beast takes a body of another coding for none, and its bytes for the next request.
template <class Fields>
bool HasUnknownCoding(const Fields& fields) {
  const auto range = fields.equal_range(http::field::transfer_encoding);
  const auto count = std::distance(range.first, range.second);
  return count > 1 || (count == 1 && !EqualsIgnoringCase(View(range.first->value()), "chunked"));
}

}  // namespace

struct HttpParser::Reading {
  http::request_parser<http::string_body> parser;
};

std::string_view HttpRequest::Header(std::string_view lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? std::string_view() : found->second;
}

std::string_view HttpRequest::Query(std::string_view name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::string_view() : found->second;
}

HttpParser::HttpParser(size_t most_bytes) : most_bytes_(most_bytes) {}
HttpParser::~HttpParser() = default;

size_t HttpParser::Take(std::string_view bytes) {
  if (is_done_) return 0;
  waiting_.append(bytes);
  if (!reading_ && !Begins()) return bytes.size();
  auto& parser = reading_->parser;
  size_t used = 0;
  error_code error;
  while (!parser.is_done() && used < waiting_.size() && !error) {
    // At least the last chunk follows, of which Beast asserts that it comes in one piece.
    if (parser.is_header_done() && parser.chunked() && waiting_.size() - used < kLastChunkBytes) break;
    const size_t count =
        parser.put(boost::asio::buffer(waiting_.data() + used, waiting_.size() - used), error);
    used += count;
    if (count == 0 && !error) break;
  }
  waiting_.erase(0, used);
  if (error == http::error::need_more) {
    error = {};
    // Each time that it reads the header of a chunk, Beast takes the size of the chunk from the limit.
    if (parser.is_header_done()) parser.body_limit(most_bytes_ - parser.get().body().size());
    // The header of the request, of a chunk, or what follows the last chunk.
    if (waiting_.size() > kHeaderBytes) error = http::error::header_limit;
  }
  // First what the header says: as much of the body as is there already makes no difference.
  if (parser.is_header_done() && HasUnknownCoding(parser.get())) {
    Fail(501, "the transfer coding is not known: expected none, or chunked");
  } else if (parser.is_header_done() && !View(parser.get()[http::field::content_encoding]).empty()) {
    Fail(415, "the body has a content coding, and expected is none");
  } else if (error == http::error::body_limit) {
    Fail(413, "the body is too large");
  } else if (error == http::error::header_limit) {
    Fail(431, "the header is too large");
  } else if (error) {
    Fail(400, error.message());
  } else if (!parser.is_done()) {
    return bytes.size();
  } else if (const auto wrong = ReadTarget(View(parser.get().target()), &request_); !wrong.empty()) {
    Fail(400, std::string(wrong));
  } else if (InflateBody()) {
    is_done_ = true;
    // What was left over came with these bytes: before them the request was not complete.
    return bytes.size() - std::exchange(waiting_, {}).size();
  }
  return bytes.size();
}

// `rspamc -z` says in a header of its own that the body is compressed, also where there is none.
bool HttpParser::InflateBody() {
  auto& message = reading_->parser.get();
  const std::string_view compression = View(message["Compression"]);
  if (compression.empty() || message.body().empty()) return true;
  if (!EqualsIgnoringCase(compression, "zstd")) {
    Fail(415, "the compression is not known: expected none, or zstd");
    return false;
  }
  auto body = InflateZstd(message.body(), most_bytes_);
  if (!body) {
    const bool is_too_large = body.error() == NotInflated::kTooLarge;
    Fail(is_too_large ? 413 : 400,
         is_too_large ? "the body is too large" : "the body is not compressed by zstd");
    return false;
  }
  message.body() = *std::move(body);
  return true;
}

size_t HttpParser::body_bytes() const { return reading_ ? reading_->parser.get().body().size() : 0; }

// Not with empty lines, which some clients send behind the body of the last request.
bool HttpParser::Begins() {
  size_t begin = 0;
  while (waiting_.compare(begin, 2, "\r\n") == 0) begin += 2;
  waiting_.erase(0, begin);
  if (waiting_.empty() || waiting_ == "\r") return false;
  reading_ = std::make_unique<Reading>();
  reading_->parser.eager(true);
  reading_->parser.header_limit(kHeaderBytes);
  reading_->parser.body_limit(most_bytes_);
  return true;
}

void HttpParser::TakeEnd() {
  if (!is_done_ && reading_) Fail(400, "the request is not complete");
}

bool HttpParser::TakeExpectsContinue() {
  if (told_to_continue_ || is_done_ || !reading_ || !reading_->parser.is_header_done()) return false;
  told_to_continue_ = EqualsIgnoringCase(View(reading_->parser.get()[http::field::expect]), "100-continue");
  return told_to_continue_;
}

HttpRequest HttpParser::TakeRequest() {
  auto message = reading_->parser.release();
  HttpRequest request = std::exchange(request_, {});
  const std::string authority(request.Header("host"));  // of the target
  request.method = View(message.method_string());
  for (const auto& field : message) {
    std::string name(View(field.name_string()));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    request.headers[std::move(name)] = View(field.value());
  }
  if (!authority.empty()) request.headers["host"] = authority;
  request.keeps_alive = message.keep_alive();
  request.body = std::move(message.body());
  reading_.reset();
  is_done_ = false;
  told_to_continue_ = false;
  return request;
}

void HttpParser::Fail(int status, std::string why) {
  is_done_ = true;
  waiting_.clear();
  problem_ = HttpProblem{status, std::move(why)};
}

}  // namespace thresher::pipeline
