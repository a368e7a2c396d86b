// URLs in text and in links, taken apart.
//
// Called by the tokenizer. Thread-safety: pure functions. Total and linear in the input.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

struct Url {
  std::string scheme;  // "http", lower case; "" for "www.example.com"
  std::string host;    // lower case, percent-decoded, without user, port and trailing dot
  std::vector<std::string>
      host_suffixes;  // "a.b.example.com" → "b.example.com", "example.com"; none for an IP address
  std::vector<std::string> path_words;  // lower-case runs of letters and digits of path and query, at most 16
  bool has_user = false;                // http://paypal.com@evil.example/
  bool has_port = false;
  bool is_address = false;     // an IP address in any notation (dotted, decimal, hexadecimal)
  bool is_obfuscated = false;  // percent-encoded host, odd notations, non-ASCII or punycode labels
};

// Every URL in `text` ("http://…", "https://…", "ftp://…", "mailto:…", "www.…"), in order. The view is the
// whole URL's text.
void ForEachUrl(std::string_view text, const std::function<void(const Url&, std::string_view)>& visit);

// One URL that stands alone, e.g. an href; false if it has no host (relative, cid:, …).
bool ParseUrl(std::string_view url, Url* out);

}  // namespace thresher::tokenizer
