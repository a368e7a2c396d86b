#include "tokenizer/tokenizer.h"

#include <algorithm>
#include <string>

#include "tokenizer/authentication_tokens.h"
#include "tokenizer/body_tokens.h"
#include "tokenizer/charset.h"
#include "tokenizer/correspondence_tokens.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/header_patterns.h"
#include "tokenizer/header_tokens.h"
#include "tokenizer/id_space.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/message_head.h"
#include "tokenizer/message_record.h"
#include "tokenizer/ngram_text.h"
#include "tokenizer/ngrams.h"
#include "tokenizer/thresher_headers.h"
#include "tokenizer/user.h"
#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

class Tokenizer::Impl {
 public:
  Impl(const Options& options, uint64_t seed)
      : options_(options),
        ignored_(options.ignore_headers),
        ids_(seed),
        builder_(seed, options.tokens),
        ngrams_(seed),
        words_(&builder_, options.disguises),
        headers_(&options_, &charset_, &words_, &builder_),
        authentication_(&builder_),
        correspondence_(&charset_, &builder_),
        body_(&options_, &charset_, &words_, &builder_) {}

  void Tokenize(std::string_view bytes, Kind kind, std::string_view user, Features* out) {
    builder_.Start(out);
    TokenizeOwn({kind, user, kind == Kind::kMail ? OwnBytesOf(bytes) : WithinLimit(bytes)}, out);
  }

  void TokenizeRecord(const MessageRecord& record, Features* out) {
    builder_.Start(out);
    own_bytes_ = record.bytes;
    TokenizeOwn({record.kind, record.user, own_bytes_}, out);
  }

 private:
  // What is read of a mail. Points into own_bytes_.
  std::string_view OwnBytesOf(std::string_view message) {
    std::string buffer;
    message = WithoutMarks(message, &buffer, options_.marks);
    const bool whole = KeepOwnBytes(message, ignored_, &own_bytes_, options_.message_bytes);
    if (!whole) builder_.SetTruncated();
    return own_bytes_;
  }

  std::string_view WithinLimit(std::string_view document) {
    if (document.size() > options_.message_bytes) builder_.SetTruncated();
    return document.substr(0, options_.message_bytes);
  }

  // REQUIRES: the bytes of a mail are own_bytes_.
  void TokenizeOwn(const MessageRecord& message, Features* out) {
    message.kind == Kind::kMail ? AddMail() : AddDocument(message.bytes);
    builder_.Finish(options_.values);
    if (!message.user.empty()) AddTokensOf(message.user, ids_, out);
    if (options_.keep_message) WriteMessageRecord(message, &out->message);
  }

  void AddMail() {
    ParseHead(own_bytes_, options_.header_bytes, &head_);
    if (head_.is_cut) builder_.SetTruncated();
    if (options_.raw_ngrams) AddNgrams(NgramBytes());
    const Senders senders = SendersOf(head_);
    if (options_.headers) headers_.Add(head_, senders);
    if (options_.authentication) authentication_.Add(head_, senders);
    if (options_.correspondence) correspondence_.Add(head_, senders);
    if (WantsBody()) body_.AddMail(head_, senders);
  }

  void AddDocument(std::string_view text) {
    if (options_.raw_ngrams) AddNgrams(text);
    if (WantsBody()) body_.AddDocument(text);
  }

  void AddNgrams(std::string_view bytes) { ngrams_.Add(bytes.substr(0, options_.raw_head_bytes), &builder_); }

  // What the n-grams of head_ are made of.
  std::string_view NgramBytes() {
    if (options_.ngram_head_bytes == 0) return own_bytes_;
    return ngram_text_.Of(head_, options_.raw_head_bytes, options_.ngram_head_bytes);
  }

  // Decoding the body is most of the work, so it is done only if a family reads it.
  bool WantsBody() const {
    return std::ranges::any_of(kTokenFamilies, [this](const TokenFamily& family) {
      return family.reads == TokenFamily::Reads::kBody && options_.*family.enabled;
    });
  }

  Options options_;
  HeaderPatterns ignored_;
  IdSpace ids_;
  FeatureBuilder builder_;
  Ngrams ngrams_;
  CharsetConverter charset_;
  WordTokens words_;
  HeaderTokens headers_;
  AuthenticationTokens authentication_;
  CorrespondenceTokens correspondence_;
  BodyTokens body_;
  NgramText ngram_text_;
  std::string own_bytes_;
  MessageHead head_;  // of own_bytes_
};

Tokenizer::Tokenizer(const Options& options, uint64_t seed) : impl_(std::make_unique<Impl>(options, seed)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::Tokenize(std::string_view bytes, Kind kind, Features* out, std::string_view user) {
  impl_->Tokenize(bytes, kind, user, out);
}

bool Tokenizer::TokenizeRecord(std::string_view record, Features* out) {
  const auto message = ReadMessageRecord(record);
  if (message) impl_->TokenizeRecord(*message, out);
  return message.has_value();
}

}  // namespace thresher::tokenizer
