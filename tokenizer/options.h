// What the tokenizer makes of a message, and how much of it: the settings under `features` and `limits`.
//
// Set by the pipeline from the configuration; `features` settings are persisted with a model because they
// change its features. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace thresher::tokenizer {

// Changes whenever the same bytes and Options can give other features. Persisted with every model.
inline constexpr char kTokenizerVersion[] = "thresher-tokens-1";

enum class ValueScheme {
  kBinary,    // 1
  kLogCount,  // 1 + ln(count)
  // Binary, scaled to ℓ2 norm 1: the n-grams together and the tokens together have a squared norm of ½ each
  // (1 where there are only n-grams or only tokens), for else the n-grams, three times as many, would drown
  // the tokens.
  kNormalised,
};

struct Options {
  // Families of tokens.
  bool raw_ngrams = true;  // byte 4-grams of the raw head of the message
  bool headers = true;  // words and addresses of the headers, Received hosts and IPs, Message-ID shape, …
  bool body_words = true;      // decoded, charset-converted, HTML-rendered words
  bool html_structure = true;  // tags and attributes that spam uses: images, forms, invisible text, …
  bool urls = true;            // hosts, domain suffixes and path words of URLs
  bool attachments = true;     // type, name and digest of attached files
  bool word_pairs = true;      // pairs of neighbouring words of subject and body
  ValueScheme values = ValueScheme::kNormalised;
  // Headers that are not the message's own, dropped before anything else is done; a trailing * matches any
  // ending. Case is ignored. "X-Thresher*" is always among them.
  std::vector<std::string> ignore_headers = {"X-Spam*",   "X-Bogosity", "X-CRM114*", "X-DSPAM*",
                                             "X-Rspamd*", "Status",     "X-Status",  "X-Mozilla-*"};

  // Limits: no message, however hostile, costs more than these allow. A message cut by one says so.
  size_t raw_head_bytes = 3500;     // read for byte n-grams
  size_t message_bytes = 4u << 20;  // read at all
  size_t header_bytes = 64u << 10;  // of each header block, the message's or a part's
  size_t mime_depth = 32;
  size_t mime_parts = 256;
  size_t decoded_bytes = 1u << 20;  // of decoded text, all parts together
  size_t html_depth = 256;
  size_t tokens = 50000;  // distinct features per message
};

}  // namespace thresher::tokenizer
