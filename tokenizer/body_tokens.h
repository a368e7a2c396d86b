// Tokens of the body: its MIME parts, their words, links, HTML structure and attached files.
//
// Called by the tokenizer. docs/tokens.md lists the tokens. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/calendar.h"
#include "tokenizer/charset.h"
#include "tokenizer/disguise_tokens.h"
#include "tokenizer/feature_builder.h"
#include "tokenizer/html.h"
#include "tokenizer/link_tokens.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/message_head.h"
#include "tokenizer/mime.h"
#include "tokenizer/options.h"
#include "tokenizer/urls.h"
#include "tokenizer/word_tokens.h"

namespace thresher::tokenizer {

class BodyTokens {
 public:
  // `options` must outlive this.
  BodyTokens(const Options* options, CharsetConverter* charset, WordTokens* words, FeatureBuilder* builder);

  // Adds the tokens of all parts of a mail.
  void AddMail(const MessageHead& mail, const Senders& senders);
  // Adds the tokens of plain text in any charset.
  void AddDocument(std::string_view bytes);

 private:
  void AddPart(const MimePart& part);
  void AddReadable(const MimePart& part);
  void AddInnerHead(const MimePart& part);
  void AddCalendarFile(std::string_view utf8);
  void AddDeclared(std::string_view field, std::string_view value);
  void AddAttachment(const MimePart& part);
  void AddFileName(std::string_view filename);
  void AddHtml(std::string_view utf8);
  void AddBesideRoot(std::string_view utf8, bool is_page);
  void Render(std::string_view page);
  void AddUnseenOfPage();  // of rendering_
  void AddUrls(std::string_view utf8);
  size_t AddText(std::string_view utf8);  // returns the number of words
  size_t AddWords(std::string_view field, std::string_view utf8);
  void AddUrl(const Url& url, std::string_view text);
  void AddComposition();
  bool WantsUrls() const;
  void AddLinks();  // of rendering_

  // What the message consists of.
  struct Composition {
    size_t plain_words = 0;
    size_t html_words = 0;
    size_t images = 0;  // attached, or fetched by HTML
    size_t files = 0;
    size_t links = 0;
    bool has_html = false;
  };

  const Options* options_;
  CharsetConverter* charset_;
  WordTokens* words_;
  FeatureBuilder* builder_;
  std::string from_;  // the address of the sender
  LinkTokens links_;
  DisguiseTokens disguises_;
  Composition composition_;
  HtmlRendering rendering_;
  Calendar calendar_;
  Url url_;
  std::string scratch_;
  std::string unfolded_;
};

}  // namespace thresher::tokenizer
