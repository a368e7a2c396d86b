// Finds URLs in text and splits URLs into their parts.
//
// Called by the tokenizer. Thread-safety: pure functions. Accepts any bytes; linear time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thresher::tokenizer {

struct Url {
  std::string scheme;  // "http", lower case; "" for "www.example.com"
  std::string host;    // lower case, percent-decoded, without user, port and trailing dot
  // "a.b.example.com" → "b.example.com", "example.com" (domain_name.h); none for an IP address
  std::vector<std::string> host_suffixes;
  std::vector<std::string> path_words;  // lower-case runs of letters and digits of path and query, at most 16
  bool has_user = false;                // http://paypal.com@evil.example/
  bool has_port = false;
  bool is_address = false;     // an IP address in any notation (dotted, decimal, hexadecimal)
  bool is_obfuscated = false;  // percent-encoded host, unusual notation, non-ASCII or punycode labels
};

// Calls visit(url, text of the URL) for every URL in `text` ("http://…", "https://…", "ftp://…", "mailto:…",
// "www.…"), in order.
void ForEachUrl(std::string_view text, const std::function<void(const Url&, std::string_view)>& visit);

// Where a URL stands: at the beginning of a text, where blanks, quotes and the like end it, or alone, as an
// href, where its user's name may have any bytes and any length.
enum class UrlPlace { kText, kLink };

// Parses a single URL into *out; a link as browsers do: "http:\\host", "http:host" and "//host" have the
// host, too. Returns false if there is none (relative, cid:, …).
bool ParseUrl(std::string_view url, Url* out, UrlPlace place = UrlPlace::kLink);

// Replaces *out by `text` without percent-encoding. Returns whether anything was encoded.
bool PercentDecode(std::string_view text, std::string* out);

}  // namespace thresher::tokenizer
