// Which tokens the tokenizer makes and how much of a message it reads: the settings under `features` and
// `limits`.
//
// Filled by the pipeline from the configuration; read by everything here. `features` settings are stored
// with a model, because they decide what its features are. Thread-safety: a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/ignored_headers.h"
#include "tokenizer/own_marks.h"

namespace thresher::tokenizer {

// Must change whenever a feature comes to mean something else: otherwise an existing model would silently get
// other features than it was trained on. Stored with every model, beside its Options: what a new option
// switches on needs no new version, because models made before it have it switched off (SwitchOff).
inline constexpr char kTokenizerVersion[] = "thresher-tokens-1";

// Must change whenever the same bytes and Options can give other features of the same meaning, as where text
// is read that was overlooked. An existing model goes on with it; it only matters where messages are
// tokenised again (TextLibraries).
inline constexpr int kTokenizerRevision = 9;

enum class ValueScheme {
  kBinary,    // 1
  kLogCount,  // 1 + ln(count)
  // Binary, scaled to Euclidean norm 1. N-grams and tokens each have half of the squared norm (all of it if
  // the message has only one kind): there are about three times as many n-grams, which would otherwise
  // outweigh the tokens.
  kNormalised,
  kFrequency,  // its share of the occurrences of all features of the message
  // Binary, scaled to Euclidean norm 1. Each FeatureKind that occurs has the same share of the squared norm,
  // however many features it has, but less if they are few: n/(n + 2) of a share for n features.
  kBalanced,
};

struct Options {
  // One switch per family of tokens; kTokenFamilies describes them.
  bool raw_ngrams = true;
  bool headers = true;
  bool body_words = true;
  bool html_structure = true;
  bool urls = true;
  bool attachments = true;
  bool word_pairs = true;
  bool authentication = true;
  bool correspondence = true;
  bool disguises = true;
  bool composition = true;
  bool link_targets = true;

  ValueScheme values = ValueScheme::kBalanced;
  // Headers that other programs added after delivery. They are dropped before anything else is read. A
  // trailing * matches any ending; case is ignored. "X-Thresher*" is always dropped. docs/tokens.md says
  // whose they are.
  std::vector<std::string> ignore_headers = DefaultIgnoredHeaders();
  // Is always dropped as well.
  OwnMarks marks = {};

  // Bytes of what a sender wrote that are read for byte n-grams: first of the head, then of the decoded body
  // (ngram_text.h).
  size_t raw_head_bytes = 1000;
  // How many of them may be of the head. 0: n-grams are made of the start of the raw message as it stands.
  size_t ngram_head_bytes = 700;

  // Limits on the work for one message. If one of them cuts a message, Features::truncated is set.
  size_t message_bytes = 4u << 20;  // of the whole message
  size_t header_bytes = 64u << 10;  // of headers, but for those that say what the body is
  size_t mime_depth = 32;
  size_t mime_parts = 256;
  size_t decoded_bytes = 1u << 20;  // of decoded text in all parts together; the same again for other content
  size_t html_depth = 256;
  size_t tokens = 50000;  // distinct features per message

  // Features come with what the tokenizer read (Features::message), for a log that holds messages.
  bool keep_message = false;
};

// A family of tokens: what one switch turns on or off.
struct TokenFamily {
  enum class Reads {
    kHead,   // the head, or the bytes of the message as they are
    kBody,   // what is in the body, which is decoded for it
    kOthers  // what other families read: without them it makes nothing
  };
  // Its key in the configuration: "features." and the name of its section in docs/tokens.md.
  std::string_view setting;
  bool Options::*enabled;
  Reads reads;
  std::string_view help;
};

// All families. The settings, the tests and the benchmark loop over this table.
inline constexpr auto kTokenFamilies = std::to_array<TokenFamily>({
    {"features.raw_ngrams", &Options::raw_ngrams, TokenFamily::Reads::kHead,
     "Byte 4-grams of the start of the message: of headers that its sender wrote, and of the decoded body."},
    {"features.headers", &Options::headers, TokenFamily::Reads::kHead,
     "Words and addresses of the headers, hosts and IP addresses of Received, the shape of Message-ID, and "
     "others."},
    {"features.body_words", &Options::body_words, TokenFamily::Reads::kBody,
     "Words of the body, after decoding and after HTML is rendered as text."},
    {"features.html_structure", &Options::html_structure, TokenFamily::Reads::kBody,
     "HTML tags and attributes that spam uses: images, forms, invisible text, and others."},
    {"features.urls", &Options::urls, TokenFamily::Reads::kBody,
     "Hosts, domain suffixes and path words of URLs."},
    {"features.attachments", &Options::attachments, TokenFamily::Reads::kBody,
     "Type, name, size and digest of attached files."},
    {"features.word_pairs", &Options::word_pairs, TokenFamily::Reads::kOthers,
     "Pairs of neighbouring words of subject and body."},
    {"features.authentication", &Options::authentication, TokenFamily::Reads::kHead,
     "Results of SPF, DKIM, DMARC and ARC, who signed, and whether these domains are the sender's."},
    {"features.correspondence", &Options::correspondence, TokenFamily::Reads::kHead,
     "Whether the sender's addresses and name fit together, and whether a reply answers anything."},
    {"features.disguises", &Options::disguises, TokenFamily::Reads::kBody,
     "Invisible characters, and letters and hosts that look like others."},
    {"features.composition", &Options::composition, TokenFamily::Reads::kOthers,
     "How much text there is beside images and files, and whether alternatives say the same."},
    {"features.link_targets", &Options::link_targets, TokenFamily::Reads::kBody,
     "Links that hide their target: shorteners, redirects, addresses in links, PDF files, scripts."},
});

// What the record of a model does not name did not exist when the model was made: before the record is read,
// this switches off every family, and every other option that came after the first version.
inline void SwitchOff(Options* options) {
  for (const TokenFamily& family : kTokenFamilies) options->*family.enabled = false;
  options->ngram_head_bytes = 0;
}

}  // namespace thresher::tokenizer
